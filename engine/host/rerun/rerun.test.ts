import { afterEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { cutRun } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';
import type { RerunFrom } from '../executor/start-request.ts';

/** `a` → `b` → `d`, with `c` beside them; each uses the one before. */
const flow = ({ a = 'one', b = '{{a.text}} two', extra = '' } = {}): string => `
flow: { name: four, input: { who: you } }
nodes:
  - { id: a, type: echo, input: { text: "${a}" } }
  - { id: b, type: echo, input: { text: "${b}" } }
  - { id: c, type: echo, input: { text: "for {{flow.input.who}}" } }
  - { id: d, type: echo, input: { text: "{{b.text}} four" } }${extra}
edges: [{ from: a, to: b }, { from: b, to: d }]`;

/** A loop that uses \`a\` in its body, and a node after it. */
const loop = ({ a = 'x' } = {}): string => `
flow: { name: loop }
nodes:
  - { id: a, type: echo, input: { text: x }, name: "${a}" }
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [say] } }
  - { id: say, type: echo, input: { text: "{{a.text}} {{item}}" } }
  - { id: last, type: json.query, input: { value: "{{each.iterations}}" }, config: { path: "$[*].outputs.say.text" } }
edges: [{ from: a, to: each }, { from: each, to: last }]`;

let open: TestExecutor[] = [];
afterEach(async () => {
  await Promise.all(open.map((world) => world.close()));
  open = [];
});

async function createWorld(settings: { text: string } = { text: 'first' }): Promise<TestExecutor> {
  const tuned = testNode('tuned', async ({ input }) => ({ ...input, by: settings.text }));
  const registry = createNodeRegistry([...builtinNodes, { ...tuned, settingsOf: async () => settings.text }]);
  const world = await createTestExecutor({ registry });
  open.push(world);
  return world;
}

async function ranOnce(world: TestExecutor, text: string): Promise<RunId> {
  const { runId, ended } = await world.run(text);
  expect((await ended).status).toBe('completed');
  return runId;
}

function eventsOf({ store }: TestExecutor, runId: RunId): readonly RunEvent[] {
  return store.readEvents(runId, -1, 1000).map(({ event }) => event);
}

/** Returns what happened to each top-level node: reused, or run again (which includes a skip). */
function fatesIn(world: TestExecutor, runId: RunId): Record<string, string> {
  const fates: Record<string, string> = {};
  for (const event of eventsOf(world, runId)) {
    if (event.type === 'node:reused') fates[event.nodeId] = 'reused';
    const runs = event.type === 'task:start' || event.type === 'node:skipped';
    if (runs && event.nodeId !== undefined && !event.nodeId.includes('[')) fates[event.nodeId] = 'runs';
  }
  return fates;
}

/** Plans a rerun and executes it. Checks the definite predictions of the plan. */
async function rerun(world: TestExecutor, request: RerunFrom) {
  const runsBefore = world.store.listRuns({ limit: 100 }).length;
  const plan = await world.executor.plans.planRerun(request);
  expect(world.store.listRuns({ limit: 100 })).toHaveLength(runsBefore);
  const { runId, ended } = await world.executor.rerunFrom(request);
  const { status, rerunOf } = await ended;
  expect([status, rerunOf]).toEqual(['completed', request.runId]);
  const fates = fatesIn(world, runId);
  for (const { nodeId, fate, why } of plan) {
    if (fate !== 'maybe') expect([nodeId, fates[nodeId]]).toEqual([nodeId, fate === 'skipped' ? 'runs' : fate]);
    expect(why === '').toBe(fate === 'reused' || fate === 'skipped');
  }
  const [start] = eventsOf(world, runId);
  expect(start).toMatchObject({ type: 'run:start', rerunOf: request.runId, rerunFromNode: request.nodeId });
  const whyOf = Object.fromEntries(plan.map(({ nodeId, why }) => [nodeId, why]));
  const planned = Object.fromEntries(plan.map(({ nodeId, fate }) => [nodeId, fate]));
  return { runId, fates, planned, whyOf, end: eventsOf(world, runId).at(-1) };
}

describe('rerunning from a node', () => {
  test('reuses everything that neither comes after the node nor has changed', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, flow());
    const again = await rerun(world, { runId, nodeId: 'b', text: flow() });
    expect(again.planned).toEqual({ a: 'reused', b: 'runs', c: 'reused', d: 'runs' });
    const plan = await world.executor.plans.planRerun({ runId, nodeId: 'b', text: flow() });
    expect(plan.find(({ nodeId }) => nodeId === 'd')?.whyParts).toEqual(['it comes after ', { nodeId: 'b' }]);
    expect(again.whyOf).toMatchObject({ b: 'it is the node to run from', d: 'it comes after b' });
    expect(again.end).toMatchObject({ output: { c: { text: 'for you' }, d: { text: 'one two four' } } });
    const reused = eventsOf(world, again.runId).filter(({ type }) => type === 'node:reused');
    expect(reused[0]).toEqual({ type: 'node:reused', nodeId: 'a', fromRunId: runId, output: { text: 'one' } });
  });

  test('reads the current file if no text is given', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, flow());
    world.texts.set('a.flow.yaml', flow({ b: 'new {{a.text}}' }));
    const { end } = await rerun(world, { runId, nodeId: 'b' });
    expect(end).toMatchObject({ output: { d: { text: 'new one four' } } });
  });

  test('starts the new run with the inputs of the earlier one', async () => {
    const world = await createWorld();
    const { runId, ended } = await world.run(flow(), { who: 'them' });
    await ended;
    const { end, fates } = await rerun(world, { runId, nodeId: 'd', text: flow() });
    expect([fates, end]).toMatchObject([{ c: 'reused' }, { output: { c: { text: 'for them' } } }]);
  });

  test('runs a node with a changed definition again, and everything that depends on its new output', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, flow());
    const { planned, whyOf, fates } = await rerun(world, { runId, nodeId: 'c', text: flow({ a: 'uno' }) });
    expect(planned).toEqual({ a: 'runs', b: 'maybe', c: 'runs', d: 'maybe' });
    expect(whyOf).toMatchObject({ a: 'its definition has changed', b: expect.stringContaining('depends on a') });
    expect(fates).toEqual({ a: 'runs', b: 'runs', c: 'runs', d: 'runs' });
  });

  test('reuses what depends on a changed node if its output is the same', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, flow());
    const same = '{{?flow.input.none}}one';
    const { fates } = await rerun(world, { runId, nodeId: 'c', text: flow({ a: same }) });
    expect(fates).toEqual({ a: 'runs', b: 'reused', c: 'runs', d: 'reused' });
  });

  test('runs an added node, and omits a removed one', async () => {
    const world = await createWorld();
    const extra = '\n  - { id: e, type: echo, input: { text: five } }';
    const runId = await ranOnce(world, flow({ extra }));
    const { fates, end } = await rerun(world, { runId, nodeId: 'd', text: flow() });
    expect(fates).toEqual({ a: 'reused', b: 'reused', c: 'reused', d: 'runs' });
    expect(end).not.toHaveProperty('output.e');
    const back = await rerun(world, {
      runId: (await rerun(world, { runId, nodeId: 'd', text: flow() })).runId,
      nodeId: 'd',
      text: flow({ extra }),
    });
    expect(back.planned).toMatchObject({ e: 'reused' });
  });

  test('without a node, plans to run what has changed or did not complete', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, flow());
    const { planRerun } = world.executor.plans;
    const planned = async (text: string) =>
      Object.fromEntries((await planRerun({ runId, text })).map(({ nodeId, fate }) => [nodeId, fate]));
    expect(await planned(flow())).toEqual({ a: 'reused', b: 'reused', c: 'reused', d: 'reused' });
    expect(await planned(flow({ b: 'new' }))).toEqual({ a: 'reused', b: 'runs', c: 'reused', d: 'maybe' });
    const extra = '\n  - { id: e, type: echo, input: { text: five } }';
    expect(await planned(flow({ extra }))).toMatchObject({ a: 'reused', d: 'reused', e: 'runs' });

    const branched = (kind: string) => `
flow: { name: b, input: { kind: ${kind} } }
nodes:
  - { id: a, type: echo, input: { text: x } }
  - { id: b, type: echo, input: { text: y }, when: { equals: { var: flow.input.kind, value: two } } }
  - { id: c, type: control.fail, input: { message: no }, policy: { continueOnError: true } }
edges: []`;
    const { runId: other, ended } = await world.run(branched('one'));
    await ended;
    const fates = await world.executor.plans.planRerun({ runId: other, text: branched('one') });
    expect(fates.map(({ fate, why }) => [fate, why])).toEqual([
      ['reused', ''],
      ['skipped', ''],
      ['runs', 'it was failed before'],
    ]);
  });

  test('reports the nodes, including those in bodies, that would repeat an outside effect', async () => {
    const effects = [testNode('post', async () => ({}), 'external')];
    const world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, ...effects]) });
    open.push(world);
    const outside = (a: string, kind = 'one') => `
flow: { name: o, input: { kind: ${kind} } }
nodes:
  - { id: a, type: echo, input: { text: ${a} } }
  - { id: sent, type: post, input: { text: "{{a.text}}" } }
  - { id: skipped, type: post, input: { text: "{{a.text}}" }, when: { equals: { var: flow.input.kind, value: two } } }
  - { id: kept, type: post, input: { text: x } }
  - { id: each, type: control.foreach, input: { items: ["{{a.text}}"], body: [inner] } }
  - { id: inner, type: post, input: { text: "{{item}}" } }
edges: [{ from: a, to: sent }, { from: a, to: skipped }, { from: a, to: each }]`;
    const runId = await ranOnce(world, outside('x'));
    const plan = await world.executor.plans.planRerun({ runId, text: outside('y') });
    expect(plan.flatMap(({ nodeId, repeatsOutside }) => (repeatsOutside ? nodeId : []))).toEqual(['sent', 'each']);
    expect(plan.find(({ nodeId }) => nodeId === 'kept')?.fate).toBe('reused');
  });

  test('rejects a node that is not in the flow, and an unknown run', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, loop());
    const gone = await world.executor.plans.planRerun({ runId, nodeId: 'lst', text: loop() }).catch(toErrorRecord);
    expect(gone).toMatchObject({ code: 'node.not-found', message: expect.stringContaining('"last"') });
    const request = { runId, nodeId: 'say', text: loop() };
    const inBody = await world.executor.rerunFrom(request).catch(toErrorRecord);
    expect(inBody).toMatchObject({ code: 'node.not-found' });
    expect(world.store.listRuns({ limit: 10 })).toHaveLength(1);
  });
});

