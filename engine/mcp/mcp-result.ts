/**
 * What a call of a tool gave, as a value of a run.
 */
import { cutText } from '../base/cut-text.ts';
import { isValueDeeperThan, MAX_JSON_DEPTH } from '../base/json-limits.ts';
import { parseJson } from '../flowspec/exact-json.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { type Fields, isFields } from './read-message.ts';

/** A picture or file of more characters (of base64) is described, but not kept: values are shown, stored and read by models. */
const longestData = 256 * 1024;

/** Whether a result is nested so deeply that it is not taken. */
export function isTooDeep(result: Fields): boolean {
  return isValueDeeperThan(result, MAX_JSON_DEPTH);
}

/** Whether a result reports a failure of the tool; some servers write that as a text. */
export function isFailure({ isError }: Fields): boolean {
  return isError === true || isError === 1 || (typeof isError === 'string' && /^(?:true|yes|1)$/i.test(isError));
}

/**
 * The value of a result: its structured content if there is some; else its text, where all of it is text; else a list of texts and of
 * descriptions of what is not text. Without content, it is what else the server has sent.
 * @param hasSchema the tool says what it gives, so a text that is JSON is read as such
 */
export function valueOfResult(result: Fields, hasSchema: boolean): JsonValue {
  const { structuredContent, content } = result;
  if (structuredContent !== undefined && structuredContent !== null) return structuredContent as JsonValue;
  if (content === undefined || content === null) return valueWithoutContent(result);
  const parts = (Array.isArray(content) ? content : [content]).map(valueOfBlock);
  if (!parts.every((part) => typeof part === 'string')) return parts;
  const text = parts.join('\n');
  return (hasSchema ? parseJson(text) : undefined) ?? text;
}

function valueWithoutContent(result: Fields): JsonValue {
  // The first revision of the protocol.
  if ('toolResult' in result) return result['toolResult'] as JsonValue;
  const { content: _, structuredContent: __, isError: ___, ...rest } = result;
  return Object.keys(rest).length === 0 ? '' : (rest as JsonMap);
}

/** What a failed call says, in at most 2,000 characters. */
export function failureText(result: Fields): string {
  const value = valueOfResult(result, false);
  const texts = (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map((part) =>
    typeof part === 'string' ? part : JSON.stringify(part),
  );
  return cutText(texts.join('\n').trim(), 2_000) || 'The tool has failed and does not say why.';
}

/** Of a kind that is not known, or that lacks what its kind has, the block as it is. */
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

function valueOfResource(resource: Fields): JsonMap | undefined {
  const { uri, text, blob } = resource;
  const held = typeof text === 'string' ? { text } : typeof blob === 'string' ? dataOf(blob) : undefined;
  if (held === undefined) return undefined;
  return { type: 'resource', ...(typeof uri === 'string' ? { uri } : {}), ...mimeTypeOf(resource), ...held };
}

function mimeTypeOf({ mimeType }: Fields): JsonMap {
  return typeof mimeType === 'string' ? { mimeType } : {};
}

/** In base64. */
function dataOf(data: string): JsonMap {
  const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4);
  return data.length > longestData ? { bytes, isLeftOut: true } : { bytes, data };
}
