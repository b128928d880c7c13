/** Tests budgets of flows: a run that has used its budget is paused until a person raises it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';

/** Uses a model: 4 cents and 100 tokens, and as many seconds as its input says. */
const paid = testNode('paid', async ({ nodeId, input, hub, clock }) => {
  ran.push(nodeId);
  const usage = { promptTokens: 80, completionTokens: 20 };
  hub.emit({ type: 'model:response', usage, costUsd: 0.04, durationMs: 1, finishReason: 'stop' });
  const { seconds = 0 } = input;
  if (Number(seconds) > 0) await new Promise<void>((done) => void clock.setTimer(done, Number(seconds) * 1000));
  return { from: nodeId };
});
const free = { ...testNode('free', async ({ nodeId }) => ({ count: ran.push(nodeId) })), capabilities: [] };
const registry = createNodeRegistry([...builtinNodes, paid, free]);

let ran: string[];
let world: TestExecutor;
beforeEach(async () => {
  ran = [];
  world = await createTestExecutor({ registry });
});
afterEach(() => world.close());

const chain = (budget: string, seconds = 0) => `flow: { name: f, policy: { budget: ${budget} } }
nodes:
  - { id: a, type: paid, input: { seconds: ${seconds} } }
  - { id: b, type: paid, input: { seconds: ${seconds} } }
  - { id: c, type: free, input: {} }
  - { id: d, type: paid, input: { seconds: ${seconds} } }
  - { id: e, type: paid, input: {} }
edges: [{ from: a, to: b }, { from: b, to: c }, { from: c, to: d }, { from: d, to: e }]
`;

async function start(text: string, inputs: JsonMap = {}) {
  const { runId, ended } = await world.run(text, inputs);
  return { runId, end: await ended };
}

async function raise(runId: RunId, raised: object) {
  const { ended } = await world.executor.resumeRun({ runId, action: 'raise', raised, by: 'Kim' });
  return await ended;
}

const eventsOf = (runId: RunId) => world.store.readEvents(runId, -1, 1000).map(({ event }) => event);
const stateOf = (runId: RunId) => foldRun(emptyRunState, world.store.readEvents(runId, -1, 1000));

