/**
 * The signs of YAML that the quick reader looks for, as codes of UTF-16.
 */

export const lineFeed = 0x0a;
export const space = 0x20;
export const quote = 0x22;
export const hash = 0x23;
export const apostrophe = 0x27;
export const comma = 0x2c;
export const dash = 0x2d;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const openBrace = 0x7b;

/** NaN is what stands behind the end of the text. */
export function isBreakOrBlank(code: number): boolean {
  return code === space || code === lineFeed || Number.isNaN(code);
}

/** Whether a sign ends plain text in a flow collection, or may do so. */
export function endsPlainInFlow(code: number): boolean {
  switch (code) {
    case lineFeed:
    case hash:
    case comma:
    case colon:
    case openBracket:
    case 0x5d:
    case openBrace:
    case 0x7d:
      return true;
    default:
      return Number.isNaN(code);
  }
}

/** Whether the sign at a position stands behind a backslash that means it. */
export function isEscaped(text: string, position: number): boolean {
  let start = position;
  while (text[start - 1] === '\\') start--;
  return (position - start) % 2 === 1;
}
