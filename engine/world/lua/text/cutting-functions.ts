/**
 * `aip.text` functions that return part of a text.
 */
import { optionalString, requiredString } from '../api-arguments.ts';
import { LuaResults, type NativeFunction } from '../api-module.ts';
import { removeFirstLines, removeLastLines } from './edit-lines.ts';
import { onText, wholeNumber } from './on-text.ts';

/** Unicode whitespace. */
const whitePattern = /\p{White_Space}/u;

/**
 * Tests character by character, because a pattern for the end of a text would be retried at every whitespace character.
 */
export function trimTextStart(text: string): string {
  let from = 0;
  while (from < text.length && whitePattern.test(text[from] ?? '')) from++;
  return text.slice(from);
}

export function trimTextEnd(text: string): string {
  let end = text.length;
  while (end > 0 && whitePattern.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** Trims both ends. */
export function trimText(text: string): string {
  return trimTextEnd(trimTextStart(text));
}

/**
 * The text before and after a separator. If the separator was not found, `after` is undefined and `before` is the whole
 * text.
 */
interface SplitText {
  readonly before: string;
  readonly after: string | undefined;
}

type Occurrence = 'first' | 'last';

/** Splits at the first or last occurrence of the separator. */
export function splitText(text: string, separator: string, which: Occurrence): SplitText {
  const at = which === 'first' ? text.indexOf(separator) : text.lastIndexOf(separator);
  if (at === -1) return { before: text, after: undefined };
  return { before: text.slice(0, at), after: text.slice(at + separator.length) };
}

/**
 * Splits at the first or last line that equals the separator. Neither part contains the line or the line ends around
 * it.
 */
export function splitAtLine(text: string, separator: string, which: Occurrence): SplitText {
  let found: SplitText | undefined;
  for (let from = 0; from < text.length && (found === undefined || which === 'last'); ) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    const isWindows = newline > from && text[end - 1] === '\r';
    if (text.slice(from, isWindows ? end - 1 : end) === separator) {
      found = { before: withoutLineEnd(text.slice(0, from)), after: text.slice(end + 1) };
    }
    from = end + 1;
  }
  return found ?? { before: text, after: undefined };
}

function withoutLineEnd(text: string): string {
  if (!text.endsWith('\n')) return text;
  return text.slice(0, text.endsWith('\r\n') ? -2 : -1);
}

const twoParts = ({ before, after }: SplitText): LuaResults => new LuaResults(before, after);

/** Truncates by characters, not bytes. The length includes the ellipsis. */
function truncated(text: string, limit: number, ellipsis: string): string {
  const characters = Array.from(text);
  if (characters.length <= limit) return text;
  const end = Array.from(ellipsis).slice(0, Math.max(0, limit));
  return [...characters.slice(0, Math.max(0, limit - end.length)), ...end].join('');
}

export const cuttingFunctions: readonly NativeFunction[] = [
  onText(
    {
      name: 'trim',
      signature: 'trim(text: string | nil) -> string | nil',
      summary: 'Removes leading and trailing whitespace.',
    },
    trimText,
  ),
  onText(
    {
      name: 'trim_start',
      signature: 'trim_start(text: string | nil) -> string | nil',
      summary: 'Removes leading whitespace.',
    },
    trimTextStart,
  ),
  onText(
    {
      name: 'trim_end',
      signature: 'trim_end(text: string | nil) -> string | nil',
      summary: 'Removes trailing whitespace.',
    },
    trimTextEnd,
  ),
  onText(
    {
      name: 'split_first',
      signature: 'split_first(text: string | nil, separator: string) -> string | nil, string | nil',
      summary:
        'Returns the text before and after the first occurrence of the separator. If it does not occur, returns the whole text and nil.',
    },
    (text, args) => twoParts(splitText(text, requiredString(args[1], 2), 'first')),
  ),
  onText(
    {
      name: 'split_last',
      signature: 'split_last(text: string | nil, separator: string) -> string | nil, string | nil',
      summary:
        'Returns the text before and after the last occurrence of the separator. If it does not occur, returns the whole text and nil.',
    },
    (text, args) => twoParts(splitText(text, requiredString(args[1], 2), 'last')),
  ),
  onText(
    {
      name: 'split_first_line',
      signature: 'split_first_line(text: string | nil, line: string) -> string | nil, string | nil',
      summary:
        'Returns the text before and after the first line that equals `line`, without the line breaks around it. If no line matches, returns the whole text and nil.',
    },
    (text, args) => twoParts(splitAtLine(text, requiredString(args[1], 2), 'first')),
  ),
  onText(
    {
      name: 'split_last_line',
      signature: 'split_last_line(text: string | nil, line: string) -> string | nil, string | nil',
      summary:
        'Returns the text before and after the last line that equals `line`, without the line breaks around it. If no line matches, returns the whole text and nil.',
    },
    (text, args) => twoParts(splitAtLine(text, requiredString(args[1], 2), 'last')),
  ),
  onText(
    {
      name: 'remove_first_line',
      signature: 'remove_first_line(text: string | nil) -> string | nil',
      summary: 'Removes the first line. Text with only one line becomes empty.',
    },
    (text) => removeFirstLines(text, 1),
  ),
  onText(
    {
      name: 'remove_first_lines',
      signature: 'remove_first_lines(text: string | nil, count: integer) -> string | nil',
      summary:
        'Removes the first `count` lines. Returns an empty string if the text has fewer line breaks than `count`.',
    },
    (text, args) => removeFirstLines(text, wholeNumber(args[1], 2)),
  ),
  onText(
    {
      name: 'remove_last_line',
      signature: 'remove_last_line(text: string | nil) -> string | nil',
      summary: 'Removes the last line break and the text after it. Text with only one line becomes empty.',
    },
    (text) => removeLastLines(text, 1),
  ),
  onText(
    {
      name: 'remove_last_lines',
      signature: 'remove_last_lines(text: string | nil, count: integer) -> string | nil',
      summary:
        'Like `remove_last_line`, repeated `count` times. Returns an empty string if the text has fewer line breaks than `count`.',
    },
    (text, args) => removeLastLines(text, wholeNumber(args[1], 2)),
  ),
  onText(
    {
      name: 'truncate',
      signature: 'truncate(text: string | nil, max_length: integer, ellipsis?: string) -> string | nil',
      summary:
        'Truncates text to at most `max_length` characters, including the ellipsis at the end. Shorter text is returned unchanged.',
    },
    (text, args, name) => truncated(text, wholeNumber(args[1], 2), optionalString(args[2], name) ?? ''),
  ),
];
