/**
 * Encodes and shortens text from curl commands. Shell variables are enclosed in U+E000 and U+E001.
 */

/** Encodes a value like `--data-urlencode`: the name is unchanged. */
export function urlEncoded(value: string): string {
  const sign = value.indexOf('=');
  const name = sign > 0 ? value.slice(0, sign + 1) : '';
  const plain = sign === -1 ? value : value.slice(sign + 1);
  // Variables are filled in and encoded when the request is sent.
  return (
    name +
    plain
      .split(/(\uE000\w+\uE001)/)
      .map((part) => (part.startsWith('\uE000') ? part : encodeURIComponent(part)))
      .join('')
  );
}

/** Decodes a part of a URL or a form. Invalid encodings are returned unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Encodes the UTF-8 bytes of a string. */
export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Truncates text so that it fits into a sentence. */
export function cut(text: string): string {
  const plain = text.replaceAll(/[\uE000\uE001]/g, '');
  return plain.length > 40 ? `${plain.slice(0, 40)}…` : plain;
}
