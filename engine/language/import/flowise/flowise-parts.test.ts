/** Tests imports of chatflows and sequential agentflows, in which models and templates are separate nodes. */
import { expect, test } from 'vitest';
import { builtinTypes } from '../../../runtime/nodes/builtin-types.ts';
import { createNodeRegistry } from '../../../runtime/nodes/node-registry.ts';
import { checkFlow } from '../../flow/check-flow.ts';
import { parseFlow } from '../../flow/parse-flow.ts';
import { importFlows } from '../import-flows.ts';

const registry = createNodeRegistry(builtinTypes);

/** Imports nodes and connections such as `model_0 -> chain_0.model:BaseChatModel`. */
async function imported(inputs: Readonly<Record<string, object>>, connections: readonly string[]) {
  const nodes = Object.entries(inputs).map(([id, settings]) => ({
    id,
    data: { id, label: id, name: id.replace(/_\d+$/, ''), inputs: settings },
  }));
  const edges = connections.map((written) => {
    const [, source = '', target = '', input = '', type = ''] = /^(\w+) -> (\w+)\.(\w+):(.+)$/.exec(written) ?? [];
    const sourceHandle = `${source}-output-${source.replace(/_\d+$/, '')}-Some|Base Class`;
    return { source, sourceHandle, target, targetHandle: `${target}-input-${input}-${type}` };
  });
  const source = { text: JSON.stringify({ nodes, edges }), name: 'test' };
  const [flow] = await importFlows(source, async (text) => checkFlow(text, registry).diagnostics);
  const { text = '', lines = [] } = flow ?? {};
  expect(checkFlow(text, registry).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const doc = parseFlow(text).doc;
  return { doc, lines, text, lostOf: (name: string) => lines.find((line) => line.name === name)?.lost };
}

test('chains with models and templates become prompts that run one after the other', async () => {
  const { doc, lines, text, lostOf } = await imported(
    {
      chatOpenAI_0: { modelName: 'gpt-4o-mini', temperature: '0.2' },
      promptTemplate_0: { template: 'Write {{"a": 1}} about {topic}' },
      llmChain_0: {},
      chatPromptTemplate_0: {
        systemMessagePrompt: 'Translate to {language}',
        humanMessagePrompt: '{text}',
        promptValues: '{"language":"French","text":"{{llmChain_0.data.instance}}"}',
      },
      azureChatOpenAI_0: {},
      csvOutputParser_0: {},
      llmChain_1: {},
      calculator_0: {},
      bufferMemory_0: {},
      conversationalAgent_0: { systemMessage: 'Be kind' },
      llmChain_2: {},
    },
    [
      'chatOpenAI_0 -> llmChain_0.model:BaseLanguageModel',
      'promptTemplate_0 -> llmChain_0.prompt:BasePromptTemplate',
      'llmChain_0 -> chatPromptTemplate_0.promptValues:json',
      'azureChatOpenAI_0 -> llmChain_1.model:BaseLanguageModel',
      'chatPromptTemplate_0 -> llmChain_1.prompt:BasePromptTemplate',
      'csvOutputParser_0 -> llmChain_1.outputParser:BaseLLMOutputParser',
      'calculator_0 -> conversationalAgent_0.tools:Tool',
      'chatOpenAI_0 -> conversationalAgent_0.model:BaseChatModel',
      'bufferMemory_0 -> conversationalAgent_0.memory:BaseChatMemory',
    ],
  );
  expect(doc?.nodes.filter(({ type }) => type === 'prompt')).toMatchObject([
    {
      id: 'llmchain_0',
      input: { prompt: 'Write {"a": 1} about {{flow.input.question}}' },
      config: { model: 'openai::gpt-4o-mini', temperature: 0.2 },
    },
    { id: 'llmchain_1', input: { system: 'Translate to French', prompt: '{{llmchain_0.text}}' } },
    { id: 'conversationalagent_0', input: { system: 'Be kind', prompt: '{{flow.input.question}}' } },
  ]);
  expect(doc?.edges).toEqual([{ from: 'llmchain_0', to: 'llmchain_1' }]);
  expect(lines.filter(({ status }) => status === 'placeholder').map(({ name }) => name)).toEqual([
    'csvOutputParser_0',
    'calculator_0',
    'llmChain_2',
  ]);
  expect(lines.find(({ name }) => name === 'promptTemplate_0')?.became).toBe('part of llmChain_0');
  expect(text).toContain('Write {{"a": 1}} about {topic}');
  expect(lostOf('llmChain_1')).toEqual([
    'Its model azureChatOpenAI_0 was not imported. The default model is used.',
    'Its output parser was not imported. Add an output schema.',
  ]);
  expect(lostOf('conversationalAgent_0')).toEqual([
    'Not imported: the tools calculator_0. Add tools to the prompt.',
    'Not imported: the memory of the chat. Use messages or a conversation.',
  ]);
});

test('sequential nodes use the model of the start, and a model of another node is named there', async () => {
  const values = '{"first":"$flow.output.content","fixed":"blue"}';
  const { doc, lostOf } = await imported(
    {
      seqStart_0: {},
      chatAnthropic_0: { modelName: 'claude-sonnet-4-0' },
      seqState_0: {},
      seqAgent_0: { systemMessagePrompt: 'Plan' },
      seqLLMNode_0: { humanMessagePrompt: '{first} {fixed} {question}', promptValues: values },
      seqEnd_0: {},
      supervisor_0: {},
    },
    [
      'chatAnthropic_0 -> seqStart_0.model:BaseChatModel',
      'chatAnthropic_0 -> supervisor_0.model:BaseChatModel',
      'seqState_0 -> seqStart_0.state:State',
      'seqStart_0 -> seqAgent_0.sequentialNode:Start | Agent',
      'seqAgent_0 -> seqLLMNode_0.sequentialNode:Start | Agent',
      'seqLLMNode_0 -> seqEnd_0.sequentialNode:Start | Agent',
    ],
  );
  expect(doc?.flow.inputs).toHaveProperty('question');
  expect(doc?.nodes.filter(({ type }) => type === 'prompt')).toMatchObject([
    { input: { system: 'Plan', prompt: '{{flow.input.question}}' }, config: { model: 'anthropic::claude-sonnet-4-0' } },
    { input: { prompt: '{first} blue {{flow.input.question}}' }, config: { model: 'anthropic::claude-sonnet-4-0' } },
  ]);
  expect(doc?.edges).toEqual([{ from: 'seqagent_0', to: 'seqllmnode_0' }]);
  expect(lostOf('seqLLMNode_0')).toContain('The variable {first} stays as text.');
  expect(lostOf('supervisor_0')?.at(-1)).toBe(
    'Its input "model-BaseChatModel" was the value "chatAnthropic" of chatAnthropic_0.',
  );
});
