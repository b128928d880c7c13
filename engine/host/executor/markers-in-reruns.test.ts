/**
 * Tests markers in the outputs of loops, in runs that were interrupted at any point and resumed, and in reruns that
 * reuse loops.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { cutBehind, cutRun } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';

let open: TestExecutor[] = [];
afterEach(async () => {
  await Promise.all(open.map((world) => world.close()));
  open = [];
});

async function createWorld(): Promise<TestExecutor> {
  const world = await createTestExecutor();
  open.push(world);
  return world;
}

/** Inside `inner`, `no` is skipped and `bad` fails for each item; `like` outputs data that looks like a marker. */
const flow = (end = 'one') => `
flow: { name: f }
nodes:
  - { id: outer, type: control.foreach, input: { items: [1, 2], as: o, body: [inner, soft] } }
  - { id: inner, type: control.foreach, input: { items: [x, y], body: [like, no, bad] } }
  - { id: like, type: constant, input: { value: { skipped: true, reason: when } } }
  - { id: no, type: echo, when: { exists: nothing.here }, input: { text: never } }
  - { id: bad, type: control.fail, policy: { continueOnError: true }, input: { message: broken } }
  - { id: soft, type: echo, disabled: true, input: { text: never } }
  - { id: mid, type: echo, input: { text: "mid" } }
  - id: end
    type: constant
    input:
      value:
        - ${end}
        - '{{outer.iterations[0].outputs.inner.iterations[1].outputs.no | default:"gone"}}'
        - '{{outer.iterations[1].outputs.inner.iterations[0].outputs.bad | default:"gone"}}'
        - '{{outer.iterations[1].outputs.inner.iterations[1].outputs.bad.error.message}}'
        - '{{outer.iterations[1].outputs.soft | default:"gone"}}'
        - '{{outer.iterations[0].outputs.inner.iterations[0].outputs.like.value}}'
  - { id: seen, type: echo, when: { exists: "outer.iterations[1].outputs.inner.iterations[1].outputs.no" }, input: { text: x } }
edges: [{ from: outer, to: mid }, { from: mid, to: end }, { from: end, to: seen }]`;

const value = (end = 'one') => [end, 'gone', 'gone', 'broken', 'gone', { skipped: true, reason: 'when' }];

function outputOf({ store }: TestExecutor, runId: RunId): unknown {
  const last = store.readEvents(runId, -1, 10_000).at(-1)?.event;
  const nodes = store
    .readEvents(runId, -1, 10_000)
    .flatMap(({ event }) => (event.type === 'task:complete' && event.nodeId === 'end' ? [event.result] : []));
  return {
    status: last?.type === 'run:end' ? last.status : last?.type,
    end: nodes.at(-1),
    seen: last?.type === 'run:end' ? last.output : undefined,
  };
}

const expected = (end?: string) => ({
  status: 'completed',
  end: { value: value(end) },
  seen: { seen: { skipped: true, reason: 'when' } },
});

describe('FE-34 markers in outputs of loops', () => {
  test('remain markers wherever the run was interrupted', async () => {
    const world = await createWorld();
    const { runId, ended } = await world.run(flow());
    await ended;
    expect(outputOf(world, runId)).toEqual(expected());
    const log = world.store.readEvents(runId, -1, 10_000);
    for (let length = 1; length < log.length; length++) {
      const cut = cutBehind(world, log.slice(0, length));
      await (await world.executor.resumeRun({ runId: cut })).ended;
      expect([length, outputOf(world, cut)]).toEqual([length, expected()]);
    }
  });

  test('remain markers when the loop is reused, even from a run that reused it itself', async () => {
    const world = await createWorld();
    let { runId, ended } = await world.run(flow());
    await ended;
    for (const end of ['two', 'three']) {
      ({ runId, ended } = await world.executor.rerunFrom({ runId, nodeId: 'end', text: flow(end) }));
      await ended;
      const taken = world.store.readEvents(runId, -1, 1000).filter(({ event }) => event.type === 'node:reused');
      expect(taken.map(({ event }) => event.type === 'node:reused' && event.nodeId)).toEqual(['outer', 'mid']);
      expect(outputOf(world, runId)).toEqual(expected(end));
    }
  });

  test('remain markers when a rerun is interrupted after the loop that it reused', async () => {
    const world = await createWorld();
    const first = await world.run(flow());
    await first.ended;
    const again = await world.executor.rerunFrom({ runId: first.runId, nodeId: 'end', text: flow('two') });
    await again.ended;
    const log = world.store.readEvents(again.runId, -1, 1000);
    for (const [index, { event }] of log.entries()) {
      if (index === 0 || event.type === 'run:end') continue;
      const cut = await cutRun(world, {
        text: flow('two'),
        of: again.runId,
        after: (one) => JSON.stringify(one) === JSON.stringify(event),
        lineage: { rerunOf: first.runId },
      });
      await (await world.executor.resumeRun({ runId: cut })).ended;
      expect([event.type, outputOf(world, cut)]).toEqual([event.type, expected('two')]);
    }
  });

  test('remain markers in a rerun of a run that was interrupted inside its loop and resumed', async () => {
    const world = await createWorld();
    const { runId, ended } = await world.run(flow());
    await ended;
    const log = world.store.readEvents(runId, -1, 10_000);
    const middle = log.findIndex(
      ({ event }) => event.type === 'task:failed' && event.nodeId === 'outer[1].inner[0].bad',
    );
    const cut = cutBehind(world, log.slice(0, middle + 1));
    await (await world.executor.resumeRun({ runId: cut })).ended;
    const again = await world.executor.rerunFrom({ runId: cut, nodeId: 'end', text: flow('two') });
    await again.ended;
    expect(outputOf(world, again.runId)).toEqual(expected('two'));
  });
});

describe('conditions that are still false', () => {
  const text = (go: string, z: string) => `
flow: { name: two, input: { go: ${go} } }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: x, type: echo, input: { text: x } }
  - { id: y, type: echo, input: { text: y } }
  - { id: both, type: echo, input: { text: "{{?x.text}}{{?y.text}}" } }
  - { id: z, type: echo, input: { text: ${z} } }
edges:
  - { from: a, to: x, when: { equals: { var: a.text, value: one } } }
  - { from: a, to: y, when: { equals: { var: flow.input.go, value: far } } }
  - { from: x, to: both }
  - { from: y, to: both }`;

  test.each([
    ['near', { y: 'skipped', both: 'reused' }, 'x'],
    ['far', { y: 'runs', both: 'maybe' }, 'xy'],
  ])('keep a node skipped and leave the nodes after it unchanged: %s', async (go, fates, both) => {
    const world = await createWorld();
    const { runId, ended } = await world.run(text('near', 'one'));
    expect((await ended).status).toBe('completed');
    const request = { runId, text: text(go, 'other') };
    const plan = await world.executor.plans.planRerun(request);
    expect(Object.fromEntries(plan.map(({ nodeId, fate }) => [nodeId, fate]))).toEqual({
      ...{ a: 'reused', x: 'reused', z: 'runs' },
      ...fates,
    });
    const again = await world.executor.rerunFrom({ ...request, nodeId: 'z' });
    expect((await again.ended).status).toBe('completed');
    const last = world.store.readEvents(again.runId, -1, 1000).at(-1)?.event;
    expect(last).toMatchObject({ type: 'run:end', output: { both: { text: both } } });
  });
});
