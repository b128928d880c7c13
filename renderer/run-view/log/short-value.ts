/**
 * Formats values for lines of a log.
 */
import { isValueHandle, type JsonValue } from '../../../engine/isomorphic.ts';
import { byteText } from '../../ui/quantity-text.ts';
import { text } from './text.ts';

const longestValue = 160;

/** Returns a value in one line, truncated; for a value that is stored elsewhere, its type and size. */
export function shortValue(value: JsonValue): string {
  if (isValueHandle(value)) return text.large({ kind: text.kinds[value.type], size: byteText(value.bytes) });
  const json = JSON.stringify(value);
  return json.length <= longestValue ? json : `${json.slice(0, longestValue)}…`;
}