describe('other conditions for reusing a result', () => {
  const tunedFlow = `
flow: { name: t }
nodes: [{ id: t, type: tuned, input: { k: 1 } }, { id: z, type: echo, input: { text: z } }]
edges: []`;

  test('settings of the type, such as those of a model', async () => {
    const settings = { text: 'first' };
    const world = await createWorld(settings);
    const runId = await ranOnce(world, tunedFlow);
    const same = await rerun(world, { runId, nodeId: 'z', text: tunedFlow });
    expect(same.fates).toEqual({ t: 'reused', z: 'runs' });
    settings.text = 'second';
    const other = await rerun(world, { runId, nodeId: 'z', text: tunedFlow });
    expect(other.fates).toEqual({ t: 'runs', z: 'runs' });
    expect(other.whyOf['t']).toBe('its model settings or its pack have changed');
    expect(other.end).toMatchObject({ output: { t: { k: 1, by: 'second' } } });
  });

  test('never reuses a failure or a skip', async () => {
    const world = await createWorld();
    const text = `
flow: { name: f, policy: { failFast: false } }
nodes:
  - { id: bad, type: control.fail, input: { message: no } }
  - { id: off, type: echo, input: { text: x }, disabled: true }
  - { id: z, type: echo, input: { text: z } }
edges: []`;
    const runId = await ranOnce(world, text);
    const { whyOf, fates } = await rerun(world, { runId, nodeId: 'z', text });
    expect([whyOf['bad'], whyOf['off']]).toEqual(['it was failed before', '']);
    expect(fates).toEqual({ bad: 'runs', off: 'runs', z: 'runs' });
  });

  test('passes a large result by handle without truncation', async () => {
    const world = await createWorld();
    const text = `
flow: { name: big }
nodes: [{ id: big, type: echo, input: { text: "{{flow.input.text}}" } }, { id: size, type: tuned, input: { of: "{{big.text}}" } }]
edges: [{ from: big, to: size }]`;
    const { runId, ended } = await world.run(text, { text: 'y'.repeat(20_000) });
    await ended;
    const again = await rerun(world, { runId, nodeId: 'size', text });
    expect(again.fates).toEqual({ big: 'reused', size: 'runs' });
    const reused = eventsOf(world, again.runId).find((event) => event.type === 'node:reused');
    expect(isValueHandle(reused?.output)).toBe(true);
    const result = eventsOf(world, again.runId).find((event) => event.type === 'task:complete')?.result;
    if (!isValueHandle(result)) throw new Error('It is too large to travel in an event');
    expect(world.store.readValue(result.$value)).toEqual({ of: 'y'.repeat(20_000), by: 'first' });
  });
});

