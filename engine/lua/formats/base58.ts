/**
 * Base58 with the alphabet of Bitcoin: no `0`, `O`, `I` and `l`; each zero byte in front becomes a `1`.
 */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Writes bytes as a number of base 58. Meant for digests and ids: the time grows with the square of the length. */
export function encodeBase58(bytes: Uint8Array): string {
  const digits: number[] = [];
  for (const byte of bytes) {
    let carry = byte;
    for (const [at, digit] of digits.entries()) {
      carry += digit * 256;
      digits[at] = carry % 58;
      carry = Math.floor(carry / 58);
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58);
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const ones = '1'.repeat(zeros === -1 ? bytes.length : zeros);
  return (
    ones +
    digits
      .reverse()
      .map((digit) => alphabet[digit])
      .join('')
  );
}
