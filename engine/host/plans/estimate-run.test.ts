/** Tests estimates of time, tokens and cost from earlier runs. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sleep } from '../../base/clock.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';
import { testRounds } from '../../testing/test-rounds.ts';

/** Takes the `ms` of its input, and costs a tenth of a cent and 10 tokens per started second. */
const work = testNode(
  'work',
  async ({ input, hub, clock, signal }) => {
    const ms = Number(input['ms']);
    await sleep(clock, ms, signal);
    const seconds = Math.ceil(ms / 1000);
    const cost = input['price'] === false ? {} : { costUsd: seconds / 1000 };
    const usage = { promptTokens: seconds * 8, completionTokens: seconds * 2 };
    hub.emit({ type: 'model:response', usage, ...cost, durationMs: ms, finishReason: 'stop' });
    return { ms };
  },
  'external',
);

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, work]) });
});
afterEach(() => world.close());

const path = 'a.flow.yaml';

async function run(text: string, inputs: JsonMap = {}, at = path) {
  const { runId, ended } = await world.executor.startRun({ path: at, text, inputs });
  let end: Awaited<typeof ended> | undefined;
  void ended.then((known) => {
    end = known;
  });
  for (let turn = 0; end === undefined && turn < 500; turn++) await world.clock.advance(60_000);
  if (end === undefined) throw new Error('The run has not ended.');
  return { ...end, runId };
}

async function estimateOf(text: string, inputs: JsonMap = {}) {
  const found = await world.executor.plans.estimate({ path, text, inputs });
  if (found === undefined) throw new Error('There is no estimate.');
  return found;
}

const exactly = (value: number) => ({ low: value, high: value });

const diamond = `flow: { name: f, policy: { maxParallel: 2 }, input: { b: 1000, c: 1000 } }
nodes:
  - { id: a, type: work, input: { ms: 1000 } }
  - { id: b, type: work, input: { ms: "{{flow.input.b}}" } }
  - { id: c, type: work, input: { ms: "{{flow.input.c}}" } }
  - { id: d, type: work, input: { ms: 2000 } }
edges: [{ from: a, to: b }, { from: a, to: c }, { from: b, to: d }, { from: c, to: d }]
`;