describe('13.14 a budget of a flow', () => {
  test('pauses the run before the next node that uses a model, after what is free', async () => {
    const { runId, end } = await start(chain('{ usd: 0.08 }'));
    expect([end.status, ran]).toEqual(['suspended', ['a', 'b', 'c']]);
    expect(eventsOf(runId).at(-1)).toEqual({ type: 'run:suspended', reason: 'budget', nodeId: 'd' });
    expect(world.store.getRun(runId)?.waitStatus).toBe('PAUSED');
    expect(stateOf(runId)).toMatchObject({ pause: { nextNode: 'd', reason: 'budget' }, budget: { usd: 0.08 } });
  });

  test('does not pause a run that stays below it, or that has nothing more to pay', async () => {
    expect((await start(chain('{ usd: 0.17, tokens: 401 }'))).end.status).toBe('completed');
    const two = chain('{ usd: 0.08 }')
      .replaceAll(/ {2}- \{ id: [de].*\n/g, '')
      .replace(', { from: c, to: d }, { from: d, to: e }', '');
    expect((await start(two)).end.status).toBe('completed');
  });

  test('continues after it was raised, counts what was used before, and says who raised it', async () => {
    const { runId } = await start(chain('{ tokens: 200 }'));
    expect((await raise(runId, { tokens: 300 })).status).toBe('suspended');
    expect(ran).toEqual(['a', 'b', 'c', 'd']);
    expect(stateOf(runId).budget).toEqual({ tokens: 300 });
    expect((await raise(runId, { tokens: 301 })).status).toBe('completed');
    expect(ran).toEqual(['a', 'b', 'c', 'd', 'e']);
    const resumed = eventsOf(runId).filter(({ type }) => type === 'run:resumed');
    expect(resumed[0]).toEqual({ type: 'run:resumed', action: 'raise', raised: { tokens: 300 }, by: 'Kim' });
  });

  test('continuing or taking a step without raising it pauses the run again at once', async () => {
    const { runId } = await start(chain('{ usd: 0.08 }'));
    for (const action of ['continue', 'step'] as const) {
      const { ended } = await world.executor.resumeRun({ runId, action });
      expect((await ended).status).toBe('suspended');
    }
    expect(ran).toEqual(['a', 'b', 'c']);
    expect(eventsOf(runId).at(-1)).toEqual({ type: 'run:suspended', reason: 'budget', nodeId: 'd' });
  });

  test('limits active seconds, and lets a node that runs finish', async () => {
    const { runId, ended } = await world.run(chain('{ seconds: 10 }', 6));
    await world.clock.advance(12_000);
    expect((await ended).status).toBe('suspended');
    // Also nodes that use no model take time.
    expect([ran, eventsOf(runId).at(-1)]).toEqual([
      ['a', 'b'],
      { type: 'run:suspended', reason: 'budget', nodeId: 'c' },
    ]);
    // The time in which it was suspended does not count.
    await world.clock.advance(3_600_000);
    const raised = await world.executor.resumeRun({ runId, action: 'raise', raised: { seconds: 13 } });
    await world.clock.advance(6_000);
    expect((await raised.ended).status).toBe('suspended');
    expect(ran).toEqual(['a', 'b', 'c', 'd']);
  });

  test('counts child runs toward the run that called them, and does not let them extend its budget', async () => {
    const inner = chain('{ usd: 9 }');
    world.texts.set('inner.flow.yaml', inner);
    const text = `flow: { name: f, policy: { budget: { usd: 0.08 } } }
nodes: [{ id: call, type: flow, input: { flow: inner.flow.yaml, input: {} } }]
edges: []
`;
    const { runId, end } = await start(text);
    expect([end.status, ran]).toEqual(['suspended', ['a', 'b', 'c']]);
    expect(eventsOf(runId).at(-1)).toEqual({ type: 'run:suspended', reason: 'budget', nodeId: 'call/d' });
    expect((await raise(runId, { usd: 1 })).status).toBe('completed');
    expect(ran).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('does not count results that a rerun reuses', async () => {
    const { runId } = await start(chain('{ usd: 0.08 }'));
    await raise(runId, { usd: 1 });
    world.texts.set('a.flow.yaml', chain('{ usd: 0.08 }'));
    ran = [];
    const { ended } = await world.executor.rerunFrom({ runId, nodeId: 'd' });
    expect([(await ended).status, ran]).toEqual(['completed', ['d', 'e']]);
  });

  test('pauses a loop, and continues it with the same items', async () => {
    const text = `flow: { name: f, policy: { budget: { tokens: 300 } } }
nodes:
  - { id: each, type: control.foreach, input: { items: [1, 2, 3, 4, 5], body: [one], maxParallel: 2 } }
  - { id: one, type: paid, input: {} }
edges: []
`;
    const { runId, end } = await start(text);
    expect(end.status).toBe('suspended');
    const before = ran.length;
    expect(before).toBeGreaterThanOrEqual(3);
    expect(before).toBeLessThan(5);
    expect((await raise(runId, { tokens: 9000 })).status).toBe('completed');
    const items = eventsOf(runId).flatMap((event) => (event.type === 'task:complete' ? event.nodeId : []));
    expect(items.filter((name) => name?.startsWith('each[')).sort()).toEqual(
      [0, 1, 2, 3, 4].map((n) => `each[${n}].one`),
    );
    expect(ran).toHaveLength(5);
  });
});

describe('13.14 raising a budget', () => {
  test('requires a higher limit of a part that the budget has', async () => {
    const { runId } = await start(chain('{ usd: 0.08 }'));
    const message = `The budget of run ${runId} is $0.08. Raise one of these limits to a higher value.`;
    for (const raised of [{ usd: 0.08 }, { usd: 0.01 }, { tokens: 5 }, {}])
      await expect(raise(runId, raised)).rejects.toMatchObject({ code: 'budget.not-raised', message });
  });

  test('cannot exceed the limit of a policy', async () => {
    await world.close();
    const policy = { limits: { max_cost_usd_per_run: { value: 0.5, line: 3 } } };
    world = await createTestExecutor({ registry, policies: () => [{ name: 'millrace.policy.yaml', policy }] as never });
    const { runId } = await start(chain('{ usd: 0.08 }'));
    await expect(raise(runId, { usd: 0.51 })).rejects.toMatchObject({
      code: 'budget.above-policy',
      message: expect.stringMatching(
        /^A policy limits each run to \$0\.50 \(.*:3\), so its budget cannot be raised to \$0\.51\. Raise it to at most \$0\.50\.$/,
      ),
    });
    expect([ran, stateOf(runId).budget]).toEqual([['a', 'b', 'c'], { usd: 0.08 }]);
    expect((await raise(runId, { usd: 0.5 })).status).toBe('completed');
  });

  test('waits until the nodes that run have finished, and then continues', async () => {
    const text = `flow: { name: f, policy: { maxParallel: 2, budget: { tokens: 150 } } }
nodes:
  - { id: slow, type: paid, input: { seconds: 60 } }
  - { id: a, type: paid, input: {} }
  - { id: b, type: paid, input: {} }
edges: [{ from: a, to: b }]
`;
    const { runId } = await world.run(text);
    await vi.waitFor(() => expect(stateOf(runId).held).toMatchObject([{ name: 'b', reason: 'budget' }]));
    const { ended } = await world.executor.resumeRun({ runId, action: 'raise', raised: { tokens: 500 } });
    expect(ran).toEqual(['slow', 'a']);
    await world.clock.advance(60_000);
    expect([(await ended).status, ran]).toEqual(['completed', ['slow', 'a', 'b']]);
  });
});

describe('13.5 and 13.14 a budget and a breakpoint in one run', () => {
  async function stopAt(node: string, budget: string) {
    const breakpoints = { 'a.flow.yaml': [{ node }] };
    const { runId, ended } = await world.executor.startRun({
      ...{ path: 'a.flow.yaml', text: chain(budget), inputs: {}, breakpoints },
    });
    await ended;
    return runId;
  }
  const lastOf = (runId: RunId) => eventsOf(runId).at(-1);

  test('hold the same node one after the other, and it runs once', async () => {
    const runId = await stopAt('d', '{ usd: 0.08 }');
    expect(lastOf(runId)).toEqual({ type: 'run:suspended', reason: 'breakpoint', nodeId: 'd' });
    await (await world.executor.resumeRun({ runId, action: 'continue' })).ended;
    expect(lastOf(runId)).toEqual({ type: 'run:suspended', reason: 'budget', nodeId: 'd' });
    const held = eventsOf(runId).flatMap((event) => (event.type === 'node:held' ? [[event.nodeId, event.reason]] : []));
    expect(held).toEqual([
      ['d', 'breakpoint'],
      ['d', 'budget'],
    ]);
    expect((await raise(runId, { usd: 1 })).status).toBe('completed');
    expect(ran).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('hold different nodes: a raised run still stops at the breakpoint', async () => {
    const runId = await stopAt('e', '{ usd: 0.08 }');
    expect(lastOf(runId)).toEqual({ type: 'run:suspended', reason: 'budget', nodeId: 'd' });
    await raise(runId, { usd: 1 });
    expect(lastOf(runId)).toEqual({ type: 'run:suspended', reason: 'breakpoint', nodeId: 'e' });
    expect((await (await world.executor.resumeRun({ runId, action: 'continue' })).ended).status).toBe('completed');
  });

  test('a node that a person gives an output needs no budget', async () => {
    const runId = await stopAt('none', '{ usd: 0.08 }');
    await (await world.executor.resumeRun({ runId, action: 'skip', output: { from: 'Kim' } })).ended;
    expect(lastOf(runId)).toEqual({ type: 'run:suspended', reason: 'budget', nodeId: 'e' });
    expect(stateOf(runId).nodes.get('d')?.status).toBe('reused');
    expect(ran).toEqual(['a', 'b', 'c']);
  });
});

describe('13.14 a budget', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'millrace-budget-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('survives a restart: a later process counts what earlier ones have used, and knows how far it was raised', async () => {
    const file = path.join(folder, 'runs.db');
    const open = () => createTestExecutor({ registry, openStore: (context) => openRunStore({ file, ...context }) });
    await world.close();
    world = await open();
    const { runId } = await start(chain('{ usd: 0.08 }'));
    await raise(runId, { usd: 0.1 });
    expect(ran).toEqual(['a', 'b', 'c', 'd']);
    await world.close();
    world = await open();
    const { ended } = await world.executor.resumeRun({ runId, action: 'continue' });
    expect([(await ended).status, stateOf(runId).budget]).toEqual(['suspended', { usd: 0.1 }]);
    expect((await (await world.executor.resumeRun({ runId })).ended).status).toBe('suspended');
    await expect(raise(runId, { usd: 0.1 })).rejects.toMatchObject({ code: 'budget.not-raised' });
    expect((await raise(runId, { usd: 0.2 })).status).toBe('completed');
    expect(ran).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('stays raised if the process is killed after the answer and before the run continues', async () => {
    const file = path.join(folder, 'runs.db');
    const open = () => createTestExecutor({ registry, openStore: (context) => openRunStore({ file, ...context }) });
    await world.close();
    world = await open();
    const { runId } = await start(chain('{ usd: 0.08 }'));
    // What is on disk at that time.
    world.store.requests.raise(runId, { raised: { usd: 0.5 }, by: 'Kim' });
    world.store.requests.remove(runId, 'pause');
    await world.close();
    world = await open();
    expect((await (await world.executor.resumeRun({ runId })).ended).status).toBe('completed');
    const resumed = eventsOf(runId).filter(({ type }) => type === 'run:resumed');
    expect(resumed).toEqual([{ type: 'run:resumed', action: 'raise', raised: { usd: 0.5 }, by: 'Kim' }]);
    expect(ran).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('in dollars is refused before the start if the price of a model is not known', async () => {
    await world.close();
    world = await createTestExecutor({ registry, isPriced: async (model) => model !== 'local::small' });
    const text = (budget: string, model: string) => `flow: { name: f, policy: { budget: ${budget} } }
nodes:
  - { id: each, type: control.foreach, input: { items: [1], body: [ask] } }
  - { id: ask, type: prompt, config: { model: "${model}" }, input: { prompt: hi } }
edges: []
`;
    await expect(world.run(text('{ usd: 1 }', 'local::small'))).rejects.toMatchObject({
      code: 'budget.unpriced',
      message:
        'The price of "local::small" is not known (node "ask"), so flow.policy.budget.usd cannot be enforced. Use a model with a known price, or limit tokens instead.',
    });
    expect(world.store.listRuns({ limit: 5 })).toEqual([]);
    for (const [budget, model] of [
      ['{ usd: 1 }', 'p::known'],
      ['{ tokens: 5000 }', 'local::small'],
    ] as const)
      expect((await (await world.run(text(budget, model))).ended).status).toBe('completed');
  });
});
