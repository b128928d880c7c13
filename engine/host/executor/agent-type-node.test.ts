/**
 * Tests nodes with an agent as their type: canceling, resuming, rerunning and spending work as for a node of type
 * agent.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { CutAgents, nthOf } from '../../testing/cut-agents.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let agents: CutAgents;
beforeEach(async () => {
  agents = await CutAgents.open();
  agents.world.texts.set('./echo.aip', echo);
});
afterEach(() => agents.world.close());

const echo = `# Options
\`\`\`toml
[node]
title = "Echo"
[node.input]
properties.word = { type = "string" }
[node.output]
type = "object"
required = ["said"]
\`\`\`

# User
{{input.word}}
${scriptSection('Output', 'return { said = ai_response.content }')}`;

const flow = `
flow: { name: Around }
nodes:
  - { id: work, type: ./echo.aip, input: { word: hi } }
  - { id: after, type: constant, input: { value: "{{work.said}}" } }
edges: [{ from: work, to: after }]`;

const typesOf = (runId: Parameters<CutAgents['logOf']>[0]): readonly RunEvent['type'][] =>
  agents.logOf(runId).map(({ event }) => event.type);

test('BB-40 interrupted before its agent started, it starts with the current version of the agent', async () => {
  const runId = await agents.cut(agents.startFlow(flow), nthOf('task:start', 1));
  expect(await agents.resume(runId)).toMatchObject({ status: 'completed' });
  expect(agents.asked).toEqual(['hi']);
});

test('BB-40 interrupted within its agent, it does not ask itself: the input asks, and paid responses are not paid for again', async () => {
  const runId = await agents.cut(agents.startFlow(flow), nthOf('model:request', 1));
  expect(await agents.resume(runId)).toMatchObject({ status: 'suspended' });
  expect(agents.asked).toEqual([]);
  expect(await agents.toItsEnd(runId)).toEqual(['input:0']);
  expect(agents.stateOf(runId)).toMatchObject({ status: 'completed', output: { after: { value: '<hi>' } } });
});

test('BB-40 interrupted after its agent ended, it uses that result, even if the file has changed or is missing', async () => {
  const runId = await agents.cut(agents.startFlow(flow), nthOf('agent:complete', 1));
  agents.world.texts.set('./echo.aip', echo.replace('"said"', '"other"'));
  agents.world.texts.delete('./echo.aip');
  expect(await agents.resume(runId)).toMatchObject({ status: 'completed' });
  expect(agents.asked).toEqual([]);
  expect(agents.stateOf(runId).output).toEqual({ after: { value: '<hi>' } });
});

test('BB-40 a rerun reuses its output, and its tokens and price count once', async () => {
  const runId = await agents.startFlow(flow);
  expect(agents.logOf(runId).at(-1)?.event).toMatchObject({ usage: { promptTokens: 1 }, costUsd: 0.5 });
  agents.asked.length = 0;
  const again = await agents.world.executor.rerunFrom({ runId, nodeId: 'after', text: flow });
  expect(await again.ended).toMatchObject({ status: 'completed' });
  expect(agents.asked).toEqual([]);
  expect(typesOf(again.runId)).toContain('node:reused');
});

test('BB-40 canceled while its agent runs, both end as cancelled', async () => {
  agents.world.texts.set('./echo.aip', echo.replace('return {', 'while true do end return {'));
  const { runId, ended } = await agents.world.run(flow);
  const stages = async (): Promise<number> => {
    await agents.world.clock.advance(100);
    return typesOf(runId).filter((type) => type === 'stage:start').length;
  };
  await expect.poll(stages, { timeout: 20_000 }).toBe(2);
  agents.world.executor.cancelRun(runId);
  for (let done = false; !done; ) {
    await agents.world.clock.advance(100);
    done = await Promise.race([ended.then(() => true), new Promise<false>((resolve) => setTimeout(resolve, 1, false))]);
  }
  expect(await ended).toMatchObject({ status: 'cancelled' });
  expect(agents.stateOf(runId).nodes.get('work')).toMatchObject({ status: 'cancelled' });
});
