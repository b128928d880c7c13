/**
 * Prepares text from servers and files for display and for models. It is untrusted and may contain instructions or hide
 * them from people.
 */
import { cutText } from '../../base/cut-text.ts';
import type { JsonMap, JsonValue } from './json-value.ts';

/** Control characters and invisible characters, which can change the direction of text or hide words in it. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\p{Variation_Selector}/gu;

/** Maximum length of a title or description in a schema, in UTF-16 units. */
const longestNote = 1_000;

/**
 * Removes invisible characters from a text and cuts it to `most` UTF-16 units (at least 100). Line breaks and tabs
 * become spaces.
 */
export function seenText(text: string, most: number): string {
  const seen = text.replace(/[\t\r\n]+/g, ' ').replace(unseen, '');
  return cutText(seen.trim(), most);
}

/**
 * Does the same as `seenText` for titles and descriptions inside a schema. Other keywords are unchanged, because they determine
 * which values are valid.
 */
export function seenSchema(schema: JsonMap): JsonMap {
  return seen(schema) as JsonMap;
}

function seen(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(seen);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isNote = (key === 'description' || key === 'title' || key === '$comment') && typeof inner === 'string';
      return [key, isNote ? seenText(inner, longestNote) : seen(inner)];
    }),
  );
}