describe('an estimate of a flow', () => {
  test('adds up costs, but of parallel branches only the longer one takes time', async () => {
    await run(diamond, { b: 3000, c: 5000 });
    const estimate = await estimateOf(diamond);
    expect(estimate).toMatchObject({ runCount: 1, ms: exactly(8000), tokens: exactly(110) });
    expect(estimate.usd.high).toBeCloseTo(0.011);
    expect(estimate.noHistory).toEqual([]);
  });

  test('covers the 10th to the 90th percentile of the earlier runs, and names what varies most', async () => {
    for (let n = 1; n <= 10; n++) await run(diamond, { b: n * 10_000, c: n });
    const estimate = await estimateOf(diamond);
    expect(estimate.ms).toEqual({ low: 13_000, high: 93_000 });
    expect(estimate.mostUncertain).toBe('b');
    expect(estimate.nodes.find(({ nodeId }) => nodeId === 'b')).toMatchObject({
      basis: 'same',
      ms: { low: 10_000, high: 90_000 },
    });
  });

  test('without parallelism, branches take time one after the other', async () => {
    const text = diamond.replace('maxParallel: 2', 'maxParallel: 1');
    await run(text, { b: 3000, c: 5000 });
    expect((await estimateOf(text)).ms).toEqual(exactly(11_000));
  });

  test('uses the 20 latest runs only', async () => {
    await run(diamond, { b: 1_000_000 });
    for (let n = 0; n < 20; n++) await run(diamond, { b: 4000 });
    expect(await estimateOf(diamond)).toMatchObject({ runCount: 20, ms: exactly(7000) });
  });

  test('keeps the branches of one run together', async () => {
    const text = `flow: { name: f, input: { way: fast } }
nodes:
  - { id: pick, type: control.if, input: { condition: { equals: { var: flow.input.way, value: fast } } } }
  - { id: fast, type: work, input: { ms: 1000 } }
  - { id: slow, type: work, input: { ms: 9000 } }
edges:
  - { from: pick, to: fast, when: { equals: { var: pick.condition, value: true } } }
  - { from: pick, to: slow, when: { equals: { var: pick.condition, value: false } } }
`;
    await run(text, { way: 'fast' });
    await run(text, { way: 'slow' });
    // Independent branches would also result in 0 and 10 seconds.
    expect((await estimateOf(text)).ms).toEqual({ low: 1000, high: 9000 });
  });

  test('a changed node counts as before, as long as its type and its model are the same', async () => {
    await run(diamond, { b: 3000, c: 5000 });
    const changed = diamond.replace('input: { ms: 2000 }', 'input: { ms: 2000, more: true }');
    const estimate = await estimateOf(changed);
    expect(estimate.ms).toEqual(exactly(8000));
    expect(estimate.nodes.map(({ basis }) => basis)).toEqual(['same', 'same', 'same', 'similar']);
    const ofOtherModel = diamond.replace('input: { ms: 2000 }', 'config: { model: other }, input: { ms: 2000 }');
    expect(await estimateOf(ofOtherModel)).toMatchObject({ ms: exactly(6000), noHistory: ['d'] });
  });

  test('a new node counts like nodes of its type and model, also of other flows, and otherwise as nothing', async () => {
    const one =
      'flow: { name: o }\nnodes: [{ id: x, type: work, config: { model: m }, input: { ms: 7000 } }]\nedges: []\n';
    await run(one, {}, 'other.flow.yaml');
    const text = `flow: { name: f }
nodes:
  - { id: alike, type: work, config: { model: m }, input: { ms: 1 } }
  - { id: unknown, type: work, config: { model: n }, input: { ms: 1 } }
  - { id: text, type: echo, input: { text: hello } }
edges: []
`;
    const estimate = await estimateOf(text);
    expect(estimate).toMatchObject({ runCount: 0, ms: exactly(7000), tokens: exactly(70), noHistory: ['unknown'] });
    expect(estimate.nodes.map(({ nodeId, basis }) => [nodeId, basis])).toEqual([
      ['alike', 'similar'],
      ['unknown', 'none'],
    ]);
  });

  test('without any run, all nodes that work have no history', async () => {
    const estimate = await estimateOf(diamond);
    expect(estimate).toMatchObject({ runCount: 0, ms: exactly(0), noHistory: ['a', 'b', 'c', 'd'] });
    expect(estimate.mostUncertain).toBeUndefined();
  });

  test('names nodes whose model has no price', async () => {
    const text = 'flow: { name: f }\nnodes: [{ id: x, type: work, input: { ms: 3000, price: false } }]\nedges: []\n';
    await run(text);
    expect(await estimateOf(text)).toMatchObject({ usd: exactly(0), tokens: exactly(30), unpriced: ['x'] });
  });
});

const loop = `flow: { name: f, input: { items: [1], ms: 1000 } }
nodes:
  - { id: each, type: control.foreach, input: { items: "{{flow.input.items}}", body: [one], maxParallel: 2 } }
  - { id: one, type: work, input: { ms: "{{item}}" } }
edges: []
`;

