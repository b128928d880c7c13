/** Checks on small random flows with random histories that a run does what its plan predicts. */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { RunPart } from '../../runtime/kernel/events/run-event.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import type { RerunStep } from './rerun-step.ts';

let world: TestExecutor;
let ran: string[];
let failing: ReadonlySet<string>;
/** How often plans have predicted each fate. */
let told: Map<string, number>;

async function reopen(): Promise<void> {
  const node = testNode('paid', async ({ nodeId, input }) => {
    ran.push(nodeId);
    if (failing.has(nodeId)) throw new Error('no');
    return { text: String(input['text']) };
  });
  world = await createTestExecutor({ registry: createNodeRegistry([...builtinNodes, node]) });
}
beforeEach(reopen);
afterEach(() => world.close());

const ids = ['a', 'b', 'c', 'd', 'e'] as const;
type Id = (typeof ids)[number];
const anyId = fc.constantFrom(...ids);

/** A flow in which nodes use earlier nodes, in one of several versions. */
const shapes = fc.record({
  uses: fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
  conditional: fc.option(anyId, { nil: undefined }),
});
type Shape = typeof shapes extends fc.Arbitrary<infer T> ? T : never;

interface Version {
  /** Nodes with changed text. */
  readonly changed: readonly Id[];
  readonly disabled: Id | undefined;
  readonly isOpen: boolean;
}
const versions: fc.Arbitrary<Version> = fc.record({
  changed: fc.subarray([...ids], { maxLength: 2 }),
  disabled: fc.option(anyId, { nil: undefined, freq: 6 }),
  isOpen: fc.boolean(),
});

function textOf({ uses, conditional }: Shape, { changed, disabled, isOpen }: Version): string {
  const edges: object[] = [];
  let next = 0;
  const nodes = ids.map((id, index) => {
    const from = ids.slice(0, index).filter(() => uses[next++ % uses.length]);
    for (const other of from) edges.push({ from: other, to: id });
    const words = from.map((other) => `{{?${other}.text}}`).join(' ');
    return {
      id,
      type: 'paid',
      input: { text: `${changed.includes(id) ? 'new' : 'old'} {{flow.input.who}} ${words}` },
      ...(id === disabled ? { disabled: true } : {}),
      ...(id === conditional ? { when: { '==': [{ var: 'flow.input.open' }, isOpen] } } : {}),
    };
  });
  return JSON.stringify({
    flow: { name: 'f', input: { who: 'you', open: true }, policy: { failFast: false } },
    nodes,
    edges,
  });
}

const events = fc.record({
  version: versions,
  failing: fc.subarray([...ids], { maxLength: 1 }),
  who: fc.constantFrom('you', 'you', 'me'),
  part: fc.option(fc.oneof(fc.record({ to: anyId }), fc.record({ only: anyId })), { nil: undefined, freq: 3 }),
  pinned: fc.option(anyId, { nil: undefined, freq: 3 }),
});
type Happening = typeof events extends fc.Arbitrary<infer T> ? T : never;

const pinsOf = (pinned: Id | undefined): { pins?: Record<string, JsonValue> } =>
  pinned === undefined ? {} : { pins: { [pinned]: { text: 'pinned' } } };

async function happen(shape: Shape, { version, who, part, pinned, ...more }: Happening): Promise<RunId | undefined> {
  failing = new Set(more.failing);
  const request = { path: 'a.flow.yaml', text: textOf(shape, version), inputs: { who } };
  try {
    const { runId, ended } = await world.executor.startRun({ ...request, ...(part && { part }), ...pinsOf(pinned) });
    await ended;
    return runId;
  } catch {
    // For example, a single node that uses outputs no run has.
    return undefined;
  }
}

/** Returns the actual fate of each node. */
function fatesIn(runId: RunId): ReadonlyMap<string, { readonly fate: string; readonly from?: RunId }> {
  const found = new Map<string, { fate: string; from?: RunId }>();
  for (const { event } of world.store.readEvents(runId, -1, 1000)) {
    if (event.type === 'node:skipped') found.set(event.nodeId, { fate: 'skipped' });
    if (event.type === 'task:start' && event.nodeId !== undefined) found.set(event.nodeId, { fate: 'runs' });
    if (event.type !== 'node:reused') continue;
    if (event.pin === true) found.set(event.nodeId, { fate: 'pinned' });
    else found.set(event.nodeId, { fate: 'reused', ...(event.fromRunId && { from: event.fromRunId }) });
  }
  return found;
}

function expectTrue(steps: readonly RerunStep[], runId: RunId, anchor: RunId): void {
  const fates = fatesIn(runId);
  for (const { nodeId, fate, fromRunId = anchor, why } of steps) {
    const real = fates.get(nodeId);
    told.set(fate, (told.get(fate) ?? 0) + 1);
    const words = `${nodeId}: ${fate} (${why}), and in truth ${real?.fate}`;
    if (fate === 'reused') expect([real, words]).toEqual([{ fate, from: fromRunId }, words]);
    if (fate === 'pinned' || fate === 'skipped') expect([real?.fate, words]).toEqual([fate, words]);
    // An earlier failure can keep the node from running, but it is never reused.
    if (fate === 'runs') expect([real?.fate === 'reused' || real?.fate === 'pinned', words]).toEqual([false, words]);
  }
  expect(ran.toSorted()).toEqual([...fates].flatMap(([id, { fate }]) => (fate === 'runs' ? [id] : [])).toSorted());
}

async function rerunAndCheck(
  request: { runId: RunId; text: string; part?: RunPart; pins?: Record<string, JsonValue> },
  planned?: readonly RerunStep[],
) {
  const steps = planned ?? (await world.executor.plans.planRerun(request));
  ran = [];
  const { runId, ended } = await world.executor.rerunFrom(request);
  await ended;
  expectTrue(steps, runId, request.runId);
}

test('13.15 a rerun reuses, pins, skips and runs exactly the nodes that its plan lists', async () => {
  told = new Map();
  const property = fc.asyncProperty(
    shapes,
    fc.array(events, { minLength: 1, maxLength: 4 }),
    events,
    async (shape, past, last) => {
      await world.close();
      ran = [];
      failing = new Set();
      await reopen();
      const runs: RunId[] = [];
      for (const one of past) runs.push(...[await happen(shape, one)].filter((id) => id !== undefined));
      const [anchor] = runs.toReversed();
      if (anchor === undefined) return;
      failing = new Set(last.failing);
      const text = textOf(shape, last.version);
      await rerunAndCheck({ runId: anchor, text, ...pinsOf(last.pinned) });
      // A run cannot end at a pinned node.
      const [to = 'e'] = ids.toReversed().filter((id) => id !== last.pinned);
      const found = await world.executor.plans.planUpTo({
        path: 'a.flow.yaml',
        text,
        nodeId: to,
        ...pinsOf(last.pinned),
      });
      if (found === undefined) return;
      await rerunAndCheck({ runId: found.runId, text, part: { to }, ...pinsOf(last.pinned) }, found.steps);
    },
  );
  await fc.assert(property, { numRuns: testRounds(40), seed: 11 });
  for (const fate of ['reused', 'runs', 'skipped', 'pinned'])
    expect([fate, (told.get(fate) ?? 0) > 0]).toEqual([fate, true]);
});
