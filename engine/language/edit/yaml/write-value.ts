/**
 * Writes new values as YAML in the file's style. Scalars are written without quotes if that is safe, otherwise with the
 * quotes of the value that they replace, or with double quotes.
 */
import { holdsBinding } from '../../bindings/bindings.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import type { ValuePath } from '../../schema/schema-problems.ts';

/** A file's style. */
export interface Manner {
  /** Indentation of a map below its key, in spaces. */
  readonly step: number;
  /** Indentation of the dashes of a list below its key, in spaces. */
  readonly dashStep: number;
  /** Number of characters from a dash to the content after it. */
  readonly dashWidth: number;
  /** Whether there are spaces inside braces and brackets. */
  readonly isMapPadded: boolean;
  readonly isListPadded: boolean;
  /** Whether keys and strings in flow style are always quoted, as in JSON. */
  readonly isJson: boolean;
  /** Number of blank lines between the file's top-level keys. */
  readonly sectionGap: number;
  /** Whether text may be written with blank lines at its end. */
  readonly mayKeepLines: boolean;
  /** Whether a list or map at a path is written in flow style. */
  isInline(path: ValuePath, value: JsonValue): boolean;
}

/**
 * The text after a key: on its line, starting with the space, and on the lines below, starting from the key's column.
 */
export interface WrittenYamlValue {
  readonly head: string;
  readonly lines: readonly string[];
}

/** A value after a key or dash. `was` is the style of the previous text. */
interface NewValue {
  readonly value: JsonValue;
  readonly path: ValuePath;
  readonly was?: TextStyle | undefined;
}

/** Writes a value in flow style, or as part of one. */
export function writeInline(value: JsonValue, manner: Manner): string {
  if (isJsonList(value)) {
    const items = value.map((item) => writeInline(item, manner)).join(', ');
    return value.length > 0 && manner.isListPadded ? `[ ${items} ]` : `[${items}]`;
  }
  if (!isJsonMap(value)) return writeScalar(value, { isInline: true, was: manner.isJson ? 'QUOTE_DOUBLE' : undefined });
  const entries = Object.entries(value).map(([key, item]) => writeInlineEntry(key, item, manner));
  if (entries.length === 0) return '{}';
  return manner.isMapPadded ? `{ ${entries.join(', ')} }` : `{${entries.join(', ')}}`;
}

/** Writes a flow-style map entry. */
export function writeInlineEntry(key: string, value: JsonValue, manner: Manner): string {
  const name = manner.isJson ? JSON.stringify(key) : writeKey(key, true);
  return `${name}: ${writeInline(value, manner)}`;
}

/** Writes a value as JSON on several lines. @param step additional indentation of each level */
export function spreadJson(value: JsonValue, step: string): readonly string[] {
  const lines = JSON.stringify(value, null, '\t').split('\n');
  return lines.map((line) => {
    const depth = /^\t*/.exec(line)?.[0].length ?? 0;
    return step.repeat(depth) + withEscapes(line.slice(depth));
  });
}

/** Writes a value after a key. */
export function writeBelowKey(written: NewValue, manner: Manner): WrittenYamlValue {
  const { value, path } = written;
  const short = writeShort(written, manner);
  if (short !== undefined) return short;
  if (isJsonList(value)) return { head: '', lines: indented(listLines(value, path, manner), manner.dashStep) };
  return { head: '', lines: indented(mapLines(value as JsonMap, path, manner), manner.step) };
}

/** Writes a map entry, starting from its key's column. */
export function entryLines(key: string, written: NewValue, manner: Manner): readonly string[] {
  const { head, lines } = writeBelowKey(written, manner);
  return [`${writeKey(key, false)}:${head}`, ...lines];
}

/** Writes a list item, starting from its dash's column. */
export function itemLines(written: NewValue, manner: Manner): readonly string[] {
  const { value, path } = written;
  const short = writeShort(written, manner);
  if (short !== undefined) return [`-${' '.repeat(manner.dashWidth - 1)}${short.head.slice(1)}`, ...short.lines];
  const [first = '', ...rest] = isJsonList(value)
    ? listLines(value, path, manner)
    : mapLines(value as JsonMap, path, manner);
  return [`-${' '.repeat(manner.dashWidth - 1)}${first}`, ...indented(rest, manner.dashWidth)];
}

export function indented(lines: readonly string[], blanks: number): readonly string[] {
  const indentation = ' '.repeat(blanks);
  return lines.map((line) => (line === '' ? '' : indentation + line));
}

function mapLines(map: JsonMap, path: ValuePath, manner: Manner): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) => entryLines(key, { value, path: [...path, key] }, manner));
}

