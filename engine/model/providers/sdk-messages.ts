/**
 * Our messages → those of the SDK, as each kind of provider wants them.
 */
import type { FilePart, ModelMessage as SdkMessage, TextPart } from 'ai';
import type { ModelAttachment, ModelMessage } from '../../kernel/capabilities.ts';
import type { ProviderKind } from '../provider-config.ts';

/** These take instructions only at the beginning, all together. */
const systemFirst: ReadonlySet<ProviderKind> = new Set(['anthropic', 'gemini']);

/** Media that every provider takes as words. */
const textMedia =
  /^text\/|^application\/(?:json|xml|yaml|toml|javascript|x-[\w-]*(?:yaml|toml|sh|lua)|[\w.-]+\+(?:json|xml))/;

/** The whole conversation. Order stays, but for instructions where the provider wants them first. */
export function toSdkMessages(messages: readonly ModelMessage[], kind: ProviderKind): SdkMessage[] {
  const isSystem = ({ role }: ModelMessage): boolean => role === 'system';
  const ordered = systemFirst.has(kind)
    ? [...messages.filter(isSystem), ...messages.filter((message) => !isSystem(message))]
    : messages;
  return ordered.map(toSdkMessage);
}

function toSdkMessage({ role, content, cache, attachments = [] }: ModelMessage): SdkMessage {
  // Only Anthropic asks for it; the others look at their own key only.
  const marks = cache === true ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } : {};
  if (role !== 'user' || attachments.length === 0) return { role, content, ...marks };
  const words: TextPart[] = content === '' ? [] : [{ type: 'text', text: content }];
  return { role, content: [...words, ...attachments.map(toPart)], ...marks };
}

function toPart({ mediaType, fileName, base64 }: ModelAttachment): TextPart | FilePart {
  if (textMedia.test(mediaType)) return { type: 'text', text: Buffer.from(base64, 'base64').toString('utf8') };
  return { type: 'file', data: base64, mediaType, filename: fileName };
}
