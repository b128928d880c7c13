import { expect, test } from 'vitest';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import type { AgentAnswer, AgentCall, AgentCaller } from '../../kernel/capabilities/capabilities.ts';
import { agentNode } from './agent-node.ts';

interface Asked {
  readonly call: AgentCall;
  readonly caller: Pick<AgentCaller, 'depth' | 'isDry' | 'followsRedo'>;
}

/** Runs the node with agents that return this result, and records their requests. */
async function run(input: JsonMap, answer: Partial<AgentAnswer> = {}) {
  const asked: Asked[] = [];
  const { capabilities } = createFakeCapabilities({
    agents: {
      async run(call, { depth, isDry, followsRedo }) {
        asked.push({ call, caller: { depth, isDry, followsRedo } });
        return { outputs: null, afterAll: null, redoRequested: false, ...answer };
      },
    },
  });
  return { asked, ran: await runSingleNode({ type: 'agent', input }, { capabilities }) };
}

test('passes its inputs and settings to the agent and follows redo requests', async () => {
  const { asked } = await run({ agent: 'demo@proof', inputs: ['a', { b: 1 }], options: { model: 'mini' } });
  expect(asked).toEqual([
    {
      call: { agent: 'demo@proof', inputs: ['a', { b: 1 }], options: { model: 'mini' } },
      caller: { depth: 0, isDry: false, followsRedo: true },
    },
  ]);
});

test('an agent without inputs decides for itself', async () => {
  const { asked } = await run({ agent: 'a.aip' });
  expect(asked.map(({ call }) => call)).toEqual([{ agent: 'a.aip', inputs: null }]);
});

test("returns the agent's result", async () => {
  const { ran } = await run({ agent: 'a.aip' }, { outputs: [1, null], afterAll: { done: true } });
  expect(ran.output).toEqual({ outputs: [1, null], after_all: { done: true } });
});

test("reports the agent's usage and cost as far as they are known", async () => {
  const usage = { promptTokens: 3, completionTokens: 2, cachedTokens: 1 };
  const { ran } = await run({ agent: 'a.aip' }, { outputs: [1], usage, costUsd: 0.5 });
  expect(ran.output).toEqual({ outputs: [1], after_all: null, usage, costUsd: 0.5 });
  const { ran: unpriced } = await run({ agent: 'a.aip' }, { outputs: [1], usage });
  expect(unpriced.output).toEqual({ outputs: [1], after_all: null, usage });
});

test('the node is skipped if the agent skips its whole run', async () => {
  const { ran } = await run({ agent: 'a.aip' }, { skipReason: 'nothing new' });
  expect(ran.events.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: 'task:skipped', nodeId: 'node', reason: 'nothing new' }),
  );
});

test('its card names the agent', () => {
  expect(agentNode.summary?.({}, { agent: 'demo@proof' })).toEqual(['demo@proof']);
  expect(agentNode.summary?.({}, {})).toEqual(['No agent yet']);
});
