/**
 * Tests that engines record in their own histories first, and that their runs appear in a shared history.
 */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { openSharedHistory } from '../../history/postgres/open-shared-history.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { isMissing, sharedPostgres, startPostgres } from '../../testing/test-postgres.ts';
import { answerSharedRun } from '../reads/shared-answers.ts';
import { SharedDelivery } from './shared-delivery.ts';
import { SharedProjection } from './shared-projection.ts';

const postgres = await sharedPostgres();
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';

const asking = `
flow: { name: Asking }
nodes:
  - { id: first, type: echo, input: { text: hello } }
  - { id: ask, type: human_approval, input: { title: "go on?" } }
edges: [ { from: first, to: ask } ]`;
const large = `
flow: { name: Large }
nodes: [ { id: big, type: echo, input: { text: "{{flow.input.text}}" } } ]
edges: []`;

describe.skipIf(isMissing(postgres))(`an engine with a shared history${why}`, () => {
  const closing: (() => Promise<void>)[] = [];
  let url: string;
  let counter = 0;

  beforeAll(async () => {
    if (!isMissing(postgres)) url = await postgres.createDatabase();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function openShared(workspace: string, home?: string, at = url): Promise<SharedHistory> {
    const shared = await openSharedHistory({ url: at, workspace, ...(home === undefined ? {} : { home }) });
    closing.push(() => shared.close());
    return shared;
  }

  async function openWorld(): Promise<TestExecutor> {
    const world = await createTestExecutor({ idPrefix: `world${counter++}` });
    closing.push(() => world.close());
    return world;
  }

  function copyTo(shared: SharedHistory, { store, executor }: TestExecutor, failures: EngineError[] = []) {
    const projection = new SharedProjection({
      ...{ store, shared, clock: systemClock, subscribe: executor.subscribe },
      onFailure: (error) => failures.push(error),
    });
    closing.push(() => projection.close());
    return projection;
  }

  function deliverTo({ store, executor }: TestExecutor, shared: SharedHistory): EngineError[] {
    const refused: EngineError[] = [];
    const delivery = new SharedDelivery({
      ...{ store, shared, resumeRun: executor.resumeRun, cancelRun: executor.cancelRun },
      onRefused: (error) => refused.push(error),
    });
    closing.push(() => delivery.close());
    return refused;
  }

  async function expectSame(shared: SharedHistory, { store }: TestExecutor, runId: RunId): Promise<void> {
    expect(await shared.readEvents(runId, -1, 1e6)).toEqual(store.readEvents(runId, -1, 1e6));
    const { number: _number, ...local } = store.findSummary(runId) ?? { number: 0 };
    expect(await shared.findSummary(runId)).toMatchObject(local);
    expect(await shared.getRun(runId)).toMatchObject({ inputs: store.getRun(runId)?.inputs });
  }

  test('13.11 runs of several engines appear in one history, each answered by its own engine', async () => {
    const workspace = `w${counter++}`;
    const [one, other] = [await openWorld(), await openWorld()];
    const [sharedOne, sharedOther] = [await openShared(workspace, 'one'), await openShared(workspace, 'other')];
    const desk = await openShared(workspace);
    const copies = [copyTo(sharedOne, one), copyTo(sharedOther, other)];
    deliverTo(one, sharedOne);
    const { runId, ended } = await one.run(asking);
    await ended;
    const text = 'x'.repeat(40_000);
    const big = await other.run(large, { text });
    await big.ended;
    await Promise.all(copies.map((copy) => copy.copied()));
    await expectSame(desk, one, runId);
    await expectSame(desk, other, big.runId);
    const [complete] = (await desk.readEvents(big.runId, -1, 99)).filter(({ event }) => event.type === 'task:complete');
    const hash = JSON.stringify(complete).match(/"\$value":"(\w+)"/)?.[1] ?? '';
    expect(JSON.stringify(await desk.readValue(hash))).toContain(text);
    await answerSharedRun(desk, { runId, nodeId: 'ask', decision: 'approve', by: 'kim' }, { now: 5, policies: [] });
    await vi.waitUntil(async () => (await desk.findSummary(runId))?.status === 'completed');
    expect(one.store.answers.list(runId)).toMatchObject([{ name: 'ask', by: 'kim' }]);
    await vi.waitUntil(async () => (await sharedOne.undeliveredAnswers('own', 9)).length === 0);
  });

  test('an answer that comes second is refused, and the engine says so', async () => {
    const workspace = `w${counter++}`;
    const world = await openWorld();
    const shared = await openShared(workspace, 'home');
    const copy = copyTo(shared, world);
    const { runId, ended } = await world.run(asking);
    await ended;
    await copy.copied();
    await copy.close();
    await (await world.executor.resumeRun({ runId, nodeId: 'ask', decision: 'approve', by: 'lee' })).ended;
    await answerSharedRun(shared, { runId, nodeId: 'ask', decision: 'reject', by: 'kim' }, { now: 5, policies: [] });
    const refused = deliverTo(world, shared);
    await vi.waitUntil(() => refused.length > 0);
    expect(refused[0]?.message).toContain('The answer of kim to "ask"');
    await vi.waitUntil(async () => (await shared.answersOf(runId)).length === 0);
    expect(world.store.answers.list(runId)).toMatchObject([{ by: 'lee' }]);
  });

  test('13.9 a paused run is not continued or changed through the shared history', async () => {
    const workspace = `w${counter++}`;
    const world = await openWorld();
    const [shared, desk] = [await openShared(workspace, 'home'), await openShared(workspace)];
    const copy = copyTo(shared, world);
    deliverTo(world, shared);
    const breakpoints = { 'a.flow.yaml': [{ node: 'ask' }] };
    const { runId, ended } = await world.executor.startRun({
      path: 'a.flow.yaml',
      text: asking,
      inputs: {},
      breakpoints,
    });
    await ended;
    await copy.copied();
    const log = world.store.readEvents(runId, -1, 100);
    for (const forged of [
      ...[{ action: 'continue' }, { action: 'step' }, { action: 'skip', output: { approved: true } }, {}],
      ...[{ decision: 'approve' }, { action: 'continue', decision: 'approve' }, { payload: { approved: true } }],
    ] as const)
      await expect(answerSharedRun(desk, { runId, ...forged }, { now: 5, policies: [] })).rejects.toMatchObject({
        code: 'run.invalid-state',
      });
    for (const name of ['ask', 'first']) {
      const forged = { name, key: '', requestHash: 'x', payload: { approved: true }, at: 5 };
      await expect(desk.claimAnswer(runId, forged)).rejects.toMatchObject({ code: 'run.invalid-state' });
    }
    expect(world.store.readEvents(runId, -1, 100)).toEqual(log);
    // What an engine does with an answer that another program has written there nevertheless.
    const written = [{ decision: 'approve' }, { payload: { approved: true }, key: 'x' }] as const;
    for (const answer of written)
      for (const nodeId of ['ask', 'first', undefined])
        await world.executor.resumeRun({ runId, ...answer, ...(nodeId && { nodeId }) }).then(
          (resumed) => resumed.ended,
          (error) => expect(error.code).toBe('run.invalid-state'),
        );
    expect(world.store.getRun(runId)?.waitStatus).toBe('PAUSED');
    const started = world.store.readEvents(runId, -1, 100).filter(({ event }) => event.type === 'task:start');
    expect(started.map(({ event }) => 'nodeId' in event && event.nodeId)).toEqual(['first']);
  });

  test('13.14 another machine cancels a run through the shared history', async () => {
    const workspace = `w${counter++}`;
    const world = await openWorld();
    const shared = await openShared(workspace, 'home');
    const copy = copyTo(shared, world);
    deliverTo(world, shared);
    const { runId, ended } = await world.run(asking);
    await ended;
    await copy.copied();
    const desk = await openShared(workspace);
    expect(await desk.request(runId, 'cancel', 'kim')).toBe(true);
    await vi.waitUntil(async () => (await desk.findSummary(runId))?.status === 'cancelled');
    await vi.waitUntil(async () => (await shared.openRequests('own', 9)).length === 0);
  });

  test('runs from before the start and from an outage are copied, and deleted ones are not added again', async () => {
    const own = await startPostgres({ isDurable: true });
    if (isMissing(own) || own.outage === undefined) return;
    const at = await own.createDatabase();
    const world = await openWorld();
    const early = await world.run(asking);
    await early.ended;
    const shared = await openShared('w', 'home', at);
    const failures: EngineError[] = [];
    const copy = copyTo(shared, world, failures);
    await copy.copied();
    await expectSame(shared, world, early.runId);
    await own.outage.kill();
    const during = await world.run(large, { text: 'during' });
    await during.ended;
    await vi.waitUntil(() => failures.length > 0);
    await own.outage.start();
    await copy.copied();
    await expectSame(shared, world, during.runId);
    expect(failures.map(({ code }) => code)).toEqual(['store.unreachable']);
    await copy.close();
    // The clock of the test's runs stands still long ago, so they are old.
    expect(await shared.removeOldRuns({ keepDays: 30, limit: 9 })).toMatchObject({ removed: 1 });
    const again = copyTo(shared, world);
    await again.copied();
    expect((await shared.listRuns({ limit: 9 })).map(({ runId }) => runId)).toEqual([early.runId]);
  });
});
