/**
 * Payloads of a length that readers of traces can take: what is too large is told by its type, size and hash. What is left is JSON
 * whatever was left out, which text that is cut would not be.
 */
import { createHash } from 'node:crypto';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import { isValueHandle } from '../flowspec/value-handle.ts';

/** UTF-16 units of JSON text that one value of a payload may have. */
const longestValue = 4096;

/** What stands for a value that was left out. `sha256` is that of its JSON text, under which the history has the large ones. */
function summaryOf(value: JsonValue, text: string): JsonMap {
  if (isValueHandle(value)) return { type: value.type, bytes: value.bytes, sha256: value.$value };
  const type = value === null ? 'null' : isJsonList(value) ? 'array' : typeof value;
  const sha256 = createHash('sha256').update(text, 'utf8').digest('hex');
  return { type, bytes: Buffer.byteLength(text, 'utf8'), sha256 };
}

/** The value, with the large ones in it exchanged for what they are; all of it when it is large by sheer number. */
function boundedValue(value: JsonValue): JsonValue {
  if (isValueHandle(value)) return summaryOf(value, '');
  if (typeof value !== 'string' && !isJsonList(value) && !isJsonMap(value)) return value;
  const text = JSON.stringify(value);
  if (text.length <= longestValue && !text.includes('"$value"')) return value;
  if (typeof value === 'string') return text.length <= longestValue ? value : summaryOf(value, text);
  const smaller = isJsonList(value) ? value.map(boundedValue) : boundedMap(value);
  return JSON.stringify(smaller).length <= longestValue ? smaller : summaryOf(value, text);
}

/** Each value of a payload for itself. */
export function boundedMap(payload: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, boundedValue(value)]));
}
