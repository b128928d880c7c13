/** Tests properties of all graphs, whatever their nodes do and whenever they are canceled. */
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCountingIds } from '../../testing/counting-ids.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import {
  type FlowPlan,
  flowPlans,
  type RandomFlow,
  randomFlow,
  randomFlowTypes,
  withStuckNode,
} from '../../testing/random-flows.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { startTestRun } from '../../testing/test-run.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../kernel/events/run-state.ts';
import { cancellation } from '../kernel/hub/cancel-scope.ts';
import { createHarness } from '../kernel/hub/harness.ts';
import { createHub } from '../kernel/hub/hub.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import { runFlow } from './run-flow.ts';

const terminalTypes = ['task:complete', 'task:failed', 'task:cancelled'];

async function runPlan(plan: FlowPlan) {
  const clock = createManualClock();
  const random = randomFlow(plan);
  const run = startTestRun(random.flow, { clock, nodeTypes: randomFlowTypes() });
  await clock.advance(100_000);
  const { events, end, state } = await run.done;
  return { ...random, clock, end, state, envelopes: events, events: events.map(({ event }) => event) };
}

function namesOf(events: readonly RunEvent[], types: readonly string[]): readonly string[] {
  return events.flatMap((event) => (types.includes(event.type) && 'nodeId' in event ? [event.nodeId ?? ''] : []));
}

function expectOrder({ flow }: RandomFlow, events: readonly RunEvent[]): void {
  const upstreamOf = new Map(flow.nodes.map(({ id, upstream }) => [id, upstream]));
  const over = new Set<string>();
  let running = 0;
  for (const event of events) {
    const nodeId = 'nodeId' in event ? event.nodeId : undefined;
    const upstream = upstreamOf.get(nodeId ?? '');
    if (nodeId === undefined || upstream === undefined) continue;
    const { type } = event;
    if (type === 'task:start' || type === 'node:skipped') expect(upstream.every((id) => over.has(id))).toBe(true);
    if (terminalTypes.includes(type) || type === 'node:skipped') over.add(nodeId);
    running += changeOf(type);
    expect(running).toBeLessThanOrEqual(flow.policy.maxParallel);
  }
}

/** Returns the change in the number of running nodes. */
function changeOf(type: RunEvent['type']): number {
  if (type === 'task:start') return 1;
  return terminalTypes.includes(type) ? -1 : 0;
}

function expectOneEndEach(events: readonly RunEvent[]): void {
  const starts = namesOf(events, ['task:start']);
  expect(new Set(starts).size).toBe(starts.length);
  expect([...namesOf(events, terminalTypes)].sort()).toEqual([...starts].sort());
  const skipped = namesOf(events, ['node:skipped']);
  expect(new Set([...starts, ...skipped]).size).toBe(starts.length + skipped.length);
}

/** Returns the fates of the top-level nodes in the terms of the model, without those that were stopped. */
function fatesIn({ nodes }: RunState, { flow }: RandomFlow): ReadonlyMap<string, string> {
  const fates = new Map<string, string>();
  for (const { id } of flow.nodes) {
    const node = nodes.get(id);
    if (node === undefined || node.status === 'cancelled') continue;
    fates.set(id, node.status === 'skipped' ? `skipped: ${node.skip?.reason}` : node.status);
  }
  return fates;
}

/** A node is skipped by its edges exactly if it has some and none of them fired. Each edge is decided once. */
function expectEdges({ flow }: RandomFlow, { nodes, firedEdges }: RunState, events: readonly RunEvent[]): void {
  const decided = events.flatMap((event) => ('edgeId' in event && !event.edgeId.includes('.') ? [event.edgeId] : []));
  expect(new Set(decided).size).toBe(decided.length);
  for (const { id, disabled } of flow.nodes) {
    const incoming = flow.nodes.flatMap(({ outgoing }) => outgoing.filter(({ to }) => to === id));
    const node = nodes.get(id);
    if (node === undefined || disabled) continue;
    const isUnreached = incoming.length > 0 && !incoming.some((edge) => firedEdges.has(edge.id));
    expect([id, node.skip?.reason === 'edge']).toEqual([id, isUnreached]);
  }
}

