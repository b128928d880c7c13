/**
 * Single values as YAML: without quotes where that is safe, in the quotes of what they replace, else in double quotes.
 */
import { holdsBinding } from '../bindings.ts';
import type { JsonValue } from '../json-value.ts';

/** How text is written: as YAML calls its styles. */
export type TextStyle = 'PLAIN' | 'QUOTE_SINGLE' | 'QUOTE_DOUBLE' | 'BLOCK_LITERAL' | 'BLOCK_FOLDED';

/** Where a value is written. */
interface ScalarPlace {
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
export function writeScalar(value: JsonValue, { isInline, was }: ScalarPlace): string {
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
  return JSON.stringify(text).replace(
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
export function writeBlockText(text: string, step: number, mayKeep: boolean): BlockText | undefined {
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
