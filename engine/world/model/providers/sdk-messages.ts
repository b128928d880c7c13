/**
 * Converts messages to the SDK's format for each kind of provider.
 */
import { isJsonMap } from '../../../language/json/json-value.ts';
import type { ModelAttachment, ModelMessage } from '../../../runtime/kernel/models/model-capability.ts';
import type { ModelToolCall, ModelToolResult } from '../../../runtime/kernel/models/model-tools.ts';
import type { ProviderKind } from '../provider-config.ts';
import { readProviderState } from './provider-state.ts';
import type { SdkCall } from './sdk-model.ts';

type SdkMessage = SdkCall['prompt'][number];
type UserPart = Extract<SdkMessage, { readonly role: 'user' }>['content'][number];
type AssistantPart = Extract<SdkMessage, { readonly role: 'assistant' }>['content'][number];

/** Kinds that accept system messages only at the start. */
const systemFirst: ReadonlySet<ProviderKind> = new Set(['anthropic', 'gemini']);

/** Media types that every provider accepts as text. */
const textMedia =
  /^text\/|^application\/(?:json|xml|yaml|toml|javascript|x-[\w-]*(?:yaml|toml|sh|lua)|[\w.-]+\+(?:json|xml))/;

/** Converts the entire conversation. Keeps the order, except for system messages that the provider requires first. */
export function toSdkMessages(messages: readonly ModelMessage[], kind: ProviderKind): SdkMessage[] {
  const isSystem = ({ role }: ModelMessage): boolean => role === 'system';
  const ordered = systemFirst.has(kind)
    ? [...messages.filter(isSystem), ...messages.filter((message) => !isSystem(message))]
    : messages;
  const prompt: SdkMessage[] = [];
  for (const message of ordered) {
    const last = prompt.at(-1);
    if (message.role !== 'tool') prompt.push(toSdkMessage(message));
    // Providers require the results of parallel calls in one message.
    else if (last?.role === 'tool') last.content.push(toToolResult(message));
    else prompt.push({ role: 'tool', content: [toToolResult(message)] });
  }
  return prompt;
}

function toSdkMessage(message: Exclude<ModelMessage, ModelToolResult>): SdkMessage {
  const { role, content, cache, attachments = [], toolCalls = [] } = message;
  if (role === 'assistant' && toolCalls.length > 0) return toCallingMessage(message, toolCalls);
  // Only Anthropic requires it; other providers ignore this key.
  const marks = cache === true ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } : {};
  if (role === 'system') return { role, content, ...marks };
  const text = { type: 'text' as const, text: content };
  if (role === 'assistant') return { role, content: [text], ...marks };
  if (attachments.length === 0) return { role, content: [text], ...marks };
  const parts = [text, ...attachments.map(toPart)];
  return { role, content: parts.filter((part) => part.type !== 'text' || part.text !== ''), ...marks };
}

function toToolResult({ toolCallId, toolName, content, isError }: ModelToolResult) {
  const output = { type: isError === true ? ('error-text' as const) : ('text' as const), value: content };
  return { type: 'tool-result' as const, toolCallId, toolName, output };
}

/** Sends thinking and call signatures back to the provider unchanged. */
function toCallingMessage({ content, ...message }: ModelMessage, calls: readonly ModelToolCall[]): SdkMessage {
  const { thoughts, signatures } = readProviderState('providerState' in message ? message.providerState : undefined);
  const words: AssistantPart[] = content === '' ? [] : [{ type: 'text', text: content }];
  const thought = thoughts.map(({ text, options }) => ({ type: 'reasoning' as const, text, providerOptions: options }));
  const called = calls.map(({ id, name, input }): AssistantPart => {
    const options = signatures[id];
    return {
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      // Providers accept only objects as arguments; the result explains what is wrong with them.
      input: isJsonMap(input) ? input : {},
      ...(options === undefined ? {} : { providerOptions: options }),
    };
  });
  return { role: 'assistant', content: [...thought, ...words, ...called] };
}

function toPart({ mediaType, fileName, base64 }: ModelAttachment): UserPart {
  if (textMedia.test(mediaType)) return { type: 'text', text: Buffer.from(base64, 'base64').toString('utf8') };
  return { type: 'file', data: base64, mediaType, filename: fileName };
}
