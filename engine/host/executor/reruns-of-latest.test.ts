/** Tests where reruns look for results: in all recent runs of a file, not in a single one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunPart } from '../../runtime/kernel/events/run-event.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';

interface Changes {
  readonly b?: string;
  readonly e?: string;
}

/** `a` → `b` → `c` → `d` → `e`, all paid calls; `each` uses `d` in its body. */
const flow = ({ b = 'b', e = 'e' }: Changes = {}): string => `
flow: { name: five, input: { who: you } }
nodes:
  - { id: a, type: paid, input: { text: "{{flow.input.who}} a" } }
  - { id: b, type: paid, input: { text: "{{a.text}} ${b}" } }
  - { id: c, type: paid, input: { text: "{{b.text}} c" } }
  - { id: d, type: paid, input: { text: "{{c.text}} d" } }
  - { id: e, type: paid, input: { text: "{{d.text}} ${e}" } }
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [one] } }
  - { id: one, type: paid, input: { text: "{{item}} {{d.text}}" } }
edges:
  - { from: a, to: b }
  - { from: b, to: c }
  - { from: c, to: d }
  - { from: d, to: e }
  - { from: d, to: each }`;

let world: TestExecutor;
let paid: string[];
let failing: string | undefined;

beforeEach(async () => {
  paid = [];
  failing = undefined;
  const node = testNode('paid', async ({ nodeId, input }) => {
    paid.push(nodeId);
    if (nodeId === failing) throw new Error('no');
    return { text: String(input['text']), call: paid.length };
  });
  world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, node]) });
});
afterEach(() => world.close());

interface Start {
  readonly text?: string;
  readonly part?: RunPart;
  readonly pins?: Record<string, JsonValue>;
  readonly inputs?: Record<string, JsonValue>;
}

async function start({ text = flow(), inputs = {}, ...less }: Start = {}): Promise<RunId> {
  const { runId, ended } = await world.executor.startRun({ path: 'a.flow.yaml', text, inputs, ...less });
  await ended;
  paid.length = 0;
  return runId;
}

/** Plans a rerun and executes it. Checks the definite predictions of the plan. */
async function rerun(runId: RunId, { text = flow(), ...less }: Start & { readonly nodeId?: string } = {}) {
  paid.length = 0;
  const request = { runId, text, ...less };
  const plan = await world.executor.plans.planRerun(request);
  const { runId: again, ended } = await world.executor.rerunFrom(request);
  const { status } = await ended;
  const events = world.store.readEvents(again, -1, 1000).map(({ event }) => event);
  const from = Object.fromEntries(
    events.flatMap((event) => (event.type === 'node:reused' ? [[event.nodeId, event.fromRunId]] : [])),
  );
  for (const { nodeId, fate, fromRunId = runId } of plan) {
    if (fate === 'reused') expect([nodeId, from[nodeId]]).toEqual([nodeId, fromRunId]);
    if (fate === 'runs') expect([nodeId, from[nodeId]]).toEqual([nodeId, undefined]);
  }
  return { runId: again, status, from, paid: [...paid], plan, end: events.at(-1) };
}

