/**
 * Prepares text from flows for display in other programs.
 */

/** Removes control and bidirectional characters, and replaces `<` and `&`, which some programs treat as markup. */
export function plainText(text: string, longest = 200): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('<', '\u2039')
    .replaceAll('>', '\u203a')
    .replaceAll('&', '\uff06')
    .slice(0, longest)
    .trim();
}
