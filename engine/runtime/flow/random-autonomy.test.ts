/** Tests random graphs, answers and interruptions: nothing acts that the autonomy level holds back. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAnswerDesk } from '../../testing/answer-desk.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { levelsAlone } from '../../testing/step-runs.ts';
import { testNode } from '../../testing/test-node.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { testRun } from '../../testing/test-run.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';
import { emptyRunState } from '../kernel/events/run-state.ts';
import { waitingRequests } from '../kernel/requests/waiting-requests.ts';

type Kind = 'approval' | 'act' | 'echo';

const plans = fc.record({
  nodes: fc.array(
    fc.record({
      kind: fc.constantFrom<Kind>('approval', 'act', 'act', 'echo'),
      isDisabled: fc.constantFrom(false, false, false, false, true),
    }),
    { minLength: 2, maxLength: 8 },
  ),
  /** From the lower index to the higher one; the boolean is whether the edge fires. */
  edges: fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.constantFrom(true, true, true, false)), { maxLength: 14 }),
  maxParallel: fc.integer({ min: 1, max: 3 }),
  /** Whether each request is approved, in order. */
  answers: fc.array(fc.constantFrom(true, true, false), { maxLength: 16 }),
  /** Number of events of each stretch after which the process is killed; 0 = it is not. */
  cuts: fc.array(fc.nat(25), { maxLength: 4 }),
});

type Plan = typeof plans extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function edgesOf({ nodes, edges }: Plan): readonly { from: string; to: string; fires: boolean }[] {
  const count = nodes.length;
  return edges.flatMap(([a, b, fires]) => {
    const [low, high] = [Math.min(a % count, b % count), Math.max(a % count, b % count)];
    return low === high ? [] : [{ from: `n${low}`, to: `n${high}`, fires }];
  });
}

function textOf(plan: Plan, level: string): string {
  const nodes = plan.nodes.map(({ kind, isDisabled }, index) => {
    const common = { id: `n${index}`, disabled: isDisabled, policy: { continueOnError: true } };
    if (kind === 'approval') return { ...common, type: 'human_approval', input: { title: 'May it?' } };
    return kind === 'act'
      ? { ...common, type: 'test.act', input: {} }
      : { ...common, type: 'echo', input: { text: 'x' } };
  });
  const edges = edgesOf(plan).map(({ from, to, fires }) => ({
    ...{ from, to },
    ...(fires ? {} : { when: { exists: 'flow.input.nothing' } }),
  }));
  return JSON.stringify({
    flow: { name: 'x', policy: { failFast: false, maxParallel: plan.maxParallel, autonomy: level } },
    ...{ nodes, edges },
  });
}

interface Outcome {
  readonly log: readonly EventEnvelope[];
  /** Full names of nodes that have acted, in order. */
  readonly acted: readonly string[];
}

async function runToItsEnd(plan: Plan, level: string): Promise<Outcome> {
  const acted: string[] = [];
  const act = testNode('test.act', async ({ nodeId }) => ({ nodeId: acted.push(nodeId) }), 'external');
  const desk = createAnswerDesk();
  const { capabilities } = createFakeCapabilities({ governance: levelsAlone });
  let log: readonly EventEnvelope[] = [];
  for (let stretch = 0; log.at(-1)?.event.type !== 'run:end'; stretch++) {
    if (stretch > 60) throw new Error('It does not end');
    const waits = waitingRequests(foldRun(emptyRunState, log));
    const open = waits.find(
      ({ name, ask }) => ask !== undefined && !desk.list().some((one) => one.name === name && one.key === ask.key),
    );
    if (open?.ask !== undefined) {
      const approved = plan.answers[desk.list().length] ?? true;
      desk.give({ name: open.name, key: open.ask.key, payload: { approved } }, log);
    }
    // Interrupted nodes may run again.
    const decided = waits.some(({ ask }) => ask === undefined) ? { answer: { decision: 'approve' } as const } : {};
    const resume = log.length === 0 ? {} : { resume: { events: log, ...decided } };
    const { events } = await testRun(textOf(plan, level), { nodeTypes: [act], answers: desk, capabilities, ...resume });
    const cut = plan.cuts[stretch] ?? 0;
    log = [...log, ...(cut === 0 ? events : events.slice(0, Math.max(1, cut)))];
  }
  return { log, acted };
}

/** Returns all nodes before a node, on any path. */
function before(id: string, plan: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [id];
  for (const at of queue) {
    for (const { from, to } of edgesOf(plan)) {
      if (to !== at || found.has(from)) continue;
      found.add(from);
      queue.push(from);
    }
  }
  return found;
}

/** Returns whether a node may act, based only on the log and the edges. */
function isAllowed(id: string, plan: Plan, { log, acted }: Outcome): boolean {
  const approvedOwn = log.some(
    ({ event }) =>
      event.type === 'approval:resolved' &&
      event.nodeId === id &&
      event.key === 'autonomy:start' &&
      event.payload['approved'] === true,
  );
  if (approvedOwn) return true;
  const upstream = before(id, plan);
  const approvals = log.flatMap(({ event }) =>
    event.type === 'approval:resolved' && event.key === 'approval' && event.payload['approved'] === true
      ? [event.nodeId]
      : [],
  );
  return approvals.some(
    (approval) =>
      upstream.has(approval) && !acted.some((other) => upstream.has(other) && before(other, plan).has(approval)),
  );
}

test('at semi_auto no node acts without its own approval or an unused approval before it', async () => {
  let count = 0;
  const property = fc.asyncProperty(plans, async (plan) => {
    const outcome = await runToItsEnd(plan, 'semi_auto');
    for (const id of outcome.acted) expect([id, isAllowed(id, plan, outcome)]).toEqual([id, true]);
    count += outcome.acted.length;
  });
  await fc.assert(property, { numRuns: testRounds(60) });
  expect(count).toBeGreaterThan(0);
}, 600_000);

test('at suggest_only no node acts, and each that would have acted is suggested', async () => {
  const property = fc.asyncProperty(plans, async (plan) => {
    const { log, acted } = await runToItsEnd(plan, 'suggest_only');
    expect(acted).toEqual([]);
    for (const { event } of log) {
      if (event.type !== 'task:start') continue;
      expect(event.nodeType).not.toBe('test.act');
    }
  });
  await fc.assert(property, { numRuns: testRounds(30) });
}, 600_000);

test("at full_auto only the flow's own requests are made", async () => {
  const property = fc.asyncProperty(plans, async (plan) => {
    const { log } = await runToItsEnd({ ...plan, cuts: [] }, 'full_auto');
    const keys = log.flatMap(({ event }) => (event.type === 'approval:requested' ? [event.key] : []));
    expect(new Set(keys).has('autonomy:start')).toBe(false);
  });
  await fc.assert(property, { numRuns: testRounds(20) });
}, 600_000);