describe('13.15 results of the latest runs', () => {
  test('13.15 a run with a pin does not hide the complete run before it', async () => {
    const whole = await start();
    const pinned = await start({ pins: { c: { text: 'pinned' } }, part: { to: 'd' } });
    const again = await rerun(pinned, { part: { to: 'e' } });
    expect(again.paid).toEqual([]);
    expect(again.from).toEqual({ a: whole, b: whole, c: whole, d: whole, e: whole });
  });

  test('13.15 pinned outputs never count, in any run', async () => {
    const pinned = await start({ pins: { c: { text: 'pinned' } } });
    const again = await rerun(pinned);
    expect(again.paid).toEqual(['a', 'b', 'c', 'd', 'one', 'one', 'e'].sort());
    expect(again.end).toMatchObject({ output: { e: { text: 'you a b c d e' } } });
  });

  test('13.15 reuses a node that failed in the latest run from a run in which it completed', async () => {
    const whole = await start();
    failing = 'c';
    const failed = await start({ text: flow({ b: 'b' }), inputs: {} });
    failing = undefined;
    const again = await rerun(failed);
    expect(again.paid).toEqual([]);
    // Nodes before it come from the run that is rerun, which has a different output for `call`; no other node reads it.
    expect(again.from).toMatchObject({ a: failed, b: failed, c: whole, d: whole, e: whole });
  });

  test('13.15 a definition that was changed back reuses its former result', async () => {
    const first = await start();
    const second = await start({ text: flow({ e: 'other' }) });
    const again = await rerun(second);
    expect([again.paid, again.from['e'], again.from['d']]).toEqual([[], first, second]);
    expect(again.plan.find(({ nodeId }) => nodeId === 'e')).toMatchObject({ fate: 'reused', fromRunId: first });
  });

  test('13.15 prefers the run that is rerun, then the newer of two runs', async () => {
    const first = await start();
    const second = await start();
    expect((await rerun(first)).from).toMatchObject({ a: first, e: first });
    const other = await start({ text: flow({ e: 'other' }) });
    expect((await rerun(other)).from['e']).not.toBe(first);
    expect([first, second]).not.toContain(other);
  });

  test('13.15 a node with a different input, definition or settings runs again, and so do its dependents', async () => {
    await start();
    const latest = await start({ text: flow({ b: 'x' }), inputs: { who: 'me' } });
    const again = await rerun(latest, { text: flow({ b: 'y' }) });
    expect(again.paid.toSorted()).toEqual(['b', 'c', 'd', 'e', 'one', 'one']);
    expect(again.from).toEqual({ a: latest });
  });

  test('13.15 does not reuse a whole loop from a run in which its body read other values', async () => {
    const first = await start();
    const second = await start({ text: flow({ b: 'other' }) });
    const again = await rerun(second, { text: flow({ b: 'other', e: 'more' }) });
    expect([again.from['each'], again.paid]).toEqual([second, ['e']]);
    const back = await rerun(second, { text: flow({ e: 'most' }) });
    expect([back.from['each'], back.from['d'], back.paid]).toEqual([first, first, ['e']]);
  });

  test('13.15 ignores runs older than the last 20', async () => {
    const first = await start();
    for (let count = 0; count < 18; count++) await start({ part: { only: 'a' } });
    const near = await start({ part: { to: 'a' } });
    expect((await rerun(near, { part: { to: 'b' } })).from['b']).toBe(first);
    for (let count = 0; count < 20; count++) await start({ part: { only: 'a' } });
    const far = await start({ part: { to: 'a' } });
    expect((await rerun(far, { part: { to: 'b' } })).paid).toEqual(['b']);
  });

  test('13.15 does not reuse results from runs of another file', async () => {
    const other = await world.executor.startRun({ path: 'b.flow.yaml', text: flow(), inputs: {} });
    await other.ended;
    const own = await start({ part: { to: 'a' } });
    expect((await rerun(own, { part: { to: 'b' } })).paid).toEqual(['b']);
  });

  test('13.15 the node that a person selects runs even if other runs have its result', async () => {
    await start();
    const second = await start();
    // The items after it read the same text and are reused.
    expect((await rerun(second, { nodeId: 'd' })).paid).toEqual(['d', 'e']);
  });

  test('13.15 a deleted run provides no results, and results already reused from it remain', async () => {
    const first = await start();
    const pinned = await start({ pins: { c: { text: 'p' } } });
    const again = await rerun(pinned, { part: { to: 'c' } });
    await world.executor.deleteRun(first);
    expect(world.store.readEvents(again.runId, -1, 100).at(-1)?.event).toMatchObject({
      output: { c: { text: 'you a b c' } },
    });
    expect((await rerun(pinned, { part: { to: 'e' } })).status).toBe('completed');
  });
});