describe('an estimate of loops', () => {
  test('counts the items that the inputs have, with the parallelism of the loop', async () => {
    const items = Array.from({ length: 10 }, () => 1000);
    await run(loop, { items });
    expect(await estimateOf(loop, { items })).toMatchObject({ ms: exactly(5000), tokens: exactly(100) });
    const more = await estimateOf(loop, { items: Array.from({ length: 1001 }, () => 1) });
    expect(more.nodes).toMatchObject([{ nodeId: 'each', items: exactly(1001) }]);
    expect(more.tokens.low).toBeCloseTo(10_010);
    expect(Math.round(more.ms.high / 1000)).toBe(501);
  });

  test('counts as many items as earlier runs had if the list depends on another node', async () => {
    const text = `flow: { name: f, input: { items: [1] } }
nodes:
  - { id: list, type: list.map, input: { items: "{{flow.input.items}}" }, config: { template: "{{item}}" } }
  - { id: each, type: control.foreach, input: { items: "{{list.items}}", body: [one] } }
  - { id: one, type: work, input: { ms: "{{item}}" } }
edges: [{ from: list, to: each }]
`;
    await run(text, { items: [1000, 1000] });
    await run(text, { items: [1000, 1000, 1000, 1000] });
    expect(await estimateOf(text)).toMatchObject({
      ms: { low: 2000, high: 4000 },
      nodes: [{ nodeId: 'each', items: { low: 2, high: 4 } }],
    });
  });

  test('a few slow items count once each, also in a loop with many', async () => {
    const ms = Array.from({ length: 200 }, (_, index) => ([20, 90, 91, 150].includes(index) ? 20_000 : 100));
    const loop = `flow: { name: f, inputs: { ms: { type: array } } }
nodes:
  - { id: each, type: control.foreach, input: { items: "{{flow.input.ms}}", maxParallel: 4, body: [step] } }
  - { id: step, type: work, input: { ms: "{{item}}" } }
edges: []`;
    const { durationMs = 0 } = await run(loop, { ms });
    const { ms: range } = await estimateOf(loop, { ms });
    // The slow items take a tenth of all work, and at least one worker has one.
    expect(range.low).toBeGreaterThanOrEqual(20_000);
    expect(range.high).toBeLessThan(durationMs * 1.5);
  });

  test('of one earlier run, is that run', async () => {
    const shapes = fc.record({
      parallel: fc.integer({ min: 1, max: 3 }),
      items: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 12 }),
      times: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 3, maxLength: 3 }),
      isJoined: fc.boolean(),
    });
    const property = fc.asyncProperty(shapes, async ({ parallel, items, times, isJoined }) => {
      const nodes = times.map((time, at) => `  - { id: n${at}, type: work, input: { ms: ${time * 1000} } }\n`).join('');
      const text = `flow: { name: f, policy: { maxParallel: ${parallel} }, input: { items: [] } }
nodes:
${nodes}  - { id: each, type: control.foreach, input: { items: "{{flow.input.items}}", body: [one, two], maxParallel: ${parallel} } }
  - { id: one, type: work, input: { ms: "{{item}}" } }
  - { id: two, type: work, input: { ms: 2000 } }
edges: [{ from: n0, to: n1 }, { from: n0, to: each }${isJoined ? ', { from: each, to: n2 }' : ''}]
`;
      const given = { items: items.map((item) => item * 1000) };
      await world.close();
      world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, work]) });
      const { durationMs, costUsd = 0 } = await run(text, given);
      const estimate = await estimateOf(text, given);
      expect(estimate.ms).toEqual(exactly(durationMs as number));
      expect(estimate.usd.low).toBeCloseTo(costUsd, 9);
    });
    await fc.assert(property, { numRuns: testRounds(10) });
  });
});

describe('an estimate of reruns and of people', () => {
  test('a rerun counts only what runs again, and what may run in the upper end only', async () => {
    const text = diamond.replace('ms: 2000', 'ms: 2000, seen: "{{b.ms}}"');
    const { runId } = await run(text, { b: 3000, c: 5000 });
    const from = async (request: object) => await world.executor.plans.estimate({ runId, text, ...request });
    expect(await from({ nodeId: 'd' })).toMatchObject({
      ms: exactly(2000),
      tokens: exactly(20),
      nodes: [{ nodeId: 'd' }],
    });
    expect(await from({})).toMatchObject({ ms: exactly(0), nodes: [] });
    const changed = text.replace('ms: "{{flow.input.b}}"', 'ms: "{{flow.input.b}}", more: true');
    expect(await from({ text: changed })).toMatchObject({ ms: { low: 3000, high: 5000 } });
  });

  test('time that a person took is not time of work', async () => {
    const text = `flow: { name: f }
nodes:
  - { id: before, type: work, input: { ms: 2000 } }
  - { id: ask, type: human_approval, input: { title: "Go on?" } }
  - { id: after, type: work, input: { ms: 3000 } }
edges: [{ from: before, to: ask }, { from: ask, to: after }]
`;
    const fresh = await estimateOf(text);
    expect(fresh.waits).toEqual({ nodeIds: ['ask'], ms: exactly(0) });
    expect(fresh.noHistory).toEqual(['before', 'after']);
    const { runId, status } = await run(text);
    expect(status).toBe('suspended');
    await world.clock.advance(3_600_000 - 58_000);
    const { ended } = await world.executor.resumeRun({ runId, decision: 'approve', nodeId: 'ask' });
    await world.clock.advance(60_000);
    await ended;
    const { ms, waits } = await estimateOf(text);
    expect(ms).toEqual(exactly(5000));
    expect(waits).toEqual({ nodeIds: ['ask'], ms: exactly(3_600_000) });
  });
});
