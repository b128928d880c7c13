/**
 * Encodes text for PostgreSQL, which refuses NUL characters and halves of surrogate pairs.
 */

const refused = /[\\\0]|\p{Surrogate}/gu;
const encoded = /\\(\\|u[0-9a-f]{4})/g;

/** Returns text that PostgreSQL accepts. Usual text is unchanged; a backslash is doubled. */
export function encodeText(text: string): string {
  return text.replace(refused, (sign) =>
    sign === '\\' ? '\\\\' : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the original of an encoded text. */
export function decodeText(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(encoded, (_all, code: string) =>
    code === '\\' ? code : String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
