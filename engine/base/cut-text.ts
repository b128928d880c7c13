/**
 * Text that somebody else wrote, short enough to be shown and kept.
 */

/** What stands for the rest; never longer than `longestNote`. */
function noteOf(count: number): string {
  return ` … (cut here, ${count.toLocaleString('en')} more characters)`;
}

const longestNote = 60;

/**
 * The text, or when it has more than `most` UTF-16 units its beginning with a word about what was cut. What was cut once
 * stays as it is when it is cut again.
 * @param most at least 100, and 60 more than `end`
 * @param end how many units of the text's end stay as well, behind the word
 */
export function cutText(text: string, most: number, end = 0): string {
  if (text.length <= most) return text;
  // Not half a character at the cuts.
  const first = text.slice(0, most - end - longestNote).replace(/[\uD800-\uDBFF]$/, '');
  const last = end === 0 ? '' : ` … ${text.slice(3 - end).replace(/^[\uDC00-\uDFFF]/, '')}`;
  return first + noteOf(text.length - first.length - Math.max(0, last.length - 3)) + last;
}

/** In characters. What a message quotes may be as long as a file; nobody reads on, and every history would keep it. */
const longestMessage = 2000;
/** What a script raised through many callers says at its end what is wrong. */
const endOfMessage = 400;

/** What an error or a problem of a file says, in at most 2,000 characters. */
export function cutMessage(message: string): string {
  return cutText(message, longestMessage, endOfMessage);
}
