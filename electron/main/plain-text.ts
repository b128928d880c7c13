/**
 * Texts of flows for other programs to show.
 */

/** Without characters that a system might act on, or that turn what is read around; some take `<` and `&` for markup. */
export function plainText(text: string, longest = 200): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll('<', '\u2039')
    .replaceAll('>', '\u203a')
    .replaceAll('&', '\uff06')
    .slice(0, longest)
    .trim();
}
