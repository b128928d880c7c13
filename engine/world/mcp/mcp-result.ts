/**
 * Converts the result of a tool call to a value.
 */
import { cutText } from '../../base/cut-text.ts';
import { isValueDeeperThan, MAX_JSON_DEPTH } from '../../base/json-limits.ts';
import { parseJson } from '../../language/json/exact-json.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { isFields, type MessageFields } from './read-message.ts';

/**
 * Maximum size of an image or file, in base64 characters. Larger ones are described but not kept, because values are
 * displayed, stored and read by models.
 */
const longestData = 256 * 1024;

/** Whether a result is nested too deeply to be accepted. */
export function isTooDeep(result: MessageFields): boolean {
  return isValueDeeperThan(result, MAX_JSON_DEPTH);
}

/** Whether a result reports a tool failure; some servers send `isError` as a string. */
export function isFailure({ isError }: MessageFields): boolean {
  return isError === true || isError === 1 || (typeof isError === 'string' && /^(?:true|yes|1)$/i.test(isError));
}

/**
 * Returns the value of a result: its structured content if present; otherwise its text if all content is text;
 * otherwise a list of texts and of descriptions of other content. Without content, it is everything else the server
 * sent.
 * @param hasSchema whether the tool declares an output schema, so that JSON text is parsed
 */
export function valueOfResult(result: MessageFields, hasSchema: boolean): JsonValue {
  const { structuredContent, content } = result;
  if (structuredContent !== undefined && structuredContent !== null) return structuredContent as JsonValue;
  if (content === undefined || content === null) return valueWithoutContent(result);
  const parts = (Array.isArray(content) ? content : [content]).map(valueOfBlock);
  if (!parts.every((part) => typeof part === 'string')) return parts;
  const text = parts.join('\n');
  return (hasSchema ? parseJson(text) : undefined) ?? text;
}

function valueWithoutContent(result: MessageFields): JsonValue {
  // The first revision of the protocol.
  if ('toolResult' in result) return result['toolResult'] as JsonValue;
  const { content: _, structuredContent: __, isError: ___, ...rest } = result;
  return Object.keys(rest).length === 0 ? '' : (rest as JsonMap);
}

/** Returns the message of a failed call, in at most 2,000 characters. */
export function failureText(result: MessageFields): string {
  const value = valueOfResult(result, false);
  const texts = (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map((part) =>
    typeof part === 'string' ? part : JSON.stringify(part),
  );
  return cutText(texts.join('\n').trim(), 2_000) || 'The tool failed without a reason.';
}

/** Blocks of unknown kinds, and blocks that lack required fields, are returned unchanged. */
function valueOfBlock(block: unknown): JsonValue {
  if (!isFields(block)) return block as JsonValue;
  const { type, text, data, uri, resource } = block;
  if (type === 'text' && typeof text === 'string') return text;
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return { type, ...mimeTypeOf(block), ...dataOf(data) };
  if (type === 'resource_link' && typeof uri === 'string')
    return { type, uri, ...(typeof block['name'] === 'string' ? { name: block['name'] } : {}), ...mimeTypeOf(block) };
  if (type === 'resource' && isFields(resource)) return valueOfResource(resource) ?? (block as JsonMap);
  return block as JsonMap;
}

function valueOfResource(resource: MessageFields): JsonMap | undefined {
  const { uri, text, blob } = resource;
  const held = typeof text === 'string' ? { text } : typeof blob === 'string' ? dataOf(blob) : undefined;
  if (held === undefined) return undefined;
  return { type: 'resource', ...(typeof uri === 'string' ? { uri } : {}), ...mimeTypeOf(resource), ...held };
}

function mimeTypeOf({ mimeType }: MessageFields): JsonMap {
  return typeof mimeType === 'string' ? { mimeType } : {};
}

/** Data in base64. */
function dataOf(data: string): JsonMap {
  const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4);
  return data.length > longestData ? { bytes, isLeftOut: true } : { bytes, data };
}