function listLines(list: readonly JsonValue[], path: ValuePath, manner: Manner): readonly string[] {
  return list.flatMap((value, index) => itemLines({ value, path: [...path, index] }, manner));
}

/** Writes a value that starts on its key's line: anything but lists and maps below it. */
function writeShort({ value, path, was }: NewValue, manner: Manner): WrittenYamlValue | undefined {
  if (typeof value === 'string') {
    const block = writeBlockText(value, manner.step, manner.mayKeepLines);
    if (block !== undefined) return { head: ` ${block.header}`, lines: indented(block.lines, manner.step) };
  }
  if (!isJsonList(value) && !isJsonMap(value)) {
    return { head: ` ${writeScalar(value, { isInline: false, was })}`, lines: [] };
  }
  const isEmpty = isJsonList(value) ? value.length === 0 : Object.keys(value).length === 0;
  if (!isEmpty && !manner.isInline(path, value)) return undefined;
  return { head: ` ${writeInline(value, manner)}`, lines: [] };
}

/** A string's style, in YAML terms. */
export type TextStyle = 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE' | 'BLOCK_LITERAL' | 'BLOCK_FOLDED';

/** Where a value is written. */
interface ScalarOptions {
  /** In flow style, where more characters have a special meaning. */
  readonly isInline: boolean;
  /** The style of the previous text. */
  readonly was?: TextStyle | undefined;
}

const startsUnsafe = /^[\s\-?:,[\]{}#&*!|>'"%@`=]/;
const neverPlain = /: |:$| #|[^\S ]|[\p{Cc}\p{Cs}\uFEFF\u2028\u2029]|\s$/u;
const neverPlainInline = /[[\]{},]|:["']/;
/** Also matches text that other parsers read as a boolean, number or date. */
const meansSomethingElse =
  /^(?:~|null|true|false|yes|no|on|off|<<|\.\.\..*|[-+]?\.?\d[\d_.:,eE+-]*|0[xo][\da-f]+|[-+]?\.inf|\.nan)$/i;

/** Writes a scalar on one line. */
export function writeScalar(value: JsonValue, { isInline, was }: ScalarOptions): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (was === 'QUOTE_DOUBLE') return inDoubleQuotes(value);
  if (was === 'QUOTE_SINGLE' && !needsEscape(value)) return `'${value.replaceAll("'", "''")}'`;
  if (!isPlain(value, isInline)) return inDoubleQuotes(value);
  // A binding after other text is valid without quotes, but readers expect them.
  return was !== 'PLAIN' && holdsBinding(value) ? inDoubleQuotes(value) : value;
}

/** Writes a map key. */
export function writeKey(key: string, isInline: boolean): string {
  return writeScalar(key, { isInline });
}

function isPlain(text: string, isInline: boolean): boolean {
  if (text === '' || startsUnsafe.test(text) || neverPlain.test(text) || meansSomethingElse.test(text)) return false;
  return !isInline || !neverPlainInline.test(text);
}

function needsEscape(text: string): boolean {
  return /[\p{Cc}\p{Cs}\uFEFF\u2028\u2029]/u.test(text);
}

function inDoubleQuotes(text: string): string {
  return withEscapes(JSON.stringify(text));
}

/** Escapes characters in JSON that YAML does not allow or that are invisible. */
function withEscapes(json: string): string {
  return json.replace(
    /[\u007f-\u009f\uFEFF\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Multi-line text below its key. */
interface BlockText {
  /** `|` with its indicators. */
  readonly header: string;
  /** Lines without indentation. */
  readonly lines: readonly string[];
}

/**
 * Writes text as the lines of a `|` block indented by `step`. Returns undefined for text that is better quoted: a
 * single line, or characters that need escapes.
 * @param mayKeep whether it may include blank lines at the end, which are hard to notice
 */
function writeBlockText(text: string, step: number, mayKeep: boolean): BlockText | undefined {
  if (!text.includes('\n') || text.trim() === '' || /[^\P{Cc}\n\t]|[\p{Cs}\uFEFF\u2028\u2029]/u.test(text))
    return undefined;
  const newlines = text.length - text.replace(/\n+$/, '').length;
  if (newlines > 1 && !mayKeep) return undefined;
  const lines = (newlines > 0 ? text.slice(0, -1) : text).split('\n');
  if (newlines === 0 && lines.at(-1)?.trim() === '') return undefined;
  const startsWithBlank = /^\n*[ \t]/.test(text);
  if (startsWithBlank && step > 9) return undefined;
  const chomping = newlines === 0 ? '-' : newlines === 1 ? '' : '+';
  return { header: `|${startsWithBlank ? step : ''}${chomping}`, lines };
}
