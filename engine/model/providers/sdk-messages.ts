/**
 * Our messages → those of the SDK, as each kind of provider wants them.
 */
import { isJsonMap } from '../../flowspec/json-value.ts';
import type { ModelAttachment, ModelMessage } from '../../kernel/model-capability.ts';
import type { ModelToolCall, ModelToolResult } from '../../kernel/model-tools.ts';
import type { ProviderKind } from '../provider-config.ts';
import { readProviderState } from './provider-state.ts';
import type { SdkCall } from './sdk-model.ts';

type SdkMessage = SdkCall['prompt'][number];
type UserPart = Extract<SdkMessage, { readonly role: 'user' }>['content'][number];
type AssistantPart = Extract<SdkMessage, { readonly role: 'assistant' }>['content'][number];

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
  const prompt: SdkMessage[] = [];
  for (const message of ordered) {
    const last = prompt.at(-1);
    if (message.role !== 'tool') prompt.push(toSdkMessage(message));
    // Providers want the results of calls that were made together in one message.
    else if (last?.role === 'tool') last.content.push(toToolResult(message));
    else prompt.push({ role: 'tool', content: [toToolResult(message)] });
  }
  return prompt;
}

function toSdkMessage(message: Exclude<ModelMessage, ModelToolResult>): SdkMessage {
  const { role, content, cache, attachments = [], toolCalls = [] } = message;
  if (role === 'assistant' && toolCalls.length > 0) return toCallingMessage(message, toolCalls);
  // Only Anthropic asks for it; the others look at their own key only.
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

/** What it thought and how its calls were signed goes back to the provider as it came. */
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
      // No provider takes back what is no map; what is wrong with it stands in the result.
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