describe('conditions', () => {
  const branch = (a: string, other = 'one'): string => `
flow: { name: branch, input: { go: yes } }
nodes:
  - { id: a, type: echo, input: { text: "${a}" } }
  - { id: x, type: echo, input: { text: fixed } }
  - { id: w, type: echo, input: { text: fixed }, when: { equals: { var: a.text, value: one } } }
  - { id: z, type: echo, input: { text: z } }
edges: [{ from: a, to: x, when: { equals: { var: a.text, value: ${other} } } }, { from: a, to: w }]`;

  test('leave reuse open if they read values that are not known yet', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, branch('one'));
    const same = await rerun(world, { runId, nodeId: 'z', text: branch('one') });
    expect(same.planned).toEqual({ a: 'reused', x: 'reused', w: 'reused', z: 'runs' });
    const changed = await rerun(world, { runId, nodeId: 'z', text: branch('two') });
    expect(changed.planned).toEqual({ a: 'runs', x: 'maybe', w: 'maybe', z: 'runs' });
    expect(changed.whyOf['x']).toBe('whether it runs depends on a');
    expect(changed.fates).toEqual({ a: 'runs', x: 'runs', w: 'runs', z: 'runs' });
    expect(changed.end).toMatchObject({ output: { x: { skipped: true }, w: { skipped: true } } });
  });

  test('cause a node to be skipped, not reused, if they are now false', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, branch('one'));
    const { planned, whyOf, end } = await rerun(world, { runId, nodeId: 'z', text: branch('one', 'other') });
    expect(planned).toEqual({ a: 'reused', x: 'runs', w: 'reused', z: 'runs' });
    expect(whyOf['x']).toBe('its conditions no longer hold, so it is skipped');
    expect(end).toMatchObject({ output: { x: { skipped: true, reason: 'edge' } } });
  });
});

