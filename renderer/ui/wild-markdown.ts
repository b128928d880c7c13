/**
 * Markdown that would take the reader's stack or many seconds: files of others may hold anything.
 */

/** Quotes and lists inside each other in one line, which nobody writes. */
const deepLine = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){30}/m;

/** Longer ones take too long. */
const maxLength = 200_000;

/** Whether a text is better shown as it is, without reading its markup. */
export function isWildMarkdown(text: string): boolean {
  return text.length > maxLength || deepLine.test(text);
}