test('order, ends, skips and failures match the model, and can be derived from the log alone', async () => {
  const property = fc.asyncProperty(flowPlans, async (plan) => {
    const run = await runPlan(plan);
    const { events, envelopes, end, state, fates, endsRun, clock } = run;
    expectOrder(run, events);
    expectOneEndEach(events);
    expectEdges(run, state, events);
    expect(foldRun(emptyRunState, envelopes)).toEqual(state);
    const seen = fatesIn(state, run);
    for (const [id, fate] of seen) expect([id, fate]).toEqual([id, fates.get(id)]);

    const fatal = namesOf(events, ['task:failed']).find((id) => fates.has(id) && endsRun(id));
    expect(end.status).toBe(fatal === undefined ? 'completed' : 'failed');
    expect(end.error?.nodeId).toBe(fatal);
    if (fatal === undefined) expect(seen.size).toBe(fates.size);
    expect(end.failedNodes).toEqual(namesOf(events, ['task:failed']));
    expect([...state.failedNodes]).toEqual(end.failedNodes);
    expect(clock.openTimers).toBe(0);
  });
  await fc.assert(property, { numRuns: testRounds(60) });
}, 600_000);

test('the same flow emits the same events every time', async () => {
  const property = fc.asyncProperty(flowPlans, async (plan) => {
    expect((await runPlan(plan)).events).toEqual((await runPlan(plan)).events);
  });
  await fc.assert(property, { numRuns: testRounds(30) });
}, 600_000);

/** Runs the flow under an observed signal, and cancels it. */
async function runCancelled(plan: FlowPlan, cancelAtMs: number) {
  const clock = createManualClock();
  const ids = createCountingIds();
  const runHub = createHub({ runId: ids.runId(), sessionId: ids.sessionId(), clock });
  const envelopes: EventEnvelope[] = [];
  runHub.subscribe((group) => envelopes.push(...group));
  const controller = new AbortController();
  const { flow, endsRun } = randomFlow(plan);
  const registry = createNodeRegistry([...builtinNodes, ...randomFlowTypes()]);
  let status: string | undefined;
  const request = {
    flow,
    registry,
    inputs: {},
    clock,
    ids,
    signal: controller.signal,
    capabilities: { model: null, files: null },
  };
  // The types of random flows declare capabilities that they never use.
  const running = runFlow(request as never, createHarness(runHub.hub, clock)).then((result) => {
    status = result.status;
  });
  await clock.advance(cancelAtMs);
  const wasOver = status !== undefined;
  controller.abort(cancellation());
  await clock.advance(1000);
  const isOver = status !== undefined;
  runHub.close();
  const events = envelopes.map(({ event }) => event);
  // Such a failure comes before any cancel, because nothing continues after a cancel. The run may still have waited for
  // others.
  const hasFailed = namesOf(events, ['task:failed']).some((id) => !id.includes('.') && endsRun(id));
  return { clock, controller, running, wasOver, isOver, hasFailed, events, status: () => status };
}

test('a cancel at any time ends every scope within 1 s and leaves nothing open', async () => {
  const openBefore = process.getActiveResourcesInfo().length;
  const property = fc.asyncProperty(flowPlans, fc.nat(9), fc.nat(120), async (plan, place, cancelAtMs) => {
    const run = await runCancelled(withStuckNode(plan, place), cancelAtMs);
    expect(run.isOver).toBe(true);
    await run.running;
    if (!run.wasOver) expect(run.status()).toBe(run.hasFailed ? 'failed' : 'cancelled');
    expectOneEndEach(run.events);
    expect(run.events.filter(({ type }) => type === 'phase:start')).toHaveLength(1);
    expect(run.events.filter(({ type }) => /^phase:(?:complete|failed|cancelled)$/.test(type))).toHaveLength(1);
    expect(run.clock.openTimers).toBe(0);
    expect(getEventListeners(run.controller.signal, 'abort')).toEqual([]);
  });
  await fc.assert(property, { numRuns: testRounds(50) });
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(openBefore);
}, 600_000);
