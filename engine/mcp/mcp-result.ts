/**
 * What a call of a tool gave, as a value of a run.
 */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { cutText } from '../base/cut-text.ts';
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';

/** A picture or file of more characters (of base64) is described, but not kept: values are shown, stored and read by models. */
const longestData = 256 * 1024;

/**
 * The value of a result: its structured content if there is some; else its text, where all of it is text; else a list of texts and of
 * descriptions of what is no text.
 */
export function valueOfResult({ structuredContent, content }: CallToolResult): JsonValue {
  if (structuredContent !== undefined) return structuredContent as JsonMap;
  const parts = content.map(valueOfBlock);
  return parts.every((part) => typeof part === 'string') ? parts.join('\n') : parts;
}

/** What a failed call says, in at most 2,000 characters. */
export function failureText({ content }: CallToolResult): string {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return cutText(texts.join('\n').trim(), 2_000) || 'The tool has failed and does not say why.';
}

function valueOfBlock(block: ContentBlock): JsonValue {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return { type: block.type, mimeType: block.mimeType, ...dataOf(block.data) };
    case 'resource_link':
      return { type: 'resource_link', uri: block.uri, name: block.name, ...mimeTypeOf(block) };
    case 'resource': {
      const { resource } = block;
      const held = 'text' in resource ? { text: resource.text } : dataOf(resource.blob);
      return { type: 'resource', uri: resource.uri, ...mimeTypeOf(resource), ...held };
    }
  }
}

function mimeTypeOf({ mimeType }: { readonly mimeType?: string | undefined }): JsonMap {
  return mimeType === undefined ? {} : { mimeType };
}

/** In base64. */
function dataOf(data: string): JsonMap {
  const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4);
  return data.length > longestData ? { bytes, isLeftOut: true } : { bytes, data };
}
