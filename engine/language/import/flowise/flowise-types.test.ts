/** Tests what nodes of Flowise agentflows become. */
import { expect, test } from 'vitest';
import { parseFlow } from '../../flow/parse-flow.ts';
import { importFlows } from '../import-flows.ts';

async function imported(inputs: Readonly<Record<string, object>>) {
  const nodes = Object.entries(inputs).map(([id, settings]) => ({
    id,
    data: { id, label: id, name: id.replace(/_\d+$/, ''), inputs: settings },
  }));
  const ids = Object.keys(inputs);
  const edges = ids.slice(1).map((target, place) => ({ source: ids[place], target }));
  const [flow] = await importFlows({ text: JSON.stringify({ nodes, edges }), name: 'test' }, async () => []);
  return { nodes: parseFlow(flow?.text ?? '').doc?.nodes, lines: flow?.lines };
}

test('a tool keeps its name and arguments, and is named as missing', async () => {
  const { nodes, lines } = await imported({
    startAgentflow_0: {},
    llmAgentflow_0: {},
    toolAgentflow_0: {
      toolAgentflowSelectedTool: 'gmail',
      toolInputArgs: [
        { inputArgName: 'to', inputArgValue: '<p>a@shop.example</p>' },
        { inputArgName: 'body', inputArgValue: '<p>{{ llmAgentflow_0 }}</p>' },
      ],
    },
    directReplyAgentflow_0: { directReplyMessage: '<p>Sent: {{ toolAgentflow_0 }}</p>' },
    toolAgentflow_1: {},
  });
  expect(nodes?.slice(1)).toMatchObject([
    {
      type: 'tool',
      input: { to: 'a@shop.example', body: '{{llmagentflow_0.text}}' },
      config: { tool: 'gmail' },
    },
    { type: 'echo', input: { text: 'Sent: {{toolagentflow_0}}' } },
    { type: 'control.noop', disabled: true },
  ]);
  expect(lines?.find(({ name }) => name === 'toolAgentflow_0')?.lost).toEqual([
    'Not imported: the tool gmail and its settings. Add a tool with this name, or choose another one.',
  ]);
});

test('a loop names the node to which it returns, which is not an edge', async () => {
  const { lines } = await imported({
    llmAgentflow_0: {},
    llmAgentflow_01: {},
    loopAgentflow_0: { loopBackToNode: 'llmAgentflow_01-Ask', maxLoopCount: 5 },
    loopAgentflow_1: { loopBackToNode: 'gone-Ask' },
    executeFlowAgentflow_0: {},
  });
  expect(lines?.slice(2).flatMap(({ lost }) => lost)).toEqual([
    'It returns to llmAgentflow_01, up to 5 times. Put the nodes that repeat into a control.loop.',
    'It returns to an earlier node. Put the nodes that repeat into a control.loop.',
    'The agentflow that it calls is not in the file. Import it too, and call it with a flow node.',
  ]);
});
