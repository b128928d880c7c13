/**
 * Detects Markdown that would exhaust the parser's stack or take many seconds to parse. Files from other people may
 * contain anything.
 */

/** Matches a line with deeply nested quotes and lists, which do not occur in practice. */
const deepLine = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){30}/m;

/** Longer text takes too long. */
const maxLength = 200_000;

/** Returns whether a text should be shown as plain text without parsing its markup. */
export function isWildMarkdown(text: string): boolean {
  return text.length > maxLength || deepLine.test(text);
}
