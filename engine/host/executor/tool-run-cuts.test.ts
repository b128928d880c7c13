/** Tests crashes while a tool runs a flow: the flow's run is resumed, and completed effects are not repeated. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { cutBehind, cutRun } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { openScopes } from '../../testing/open-scopes.ts';
import { calls, says } from '../../testing/tool-prompts.ts';
import { type ManifestWorld, runManifest } from '../../world/tools/manifest-runs.ts';
import { testTool } from '../../world/tools/test-tools.ts';

let world: TestExecutor;
/** Outside effects, in order. */
let acted: JsonMap[];
beforeEach(async () => {
  acted = [];
  const external = { effects: 'external', inputSchema: { type: 'object' } } as const;
  const place = { name: 'inner', path: 'inner.tool.yaml', folder: '/', secrets: undefined, wantsJson: false };
  world = await createTestExecutor({
    reply: ({ messages }) => (messages.length === 1 ? calls(['inner', { n: 1 }], ['inner', { n: 2 }]) : says('Done')),
    tools: [
      testTool(
        async (params) => {
          acted.push(params);
          return 'acted';
        },
        { ...external, name: 'act' },
      ),
      testTool(
        async (params, context) =>
          await runManifest(
            { flow: 'inner.flow.yaml' },
            // Flows do not need it.
            {
              params,
              context,
              place: { ...place, codePlace: { line: 1, isExact: false } },
              world: {} as ManifestWorld,
            },
          ),
        { ...external, name: 'inner' },
      ),
    ],
  });
  world.texts.set('inner.flow.yaml', inner);
});
afterEach(() => world.close());

const inner = `
flow: { name: Inner, outputs: { said: "{{b.text}}" } }
nodes:
  - { id: a, type: tool, input: { n: "{{flow.input.n}}" }, config: { tool: act } }
  - { id: b, type: echo, input: { text: "{{a}} {{flow.input.n}}" } }
edges: [{ from: a, to: b }]
`;
const byNode = `
flow: { name: Outer }
nodes: [{ id: t, type: tool, input: { n: 1 }, config: { tool: inner } }]
edges: []
`;
const byModel = `
flow: { name: Outer }
nodes: [{ id: t, type: prompt, input: { prompt: Go }, config: { tools: [inner] } }]
edges: []
`;

const isDone = (nodeId: string) => (event: RunEvent) =>
  event.type === 'task:complete' && event.taskId === `node:${nodeId}`;
const isInnerEnd = (event: RunEvent) => event.type === 'run:end';

test.each([
  ['after the node that acts', isDone('a')],
  ['after all of its nodes', isDone('b')],
  ['after its end', isInnerEnd],
])(
  '12.1 a flow run by a tool node and interrupted %s resumes in the same run without a request',
  async (_where, after) => {
    const runId = await cutRun(world, { text: byNode, after });
    acted.length = 0;
    await (await world.executor.resumeRun({ runId })).ended;
    expect(world.store.getRun(runId)).toMatchObject({ status: 'completed' });
    expect(acted).toEqual([]);
    const log = world.store.readEvents(runId, -1, 1000);
    expect(log.filter(({ event }) => event.type === 'run:start')).toHaveLength(2);
    expect(log.filter(({ event }) => event.type === 'tool:attempt')).toHaveLength(2);
    expect(openScopes(log)).toEqual([]);
  },
);

test('12.1 wherever a model with flows as tools was interrupted, nothing acts twice without approval', async () => {
  const { runId, ended } = await world.run(byModel);
  await ended;
  const log = world.store.readEvents(runId, -1, 1000);
  expect(acted).toEqual([{ n: 1 }, { n: 2 }]);
  for (let length = 1; length < log.length; length++) {
    const begun = log.slice(0, length);
    const count = (type: RunEvent['type'], tool?: string): number =>
      begun.filter(({ event }) => event.type === type && (!('tool' in event) || event.tool === tool)).length;
    const given = count('tool:result', 'act');
    const wasActing = count('tool:attempt', 'act') > given;
    // If the run of a tool has not started, its effect is unknown. The first run is the top-level one.
    const wasBeginning = count('tool:attempt', 'inner') > count('run:start') - 1;
    acted.length = 0;
    const cut = cutBehind(world, begun);
    await (await world.executor.resumeRun({ runId: cut })).ended;
    const asks = world.store.getRun(cut)?.status === 'suspended';
    // Only the call in progress requires a decision.
    expect([length, asks]).toEqual([length, wasActing || wasBeginning]);
    if (asks) await (await world.executor.resumeRun({ runId: cut, decision: 'approve' })).ended;
    expect([length, world.store.getRun(cut)?.status]).toEqual([length, 'completed']);
    expect(acted).toEqual([{ n: 1 }, { n: 2 }].slice(given));
    expect(openScopes(world.store.readEvents(cut, -1, 1000))).toEqual([]);
  }
});

const agentOfModel = '# Options\n```toml\nmodel = "m"\ntools = ["inner"]\n```\n# User\nGo\n';
const byAgent = `
flow: { name: Outer }
nodes: [{ id: t, type: agent, input: { agent: a.aip, inputs: [x] } }]
edges: []
`;

test.each([
  ['started alone', () => world.executor.startAgent({ agent: 'a.aip', inputs: ['x'] })],
  ['called by a node', () => world.run(byAgent)],
])(
  '12.1 wherever an agent %s was interrupted, its model causes no flow to act twice without approval',
  async (_, begin) => {
    world.texts.set('a.aip', agentOfModel);
    const started = await begin();
    if (!('ended' in started)) throw new Error('It was not started.');
    await started.ended;
    const log = world.store.readEvents(started.runId, -1, 1000);
    expect(world.store.getRun(started.runId)).toMatchObject({ status: 'completed' });
    expect(acted).toEqual([{ n: 1 }, { n: 2 }]);
    for (let length = 1; length < log.length; length++) {
      const begun = log.slice(0, length);
      const given = begun.filter(({ event }) => event.type === 'tool:result' && event.tool === 'act').length;
      acted.length = 0;
      const cut = cutBehind(world, begun);
      await (await world.executor.resumeRun({ runId: cut })).ended;
      // An interrupted input requests a decision before it continues; nothing acts before that.
      if (world.store.getRun(cut)?.status === 'suspended') expect([length, acted]).toEqual([length, []]);
      for (let answers = 0; answers < 3 && world.store.getRun(cut)?.status === 'suspended'; answers++)
        await (await world.executor.resumeRun({ runId: cut, decision: 'approve' })).ended;
      expect([length, world.store.getRun(cut)?.status]).toEqual([length, 'completed']);
      expect([length, acted]).toEqual([length, [{ n: 1 }, { n: 2 }].slice(given)]);
      expect(openScopes(world.store.readEvents(cut, -1, 1000))).toEqual([]);
    }
  },
);
