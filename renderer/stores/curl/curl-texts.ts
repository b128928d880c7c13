/**
 * Texts of curl commands, encoded and shortened. Variables of the shell stand between U+E000 and U+E001.
 */

/** As `--data-urlencode` writes it: the name stays as it is. */
export function urlEncoded(value: string): string {
  const sign = value.indexOf('=');
  const name = sign > 0 ? value.slice(0, sign + 1) : '';
  const plain = sign === -1 ? value : value.slice(sign + 1);
  // Variables are filled in, and encoded, when the request is sent.
  return (
    name +
    plain
      .split(/(\uE000\w+\uE001)/)
      .map((part) => (part.startsWith('\uE000') ? part : encodeURIComponent(part)))
      .join('')
  );
}

/** Of an address or a form; what is not encoded well stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Of the bytes in UTF-8. */
export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** As much of a text as a sentence can take. */
export function cut(text: string): string {
  const plain = text.replaceAll(/[\uE000\uE001]/g, '');
  return plain.length > 40 ? `${plain.slice(0, 40)}…` : plain;
}
