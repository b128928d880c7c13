/**
 * Shortens untrusted text for display and storage.
 */

/** Returns the note that replaces the omitted text, at most `longestNote` characters long. */
function noteOf(count: number): string {
  return ` … (cut here, ${count.toLocaleString('en')} more characters)`;
}

const longestNote = 60;

/**
 * Returns the text, or its beginning and a note if it has more than `most` UTF-16 units. A truncated text is not
 * truncated again.
 * @param most at least 100, and 60 more than `end`
 * @param end number of units at the end of the text to keep after the note
 */
export function cutText(text: string, most: number, end = 0): string {
  if (text.length <= most) return text;
  // Do not split a surrogate pair.
  const first = text.slice(0, most - end - longestNote).replace(/[\uD800-\uDBFF]$/, '');
  const last = end === 0 ? '' : ` … ${text.slice(3 - end).replace(/^[\uDC00-\uDFFF]/, '')}`;
  return first + noteOf(text.length - first.length - Math.max(0, last.length - 3)) + last;
}

/**
 * Maximum length of a message in characters. A message that quotes a whole file would be unreadable and would be stored
 * in every history.
 */
const longestMessage = 2000;
/**
 * Number of characters kept at the end, where an error that was passed through many script callers states its cause.
 */
const endOfMessage = 400;

/** Shortens the message of an error or diagnostic to at most 2,000 characters. */
export function cutMessage(message: string): string {
  return cutText(message, longestMessage, endOfMessage);
}
