/**
 * Texts in two parts.
 */

/** What stands before and behind; `after` is undefined when the separator was not found, and `before` the whole text. */
export interface SplitText {
  readonly before: string;
  readonly after: string | undefined;
}

export type Occurrence = 'first' | 'last';

/** Splits at the first or last place where the separator stands. */
export function splitText(text: string, separator: string, which: Occurrence): SplitText {
  const at = which === 'first' ? text.indexOf(separator) : text.lastIndexOf(separator);
  if (at === -1) return { before: text, after: undefined };
  return { before: text.slice(0, at), after: text.slice(at + separator.length) };
}

/**
 * Splits at the first or last line that equals the separator. The line is in neither part, nor are the line ends before
 * and behind it.
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
