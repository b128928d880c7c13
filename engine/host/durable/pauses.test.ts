/** Tests that runs on Restate are paused, step and continue like local runs, whatever happens to their worker. */
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { type CountingService, startCountingService } from '../../testing/counting-service.ts';
import { type DurableWorld, openDurableTest, type TestWorker } from '../../testing/durable-world.ts';
import { answerSharedRun, pauseSharedRun } from '../reads/shared-answers.ts';

const called = `
flow: { name: Called, inputs: { url: { type: string, required: true } } }
nodes: [{ id: inner, type: http.request, input: { method: POST, url: "{{flow.input.url}}/book/inner" } }]
edges: []`;

let world: DurableWorld | { readonly missing: string };
let worker: TestWorker;

beforeAll(async () => {
  world = await openDurableTest({ files: { 'called.flow.yaml': called } });
  if ('history' in world) worker = await world.startWorker();
}, 300_000);

afterAll(async () => {
  if ('history' in world) await world.close();
});

function open({ skip }: TestContext): DurableWorld {
  return 'missing' in world ? skip(world.missing) : world;
}

/** Starts the service that the run of a test uses. */
async function openService(): Promise<CountingService> {
  const service = await startCountingService();
  onTestFinished(() => service.close());
  return service;
}

/** Waits in a step until the service answers. Then come a node, a called flow and a loop. */
function heldFlow({ url }: CountingService): string {
  return `
flow: { name: Held }
nodes:
  - { id: hold, type: http.request, input: { method: POST, url: "${url}/hold/hold" } }
  - { id: first, type: http.request, input: { method: POST, url: "${url}/book/first" } }
  - { id: call, type: flow, input: { flow: ./called.flow.yaml, input: { url: "${url}" } } }
  - { id: each, type: control.foreach, input: { items: [a, b], body: [work] } }
  - { id: work, type: http.request, input: { method: POST, url: "${url}/book/{{item}}" } }
edges: [{ from: hold, to: first }, { from: first, to: call }, { from: call, to: each }]`;
}

function booked(service: CountingService): readonly string[] {
  return [...service.booked].flatMap(([key, count]) => (key === 'hold' ? [] : [`${key} x${count}`]));
}

async function untilHeld(service: CountingService): Promise<void> {
  await expect.poll(() => service.booked.has('hold'), { timeout: 60_000 }).toBe(true);
}

/** Waits until the workers have received every request. */
async function untilDelivered({ history }: DurableWorld): Promise<void> {
  await expect.poll(() => history.openRequests('durable', 10), { timeout: 60_000 }).toEqual([]);
}

async function untilPaused({ history }: DurableWorld, runId: RunId, before: string): Promise<void> {
  const lastEvent = async (): Promise<RunEvent | undefined> =>
    (await history.readEvents(runId, -1, 1000)).at(-1)?.event;
  await expect.poll(lastEvent, { timeout: 60_000 }).toMatchObject({ type: 'run:suspended', nodeId: before });
  expect(await history.findSummary(runId)).toMatchObject({ status: 'suspended', waitStatus: 'PAUSED' });
}

const decide = ({ history }: DurableWorld, runId: RunId, action: 'continue' | 'step') =>
  answerSharedRun(history, { runId, action, by: 'kim' }, { now: Date.now(), policies: [] });

function turnsIn(log: readonly EventEnvelope[]): readonly object[] {
  const turns: readonly RunEvent['type'][] = ['run:suspended', 'run:resumed'];
  return log
    .filter(({ event, rootRunId }) => rootRunId === undefined && turns.includes(event.type))
    .map(({ event }) => event);
}

test('13.5 a run on Restate pauses, takes steps and continues, also after the death of its worker', async (context) => {
  const [durable, service] = [open(context), await openService()];
  const runId = await durable.start(heldFlow(service));
  await untilHeld(service);
  await pauseSharedRun(durable.history, runId);
  await untilDelivered(durable);
  service.release();
  await untilPaused(durable, runId, 'first');
  expect(booked(service)).toEqual([]);
  await expect(pauseSharedRun(durable.history, runId)).rejects.toMatchObject({ code: 'run.invalid-state' });

  await decide(durable, runId, 'step');
  await untilPaused(durable, runId, 'call');
  expect(booked(service)).toEqual(['first x1']);

  await worker.kill();
  await decide(durable, runId, 'step');
  worker = await durable.startWorker();
  // The called flow has begun. Its own node is the next one.
  await untilPaused(durable, runId, 'call/inner');
  await decide(durable, runId, 'step');
  await untilPaused(durable, runId, 'each');
  expect(booked(service)).toEqual(['first x1', 'inner x1']);

  await decide(durable, runId, 'continue');
  const log = await durable.whenEnded(runId);
  expect(foldRun(emptyRunState, log)).toMatchObject({ status: 'completed' });
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index));
  expect(booked(service)).toEqual(['first x1', 'inner x1', 'a x1', 'b x1']);
  const pausedAt = (nodeId: string) => ({ type: 'run:suspended', reason: 'paused', nodeId });
  const resumed = (action: string) => ({ type: 'run:resumed', action, by: 'kim' });
  expect(turnsIn(log)).toEqual([
    ...[pausedAt('first'), resumed('step'), pausedAt('call'), resumed('step')],
    ...[pausedAt('call/inner'), resumed('step'), pausedAt('each'), resumed('continue')],
  ]);
  await expect(decide(durable, runId, 'step')).rejects.toMatchObject({ code: 'run.invalid-state' });
}, 300_000);

test('13.5 a pause that a person takes back before the running nodes end has no effect', async (context) => {
  const [durable, service] = [open(context), await openService()];
  const runId = await durable.start(heldFlow(service));
  await untilHeld(service);
  await expect(decide(durable, runId, 'continue')).rejects.toMatchObject({ code: 'run.invalid-state' });
  await pauseSharedRun(durable.history, runId);
  await decide(durable, runId, 'continue');
  await untilDelivered(durable);
  service.release();
  const log = await durable.whenEnded(runId);
  expect(turnsIn(log)).toEqual([]);
  expect(booked(service)).toHaveLength(4);
}, 300_000);

test('13.5 a run on Restate stops at its breakpoints, in loops and with conditions, and can be canceled there', async (context) => {
  const [durable, service] = [open(context), await openService()];
  const breakpoints = { 'test.flow.yaml': [{ node: 'work', when: 'item is "b"' }, { node: 'first' }] };
  const runId = await durable.start(heldFlow(service), {}, breakpoints);
  await untilHeld(service);
  service.release();
  await untilPaused(durable, runId, 'first');
  await decide(durable, runId, 'continue');
  await untilPaused(durable, runId, 'each[1].work');
  expect(booked(service)).toEqual(['first x1', 'inner x1', 'a x1']);
  await durable.history.request(runId, 'cancel', 'kim');
  const log = await durable.whenEnded(runId);
  expect(foldRun(emptyRunState, log)).toMatchObject({ status: 'cancelled' });
  expect(booked(service)).toHaveLength(3);
}, 300_000);

test('a start with a damaged breakpoint fails with its reason', async (context) => {
  const [durable, service] = [open(context), await openService()];
  const runId = await durable.start(heldFlow(service), {}, { 'test.flow.yaml': [{ node: 'first', when: 'is is is' }] });
  const log = await durable.whenEnded(runId);
  expect(foldRun(emptyRunState, log).error).toMatchObject({ code: 'breakpoint.invalid' });
}, 300_000);
