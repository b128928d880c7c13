/**
 * Removes escapes from text: those in URLs (`%2B`), in JSON and program strings (`\u002b`, `\"`, `\/`) and in HTML
 * (`&amp;`, `&#x2b;`), also nested. Programs differ in what they escape and how, so text is compared by its meaning.
 */

/** Number of nested levels of escapes that are removed. */
const mostLevels = 5;
/** A longer run of backslashes is not read as one escape. */
const mostBackslashes = 64;

const backslashes = `\\\\{1,${mostBackslashes}}`;
const more = '%[89ab][0-9a-f]';
/** A multi-byte UTF-8 character counts as one escape. */
const inAddress = `%(?:[cd][0-9a-f]${more}|e[0-9a-f](?:${more}){2}|f[0-7](?:${more}){3}|[0-9a-f]{2})`;
const inProgram = `${backslashes}(?:u\\{[0-9a-f]{1,6}\\}|u[0-9a-f]{4}|x[0-9a-f]{2}|["'/\`nrtbfv]|)`;
const inHtml = '&(?:#x[0-9a-f]{1,8}|#[0-9]{1,9}|[a-z][a-z0-9]{1,8});';
const escapes = new RegExp(`${inAddress}|${inProgram}|${inHtml}`, 'gi');
const escapesOfForms = new RegExp(`${inAddress}|${inProgram}|${inHtml}|\\+`, 'gi');

/** Characters that are escaped only by encoders that escape every character. */
export const neverEscaped = /[A-Za-z0-9]+/g;
/**
 * Six consecutive escapes of ASCII characters occur only in text with every character escaped. Listed by the start of
 * each escape.
 */
