/**
 * Tests answers, cancel requests, deadlines and notifications between processes.
 */
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import type { DeadlinePolicy } from '../../runtime/kernel/requests/ask.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { isMissing, sharedPostgres, startPostgres } from '../../testing/test-postgres.ts';
import { openSharedHistory } from './open-shared-history.ts';
import { hashOfCut, type SharedChange, type SharedHistory } from './shared-history.ts';

const postgres = await sharedPostgres();
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';
const host = { engine: 'restate', reference: 'inv_1' };

function asks(nodeId: string, more: { deadlineAt?: number; onDeadline?: DeadlinePolicy } = {}): RunEvent {
  const request = { kind: 'approval', title: `${nodeId}?`, ...more } as const;
  return { type: 'approval:requested', nodeId, key: 'k', requestHash: `h-${nodeId}`, request };
}

function answerTo(name: string, by: string, at = 5) {
  return { name, key: 'k', requestHash: `h-${name}`, payload: { approved: true }, by, at };
}

describe.skipIf(isMissing(postgres))(`answers and requests in PostgreSQL${why}`, () => {
  const open: SharedHistory[] = [];
  let url: string;
  let counter = 0;

  beforeAll(async () => {
    if (!isMissing(postgres)) url = await postgres.createDatabase();
  });
  afterEach(async () => {
    for (const history of open.splice(0)) await history.close();
  });

  async function openHistory(workspace: string, home?: string): Promise<SharedHistory> {
    const history = await openSharedHistory({ url, workspace, ...(home === undefined ? {} : { home }) });
    open.push(history);
    return history;
  }

  async function openTwo(): Promise<readonly [SharedHistory, SharedHistory]> {
    const workspace = `answers${counter++}`;
    return [await openHistory(workspace), await openHistory(workspace)];
  }

  async function startAsking(history: SharedHistory, ...events: readonly RunEvent[]): Promise<RunId> {
    const runId = asRunId(`asking${counter++}`);
    await history.createRun({ ...newRun(runId), host });
    await history.project([{ runId, events: envelopes(runId, [runStart, ...events]) }]);
    return runId;
  }

  test('the first of many answers counts, and the others learn who was first', async () => {
    const [one, other] = await openTwo();
    const runId = await startAsking(one, asks('a'));
    const people = Array.from({ length: 12 }, (_, i) => `p${i}`);
    const results = await Promise.allSettled(
      people.map((by, i) => (i % 2 === 0 ? one : other).claimAnswer(runId, answerTo('a', by, i))),
    );
    const first = people[results.findIndex(({ status }) => status === 'fulfilled')];
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(11);
    for (const error of refused) expect(error).toMatchObject({ code: 'run.invalid-state', details: { by: first } });
    expect(await one.answersOf(runId)).toMatchObject([{ by: first }]);
    // A caller that lost its connection asks again and learns that its answer counts.
    await other.claimAnswer(runId, answerTo('a', first!, people.indexOf(first!)));
  });

  test('an answer is listed until it is delivered, with the host of its run', async () => {
    const [one, other] = await openTwo();
    const runId = await startAsking(one, asks('a'), asks('b'));
    await one.claimAnswer(runId, answerTo('b', 'kim'));
    const [undelivered, ...more] = await other.undeliveredAnswers('durable', 10);
    expect(more).toEqual([]);
    expect(undelivered).toMatchObject({ runId, host, answer: answerTo('b', 'kim'), askedSeq: 2 });
    expect(await other.undeliveredAnswers('own', 10)).toEqual([]);
    await other.markDelivered([undelivered!.id]);
    expect(await one.undeliveredAnswers('durable', 10)).toEqual([]);
    expect((await one.listWaiting(10)).map(({ name }) => name)).toEqual(['a']);
  });

  test('answers to ended runs, closed requests and unknown runs are rejected', async () => {
    const [one] = await openTwo();
    const runId = await startAsking(one, asks('a'));
    await expect(one.claimAnswer(asRunId('none'), answerTo('a', 'kim'))).rejects.toMatchObject({
      code: 'run.not-found',
    });
    await expect(one.claimAnswer(runId, answerTo('z', 'kim'))).rejects.toThrow('is no longer open');
    await one.project([{ runId, events: envelopes(runId, [runCompleted], 2) }]);
    await expect(one.claimAnswer(runId, answerTo('a', 'kim'))).rejects.toThrow('is completed');
    expect(await one.request(runId, 'cancel', 'kim')).toBe(false);
  });

  test('each decision about interrupted work is separate', async () => {
    const [one] = await openTwo();
    const cut: RunEvent = {
      type: 'node:suspended',
      nodeId: 'send',
      request: { reason: 'operator', message: 'Again?' },
    };
    const runId = await startAsking(one, cut);
    const decide = (askedSeq: number, approved: boolean) =>
      one.claimAnswer(runId, { name: 'send', key: '', requestHash: hashOfCut(askedSeq), payload: { approved }, at: 1 });
    expect(await one.asksOf(runId)).toMatchObject([{ name: 'send', askedSeq: 1, isAnswered: false }]);
    await decide(1, true);
    await expect(decide(1, false)).rejects.toThrow('already answered');
    expect(await one.asksOf(runId)).toMatchObject([{ isAnswered: true }]);
    const start: RunEvent = { type: 'task:start', taskId: 'node:send', nodeId: 'send', nodeType: 'x' };
    await one.project([{ runId, events: envelopes(runId, [start, cut], 2) }]);
    expect(await one.asksOf(runId)).toMatchObject([{ askedSeq: 3, isAnswered: false }]);
    await decide(3, true);
    // Interrupted again before it could emit anything.
    await one.project([{ runId, events: envelopes(runId, [cut], 4) }]);
    expect(await one.asksOf(runId)).toMatchObject([{ askedSeq: 4, isAnswered: false }]);
    await decide(4, false);
    expect((await one.undeliveredAnswers('durable', 9)).map(({ answer }) => answer.payload)).toEqual([
      { approved: true },
      { approved: true },
      { approved: false },
    ]);
  });

  test('13.14 a cancel request is made once, and stays until it is done', async () => {
    const [one, other] = await openTwo();
    const runId = await startAsking(one);
    expect(await Promise.all([one, other, one].map((history, i) => history.request(runId, 'cancel', `p${i}`)))).toEqual(
      [true, true, true],
    );
    const [request, ...more] = await other.openRequests('durable', 10);
    expect([request, more]).toMatchObject([{ kind: 'cancel', runId, host }, []]);
    await other.markDone([request!.id]);
    expect(await one.openRequests('durable', 10)).toEqual([]);
    await expect(one.request(asRunId('none'), 'cancel', undefined)).rejects.toMatchObject({ code: 'run.not-found' });
  });

  test('answers and requests for local runs go to the engine with their log', async () => {
    const home = await openHistory('homes', 'machine-a');
    const away = await openHistory('homes', 'machine-b');
    const runId = asRunId('local');
    await home.createRun(newRun(runId));
    await home.project([{ runId, events: envelopes(runId, [runStart, asks('a')]) }]);
    await away.claimAnswer(runId, answerTo('a', 'kim'));
    await away.request(runId, 'cancel', 'kim');
    expect([await away.undeliveredAnswers('own', 9), await away.openRequests('own', 9)]).toEqual([[], []]);
    expect(await home.undeliveredAnswers('own', 9)).toMatchObject([{ runId, answer: { by: 'kim' } }]);
    expect(await home.openRequests('own', 9)).toMatchObject([{ runId, by: 'kim' }]);
    expect([await away.own(runId), await home.own(runId)]).toEqual([false, true]);
  });

  test('passed deadlines are listed until they are answered or a reminder is sent', async () => {
    const [one, other] = await openTwo();
    const runId = await startAsking(
      one,
      asks('a', { deadlineAt: 50, onDeadline: 'reject' }),
      asks('b', { deadlineAt: 70 }),
    );
    expect([await one.dueAsks(49, 9), await one.nextDeadline(0), await one.nextDeadline(50)]).toEqual([[], 50, 70]);
    const due = await one.dueAsks(100, 9);
    expect(due).toMatchObject([
      { runId, name: 'a', onDeadline: 'reject' },
      { runId, name: 'b', onDeadline: 'remind' },
    ]);
    expect([await one.remind(due[1]!, 100), await other.remind(due[1]!, 101)]).toEqual([true, false]);
    await one.claimAnswer(runId, { ...answerTo('a', 'deadline'), payload: { approved: false } });
    expect(await other.dueAsks(100, 9)).toEqual([]);
  });

  test('other processes notice answers, requests and events', async () => {
    const [one, other] = await openTwo();
    const noticed = new Set<SharedChange>();
    const stop = other.watch((changes) => {
      for (const change of changes) noticed.add(change);
    });
    const runId = await startAsking(one, asks('a'));
    await vi.waitUntil(() => noticed.has('runs'));
    noticed.clear();
    await one.claimAnswer(runId, answerTo('a', 'kim'));
    await vi.waitUntil(() => noticed.has('answers'));
    await one.request(runId, 'cancel', 'kim');
    await vi.waitUntil(() => noticed.has('requests'));
    stop();
  });

  test('a reader that follows all runs misses none', async () => {
    const [one, other] = await openTwo();
    const before = await startAsking(one);
    let { cursor, lastSeqs } = await other.changesSince();
    expect([...lastSeqs]).toEqual([[before, 0]]);
    const seen = new Map<RunId, number>();
    const writers = Array.from({ length: 8 }, async () => {
      const runId = await startAsking(one, asks('a'));
      await one.project([{ runId, events: envelopes(runId, [runCompleted], 2) }]);
      return runId;
    });
    const writing = Promise.all(writers);
    let isOver = false;
    void writing.then(() => {
      isOver = true;
    });
    for (let last = false; !last; last = isOver) {
      ({ cursor, lastSeqs } = await other.changesSince(cursor));
      for (const [runId, seq] of lastSeqs) seen.set(runId, Math.max(seq, seen.get(runId) ?? -1));
    }
    ({ lastSeqs } = await other.changesSince(cursor));
    for (const [runId, seq] of lastSeqs) seen.set(runId, seq);
    seen.delete(before);
    expect(seen).toEqual(new Map((await writing).map((runId) => [runId, 2])));
  });
});

