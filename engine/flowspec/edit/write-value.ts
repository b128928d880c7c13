/**
 * New values as YAML, in the manner of the file they go into. Single ones are written without quotes where that is safe, in
 * the quotes of what they replace, else in double quotes.
 */
import { holdsBinding } from '../bindings.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json-value.ts';
import type { ValuePath } from '../schema-problems.ts';

/** The habits of a file. */
export interface Manner {
  /** Blanks by which a map stands deeper than its key. */
  readonly step: number;
  /** Blanks by which the dashes of a list stand deeper than its key. */
  readonly dashStep: number;
  /** Signs from a dash to what follows it. */
  readonly dashWidth: number;
  /** Whether blanks stand inside of the braces of a map, and of the brackets of a list. */
  readonly isMapPadded: boolean;
  readonly isListPadded: boolean;
  /** Whether keys and text between brackets are always quoted, as in JSON. */
  readonly isJson: boolean;
  /** Empty lines between the keys of the file. */
  readonly sectionGap: number;
  /** Whether text may be written with empty lines at its end. */
  readonly mayKeepLines: boolean;
  /** Whether a list or map at a path is to be written between brackets. */
  isInline(path: ValuePath, value: JsonValue): boolean;
}

/** What stands behind a key: in its line, from the blank on, and in the lines below it, from the column of the key on. */
export interface Written {
  readonly head: string;
  readonly lines: readonly string[];
}

/** A value behind a key or dash. `was` = how the text there was written. */
interface NewValue {
  readonly value: JsonValue;
  readonly path: ValuePath;
  readonly was?: TextStyle | undefined;
}

/** A value between brackets, or as a part of such. */
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

/** An entry of a map between braces. */
export function writeInlineEntry(key: string, value: JsonValue, manner: Manner): string {
  const name = manner.isJson ? JSON.stringify(key) : writeKey(key, true);
  return `${name}: ${writeInline(value, manner)}`;
}

/** A value as JSON over several lines. @param step what each level begins with more than the one around it */
export function spreadJson(value: JsonValue, step: string): readonly string[] {
  const lines = JSON.stringify(value, null, '\t').split('\n');
  return lines.map((line) => {
    const depth = /^\t*/.exec(line)?.[0].length ?? 0;
    return step.repeat(depth) + withEscapes(line.slice(depth));
  });
}

/** A value behind a key. */
export function writeBelowKey(written: NewValue, manner: Manner): Written {
  const { value, path } = written;
  const short = writeShort(written, manner);
  if (short !== undefined) return short;
  if (isJsonList(value)) return { head: '', lines: indented(listLines(value, path, manner), manner.dashStep) };
  return { head: '', lines: indented(mapLines(value as JsonMap, path, manner), manner.step) };
}

/** An entry of a map, from the column of its key on. */
export function entryLines(key: string, written: NewValue, manner: Manner): readonly string[] {
  const { head, lines } = writeBelowKey(written, manner);
  return [`${writeKey(key, false)}:${head}`, ...lines];
}

/** An item of a list, from the column of its dash on. */
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

/** Whatever begins in the line of its key: all but lists and maps below it. */
function writeShort({ value, path, was }: NewValue, manner: Manner): Written | undefined {
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

/** How text is written: as YAML calls its styles. */
export type TextStyle = 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE' | 'BLOCK_LITERAL' | 'BLOCK_FOLDED';

/** Where a value is written. */
interface ScalarOptions {
  /** Between brackets, where more signs have a meaning. */
  readonly isInline: boolean;
  /** The style of the text that was there. */
  readonly was?: TextStyle | undefined;
}

const startsUnsafe = /^[\s\-?:,[\]{}#&*!|>'"%@`=]/;
const neverPlain = /: |:$| #|[^\S ]|[\p{Cc}\p{Cs}\uFEFF\u2028\u2029]|\s$/u;
const neverPlainInline = /[[\]{},]|:["']/;
/** Also what other readers take for a truth, a number or a date. */
const meansSomethingElse =
  /^(?:~|null|true|false|yes|no|on|off|<<|\.\.\..*|[-+]?\.?\d[\d_.:,eE+-]*|0[xo][\da-f]+|[-+]?\.inf|\.nan)$/i;

/** A value that is no list and no map, on one line. */
export function writeScalar(value: JsonValue, { isInline, was }: ScalarOptions): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (was === 'QUOTE_DOUBLE') return inDoubleQuotes(value);
  if (was === 'QUOTE_SINGLE' && !needsEscape(value)) return `'${value.replaceAll("'", "''")}'`;
  if (!isPlain(value, isInline)) return inDoubleQuotes(value);
  // A binding may stand without quotes behind other text, but readers expect them.
  return was !== 'PLAIN' && holdsBinding(value) ? inDoubleQuotes(value) : value;
}

/** A key of a map. */
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

/** JSON with escapes for signs that YAML does not take as they are, or nobody sees. */
function withEscapes(json: string): string {
  return json.replace(
    /[\u007f-\u009f\uFEFF\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text over several lines below its key. */
interface BlockText {
  /** `|` with what it needs behind it. */
  readonly header: string;
  /** Without indentation. */
  readonly lines: readonly string[];
}

/**
 * Text as the lines of a `|` block that is indented by `step`; undefined for text that is better quoted: of one line, or
 * with signs that only escapes can write.
 * @param mayKeep whether empty lines at the end may be part of it, which a reader hardly sees
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
