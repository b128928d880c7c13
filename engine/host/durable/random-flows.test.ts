/** Tests that random flows have the same outputs and the same events on the local host and on Restate. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { type DurableWorld, openDurableTest } from '../../testing/durable-world.ts';
import { plainCalledFlow, plainFlows } from '../../testing/random-plain-flows.ts';
import { testRounds } from '../../testing/test-rounds.ts';

let world: DurableWorld | { readonly missing: string };
let engine: Engine | undefined;

beforeAll(async () => {
  world = await openDurableTest({ files: { 'called.flow.yaml': plainCalledFlow } });
  if ('missing' in world) return;
  await world.startWorker();
  const { workspace } = world;
  engine = await createEngine({
    workspace,
    homeFolder: `${workspace}/no-home`,
    isTrusted: true,
    storeFile: ':memory:',
  });
}, 300_000);

afterAll(async () => {
  await engine?.close();
  if ('history' in world) await world.close();
});

const waitMs = 20;

/** Answers one request after the other, whenever the run only waits for people. */
const answers: Readonly<Record<'approval' | 'input', JsonMap>> = {
  approval: { approved: true },
  input: { values: { text: 'typed' } },
};

async function runLocally(local: Engine, text: string): Promise<readonly EventEnvelope[]> {
  const { runId } = await local.startRun({ path: 'test.flow.yaml', text, inputs: {} });
  for (;;) {
    await local.whenEnded(runId);
    const [first] = [...(await local.waiting(runId))].sort((a, b) => a.name.localeCompare(b.name));
    if (first?.request === undefined) return await local.readEvents(runId, -1, 10_000);
    await local.resumeRun({ runId, nodeId: first.name, payload: answers[first.request.kind], by: 'kim' });
  }
}

async function runOnRestate(durable: DurableWorld, text: string): Promise<readonly EventEnvelope[]> {
  const { history } = durable;
  const runId = await durable.start(text);
  let isOver = false;
  const ended = durable.whenEnded(runId).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const asks = await history.readTogether(async (reads) => {
      const open = await reads.asksOf(runId);
      const isWaiting = (await reads.findSummary(runId))?.status === 'suspended';
      // The run has yet to process an answer.
      return isWaiting && !open.some(({ isAnswered }) => isAnswered) ? [...open] : [];
    });
    const [first] = asks.sort((a, b) => a.name.localeCompare(b.name));
    if (first?.asked !== undefined) await durable.answer(runId, first.name, answers[first.asked.request.kind]);
  }
  return await ended;
}

/** Returns the events without times and IDs. */
function linesOf(log: readonly EventEnvelope[]): readonly string[] {
  return log.map(({ event, context, rootRunId }) => {
    const place =
      'nodeId' in event ? event.nodeId : 'name' in event ? event.name : 'edgeId' in event ? event.edgeId : '';
    return `${rootRunId === undefined ? '' : `${context.node?.id ?? ''}/`}${event.type} ${String(place)}`;
  });
}

/** Of branches in parallel, the order depends on how long their work takes; the order within each is the same. */
function comparable(log: readonly EventEnvelope[], isOrdered: boolean): readonly string[] {
  // A durable run is suspended between two answers as often as a local one, unless the next answer is faster.
  const lines = linesOf(log).filter((line) => !/^run:(?:suspended|resumed)/.test(line));
  return isOrdered ? lines : [...lines].sort();
}

/** Parts of outputs that depend on the time. */
const volatile: ReadonlySet<string> = new Set(['at', 'waitedMs']);

function resultOf(log: readonly EventEnvelope[]): unknown {
  const { status, output, failedNodes, nodes } = foldRun(emptyRunState, log);
  const states = [...nodes.values()].map(({ nodeId, status: own, output: value }) => [nodeId, own, value ?? null]);
  const text = JSON.stringify({ status, output, failed: [...failedNodes].sort(), states: states.sort() });
  return JSON.parse(text, (key, value: unknown) => (volatile.has(key) ? undefined : value));
}

test('random flows have the same outputs and the same order of events on Restate', { timeout: 3_600_000 }, async ({
  skip,
}) => {
  if ('missing' in world) return skip(world.missing);
  const durable = world;
  const local = engine;
  if (local === undefined) throw new Error('The engine was not opened');
  const property = fc.asyncProperty(plainFlows, async ({ text, maxParallel }) => {
    const own = await runLocally(local, text);
    const other = await runOnRestate(durable, text);
    const { status } = foldRun(emptyRunState, own);
    expect(foldRun(emptyRunState, other).status).toBe(status);
    // How far other branches have come when one of them ends the run depends on how long their work takes.
    if (status === 'failed' && maxParallel > 1) return;
    expect(comparable(other, maxParallel === 1)).toEqual(comparable(own, maxParallel === 1));
    expect(resultOf(other)).toEqual(resultOf(own));
  });
  await fc.assert(property, { numRuns: testRounds(8), endOnFailure: true });
});