test.skipIf(isMissing(postgres))(`a server that was killed loses nothing, and is used again${why}`, async () => {
  const own = await startPostgres({ isDurable: true });
  if (isMissing(own) || own.outage === undefined) return;
  const history = await openSharedHistory({ url: await own.createDatabase(), workspace: 'w' });
  const noticed: SharedChange[] = [];
  const stop = history.watch((changes) => noticed.push(...changes));
  const runId = asRunId('outage');
  await history.createRun({ ...newRun(runId), host });
  await history.project([{ runId, events: envelopes(runId, [runStart, asks('a')]) }]);
  await history.claimAnswer(runId, answerTo('a', 'kim'));
  await own.outage.kill();
  await expect(history.listRuns({ limit: 1 })).rejects.toMatchObject({ code: 'store.unreachable', recoverable: true });
  await expect(history.project([{ runId, events: envelopes(runId, [asks('b')], 2) }])).rejects.toMatchObject({
    code: 'store.unreachable',
  });
  await own.outage.start();
  await history.project([{ runId, events: envelopes(runId, [asks('b')], 2) }]);
  expect((await history.listWaiting(9)).map(({ name }) => name)).toEqual(['b']);
  noticed.length = 0;
  await history.claimAnswer(runId, answerTo('b', 'kim'));
  await vi.waitUntil(() => noticed.includes('answers'));
  stop();
  await history.close();
});
