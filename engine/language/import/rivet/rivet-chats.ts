/** Rivet nodes for prompts and chats with models. */

import type { TypeMapping } from '../mapping.ts';
import { modelName } from '../models.ts';
import { defined, mapAt, numberAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { type RivetNode, rivetNode } from './rivet-node.ts';

/** Types that return a list of messages. */
const listTypes = new Set(['assemblePrompt', 'trimChatMessages']);

const prompt = rivetNode({
  convert({ data, inputs }) {
    return { type: 'echo', input: { text: inputs.text(textAt(data, 'promptText')) } };
  },
  ports: { output: ['text'] },
});

const assemblePrompt = rivetNode({
  convert({ inputs }) {
    const messages = inputs.numbered('message').map((port) => {
      const source = inputs.source(port);
      if (source !== undefined && listTypes.has(source.type))
        inputs.lost.push(`${source.name} contains several messages.`);
      return { role: roleOf(source), content: inputs.value(port) ?? '' };
    });
    if (messages.length === 0) return { why: 'It contains no messages.' };
    return { type: 'constant', input: { value: messages } };
  },
  ports: { prompt: ['value'] },
});

function roleOf(source: SourceNode | undefined): string {
  const role = textAt(mapAt(source?.settings, 'data'), 'type');
  if (role === 'system' || role === 'assistant') return role;
  return source?.type.startsWith('chat') === true ? 'assistant' : 'user';
}

const assembleMessage = rivetNode({
  convert({ inputs }) {
    const parts = inputs.numbered('part').map((port) => inputs.value(port) ?? '');
    return { type: 'echo', input: { text: parts.join('\n') } };
  },
  ports: { message: ['text'] },
});

function convertChat({ node, data, inputs }: RivetNode) {
  const source = inputs.source('prompt');
  const value = inputs.value('prompt');
  if (source === undefined || value === undefined) return { why: 'No prompt is connected to it.' };
  const system = inputs.value('systemPrompt');
  const isMessages = listTypes.has(source.type) || /\[\]$/.test(textAt(mapAt(source.settings, 'data'), 'dataType'));
  const model = modelName(node.type, textAt(data, 'model') || textAt(data, 'overrideModel'));
  const maxTokens = numberAt(data, 'maxTokens');
  const lost = [
    ...(data['enableFunctionUse'] === true ? ['Its functions were not imported. Add tools to the prompt.'] : []),
    ...(textAt(data, 'stop') === '' ? [] : ['Its stop sequence was not imported.']),
    ...(/json/.test(textAt(data, 'responseFormat'))
      ? ['Its response format was not imported. Add an output schema.']
      : []),
    ...(model === undefined ? ['Its model was not imported. The default model is used.'] : []),
  ];
  const config = defined({
    model,
    temperature: data['useTopP'] === true ? undefined : numberAt(data, 'temperature'),
    top_p: data['useTopP'] === true ? numberAt(data, 'top_p') : undefined,
    maxTokens: maxTokens !== undefined && maxTokens >= 1 ? maxTokens : undefined,
  });
  const input = {
    ...(system === undefined ? {} : { system }),
    ...(isMessages ? { messages: value } : { prompt: value }),
  };
  return { type: 'prompt', input, config, lost };
}

const chat = rivetNode({ convert: convertChat, ports: { response: ['text'] } });

/** Mappings by type. */
export const rivetChats: Readonly<Record<string, TypeMapping>> = {
  prompt,
  assemblePrompt,
  assembleMessage,
  chat,
  chatAnthropic: chat,
  chatGoogle: chat,
};
