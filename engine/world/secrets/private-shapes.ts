/**
 * Recognizes private data by its shape: keys, email addresses, card numbers and phone numbers.
 */

export type PrivateShape = 'key' | 'email' | 'card' | 'phone';

/** Provider, code host and cloud keys by their prefixes, signed tokens, and private keys in PEM format. */
const keyShape =
  /\b(?:(?:sk|pk|rk)[-_][\w-]{16,}|(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|hf_|npm_|AIza|AKIA|ASIA|gsk_|r8_|xai-|pplx-)[\w-]{12,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;

/** RFC 5322 email addresses in common notation, with a dot in the domain. */
const mailAddress = /(?<![\w.%+-])[\w.%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])/gi;

/** Digits without separators or in groups that are not part of an ID. */
const longNumber = /(?<![\w.-])\d(?:[ -]?\d){13,18}(?![\w-]|\.\d)/g;

/**
 * Numbers with a country code, with a leading zero and separators, or in North American format. Digits without
 * separators may be anything, and dates look similar.
 */
const phoneNumber =
  /(?<![\w.+-])(?:\+\d{1,3}(?:[ ./-]?\(?\d{1,5}\)?){2,6}|\(?0\d{1,4}\)?[ /-]\d{3,8}(?:[ -]?\d{1,5}){0,3}|\(?\d{3}\)?[ -]\d{3}-\d{4})(?![\w-]|\.\d)/g;

/** Checks for a card number (ISO/IEC 7812): 14 to 19 digits that begin with 2 to 6 and end with a check digit. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^(?:2[2-7]|[3-6])\d{12,17}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Replaces each key. Words with the prefix of a key, such as `sk-learn-…`, have no digits. */
export function replaceKeys(text: string, mark: string): string {
  return text.replace(keyShape, (found) => (/\d/.test(found) || found.startsWith('-----') ? mark : found));
}

/** Replaces each private part of a text. */
export function replaceShapes(text: string, replace: (shape: PrivateShape, found: string) => string): string {
  return text
    .replace(keyShape, (found) => replace('key', found))
    .replace(mailAddress, (found) => replace('email', found))
    .replace(longNumber, (found) => (isCardNumber(found) ? replace('card', found) : found))
    .replace(phoneNumber, (found) => replace('phone', found));
}