const allEscaped: readonly (readonly [sign: string, pattern: RegExp])[] = [
  ['%', /(?:%[2-7][0-9a-f]){6}/i],
  ['\\u', new RegExp(`(?:${backslashes}u\\{?0*[2-7][0-9a-f]\\}?){6}`, 'i')],
  ['\\x', new RegExp(`(?:${backslashes}x[2-7][0-9a-f]){6}`, 'i')],
  ['&#', /(?:&#(?:x0*[2-7][0-9a-f]|0*(?:3[2-9]|[4-9][0-9]|1[01][0-9]|12[0-6]));){6}/i],
];
/** A possible start of an escape at the end of incomplete text. */
const openEscape = new RegExp(
  `(?:(?:%[c-f][0-9a-f](?:${more}){0,2})?(?:%[0-9a-f]?)?|${backslashes}(?:u(?:[0-9a-f]{0,3}|\\{[0-9a-f]{0,6})|x[0-9a-f]?)?|&#?[0-9a-z]{0,9})$`,
  'i',
);
/** Maximum length of an incomplete escape. */
const longestOpen = mostBackslashes + 9;

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

/** HTML names of ASCII characters, and of the Latin-1 characters from U+00A0 on. */
const asciiEntities =
  'Tab:\t NewLine:\n excl:! quot:" num:# dollar:$ percnt:% amp:& apos:\' lpar:( rpar:) ast:* plus:+ comma:, period:. sol:/ colon:: semi:; lt:< equals:= gt:> quest:? commat:@ lsqb:[ lbrack:[ bsol:\\ rsqb:] rbrack:] Hat:^ lowbar:_ UnderBar:_ grave:` lcub:{ lbrace:{ verbar:| vert:| rcub:} rbrace:}';
const latinEntities =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const entities: ReadonlyMap<string, string> = new Map([
  ...asciiEntities.split(' ').map((one): [string, string] => {
    const colon = one.indexOf(':');
    return [one.slice(0, colon), one.slice(colon + 1)];
  }),
  ...latinEntities.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
]);

/** Text without its escapes. */
export interface Unescaped {
  readonly text: string;
  /** Maps a position in this text to the position in the escaped text. */
  placeOf(at: number): number;
}

interface Options {
  /** Whether a plus sign represents a space, as in web forms. Both are then treated as spaces. */
  readonly isPlusBlank: boolean;
  /** Omits an unfinished escape at the end. */
  readonly isOpen?: boolean;
}

/** A quick test that may return true for text without escapes. */
export function hasEscape(text: string, { isPlusBlank }: Options): boolean {
  return text.includes('\\') || text.includes('%') || text.includes('&') || (isPlusBlank && text.includes('+'));
}

/** Whether several consecutive ASCII characters are escaped unnecessarily. */
export function hasNeedlessEscapes(text: string): boolean {
  return allEscaped.some(([sign, pattern]) => text.includes(sign) && pattern.test(text));
}

/** Returns the text without its escapes; faster than `unescaped` because it omits the positions. */
export function textUnescaped(text: string, options: Options): string {
  const pattern = options.isPlusBlank ? escapesOfForms : escapes;
  let plain = text;
  for (let level = 0; level < mostLevels && hasEscape(plain, options); level++) {
    const next = plain.replace(pattern, (written) => meaningOf(written) ?? written);
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/** Returns the text without its escapes, and the original position of each character. */
export function unescaped(text: string, options: Options): Unescaped {
  let found: Unescaped = { text, placeOf: (at) => at };
  for (let level = 0; level < mostLevels; level++) {
    const { text: before, placeOf: outer } = options.isOpen === true ? withoutOpenEscape(found) : found;
    const next = hasEscape(before, options) ? unescapedOnce(before, options) : undefined;
    if (next === undefined) return { text: before, placeOf: outer };
    found = { text: next.text, placeOf: (at) => outer(next.placeOf(at)) };
  }
  return found;
}

function withoutOpenEscape({ text, placeOf }: Unescaped): Unescaped {
  let closed = text;
  // Removing one unfinished escape can expose another one.
  for (let before = ''; before !== closed; ) {
    before = closed;
    const from = Math.max(0, closed.length - longestOpen);
    closed = closed.slice(0, from) + closed.slice(from).replace(openEscape, '');
  }
  return { text: closed, placeOf };
}

/** Returns undefined if the text has no escapes. */
function unescapedOnce(text: string, { isPlusBlank }: Options): Unescaped | undefined {
  const parts: string[] = [];
  /** For each escape: its start, its end, and the position of its character in the result. */
  const starts: number[] = [];
  const ends: number[] = [];
  const places: number[] = [];
  let length = 0;
  let last = 0;
  for (const { 0: written, index } of text.matchAll(isPlusBlank ? escapesOfForms : escapes)) {
    const meant = meaningOf(written);
    if (meant === undefined) continue;
    parts.push(text.slice(last, index), meant);
    length += index - last;
    starts.push(index);
    places.push(length);
    last = index + written.length;
    ends.push(last);
    length += meant.length;
  }
  if (parts.length === 0) return undefined;
  parts.push(text.slice(last));
  const placeOf = (at: number): number => {
    const index = lastAtMost(places, at);
    if (index === -1) return at;
    const place = places[index] ?? 0;
    // One escape can encode both halves of a surrogate pair.
    const next = place + (parts[2 * index + 1] ?? '').length;
    return at < next ? (starts[index] ?? 0) : (ends[index] ?? 0) + at - next;
  };
  return { text: parts.join(''), placeOf };
}

/** Returns undefined if the text is not an escape. */
function meaningOf(written: string): string | undefined {
  switch (written[0]) {
    case '%':
      return bytesMeant(written);
    case '\\':
      return backslashMeant(written);
    case '&':
      return written[1] === '#' ? numberMeant(written) : entities.get(written.slice(1, -1));
    default:
      return ' ';
  }
}

/** A single byte is the character with its code; several bytes are UTF-8. */
function bytesMeant(written: string): string {
  return written.length === 3
    ? String.fromCharCode(Number.parseInt(written.slice(1), 16))
    : Buffer.from(written.replaceAll('%', ''), 'hex').toString('utf8');
}

/** Ignores the number of backslashes, because each level of escaping doubles it. */
function backslashMeant(written: string): string | undefined {
  let sign = 1;
  while (written[sign] === '\\') sign++;
  const escaped = written[sign];
  if (escaped === undefined) return sign === 1 ? undefined : '\\';
  if (written.length > sign + 1) return characterOf(Number.parseInt(written.slice(sign + 1).replace(/[{}]/g, ''), 16));
  if (escaped === '"' || escaped === "'" || escaped === '/' || escaped === '`') return escaped;
  return controls[escaped] ?? (sign === 1 ? undefined : `\\${escaped}`);
}

function numberMeant(written: string): string {
  const isHex = written[2]?.toLowerCase() === 'x';
  return characterOf(Number.parseInt(written.slice(isHex ? 3 : 2, -1), isHex ? 16 : 10));
}

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
}

/** Returns the index of the last of the ascending numbers that is at most `most`; -1 if none is. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