describe('a loop', () => {
  test('is reused as a whole if nothing before it ran', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, loop());
    const { fates, end } = await rerun(world, { runId, nodeId: 'last', text: loop() });
    expect(fates).toEqual({ a: 'reused', each: 'reused', last: 'runs' });
    expect(end).toMatchObject({ output: { last: { value: ['x 1', 'x 2'] } } });
  });

  test("13.15 runs again if a node that its body uses ran, and reuses its items if that node's output is the same", async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, loop());
    const text = loop().replace('text: x }, name', 'text: "{{?flow.input.none}}x" }, name');
    const { fates, planned } = await rerun(world, { runId, nodeId: 'last', text });
    expect(planned).toEqual({ a: 'runs', each: 'maybe', last: 'runs' });
    expect(fates).toEqual({ a: 'runs', each: 'runs', 'each[0].say': 'reused', 'each[1].say': 'reused', last: 'runs' });
  });

  test('runs again if a node of its body has changed; display names do not count as changes', async () => {
    const world = await createWorld();
    const runId = await ranOnce(world, loop());
    const renamed = await rerun(world, { runId, nodeId: 'last', text: loop({ a: 'another name' }) });
    expect(renamed.fates).toEqual({ a: 'reused', each: 'reused', last: 'runs' });
    const text = loop().replace('{{item}}"', '{{item}}!"');
    const { fates, whyOf } = await rerun(world, { runId, nodeId: 'last', text });
    expect([fates['each'], whyOf['each']]).toEqual(['runs', 'its definition has changed']);
  });
});

describe('a rerun is recorded like any other run', () => {
  test('it can be rerun, and the results that it reused are reused again', async () => {
    const world = await createWorld();
    const first = await ranOnce(world, flow());
    const second = await rerun(world, { runId: first, nodeId: 'd', text: flow() });
    const third = await rerun(world, { runId: second.runId, nodeId: 'd', text: flow() });
    expect(third.fates).toEqual({ a: 'reused', b: 'reused', c: 'reused', d: 'runs' });
    const reused = eventsOf(world, third.runId).flatMap((event) =>
      event.type === 'node:reused' ? event.fromRunId : [],
    );
    expect(new Set(reused)).toEqual(new Set([second.runId]));
    expect(third.end).toMatchObject({ output: { d: { text: 'one two four' } } });
  });

  test('after an interruption and a resume, it reuses the same results', async () => {
    const world = await createWorld();
    const first = await ranOnce(world, flow());
    const second = await rerun(world, { runId: first, nodeId: 'd', text: flow() });
    const after = (event: RunEvent): boolean => event.type === 'node:reused' && event.nodeId === 'a';
    const runId = await cutRun(world, { text: flow(), of: second.runId, lineage: { rerunOf: first }, after });
    const { ended } = await world.executor.resumeRun({ runId });
    expect((await ended).status).toBe('completed');
    expect(fatesIn(world, runId)).toEqual({ a: 'reused', b: 'reused', c: 'reused', d: 'runs' });
    expect(eventsOf(world, runId).at(-1)).toMatchObject({ output: { d: { text: 'one two four' } } });
  });
});
