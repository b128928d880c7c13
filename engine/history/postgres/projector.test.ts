/**
 * Tests that any order of batches, from any number of processes, leads to the rows that SQLite gets.
 */
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import type { EventEnvelope, RunEvent, StartedBy } from '../../runtime/kernel/events/run-event.ts';
import { askingLog, asOf } from '../../testing/asking-log.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { isMissing, sharedPostgres } from '../../testing/test-postgres.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { contentHash } from '../store/large-value.ts';
import { currentOwner } from '../store/owner.ts';
import type { RunStore } from '../store/run-store.ts';
import { openRunStore } from '../store/sqlite-run-store.ts';
import { openSharedHistory } from './open-shared-history.ts';
import type { RunBatch, SharedHistory } from './shared-history.ts';

const postgres = await sharedPostgres();
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';
const host = { engine: 'restate' };

describe.skipIf(isMissing(postgres))(`events in PostgreSQL${why}`, () => {
  let url: string;
  let asking: readonly EventEnvelope[];
  const open: SharedHistory[] = [];
  let counter = 0;

  beforeAll(async () => {
    if (isMissing(postgres)) return;
    url = await postgres.createDatabase();
    asking = await askingLog();
  });
  afterEach(async () => {
    for (const history of open.splice(0)) await history.close();
  });

  async function openHistory(workspace = `w${counter++}`): Promise<SharedHistory> {
    const history = await openSharedHistory({ url, workspace });
    open.push(history);
    return history;
  }

  function logOf(runId: RunId): readonly EventEnvelope[] {
    return asking.map((event) => asOf(runId, asking, event));
  }

  test('lists runs by what has started them', async () => {
    const history = await openHistory();
    const start = async (id: string, startedBy: StartedBy): Promise<void> => {
      await history.createRun({ ...newRun(id), host });
      const events = envelopes(asRunId(id), [{ ...runStart, startedBy } as RunEvent, runCompleted]);
      await history.project([{ runId: asRunId(id), events }]);
    };
    await start('by-day', { kind: 'trigger', name: 'day "1"' });
    await start('by-days', { kind: 'trigger', name: 'day "1" and more' });
    await start('by-person', { kind: 'person' });
    const listed = async (startedBy: StartedBy) =>
      (await history.listRuns({ startedBy, limit: 9 })).map(({ runId }) => runId);
    expect(await listed({ kind: 'trigger' })).toEqual(['by-days', 'by-day']);
    expect(await listed({ kind: 'trigger', name: 'day "1"' })).toEqual(['by-day']);
    expect(await listed({ kind: 'mcp' })).toEqual([]);
  });

  test('lists runs by status, time and number, with their tokens, and refuses filters of own histories', async () => {
    const history = await openHistory('filtered');
    const local = await openSharedHistory({ url, workspace: 'filtered', home: 'left' });
    open.push(local);
    for (const [index, id] of ['one', 'two', 'three'].entries())
      await history.createRun({ ...newRun(id, { queuedAt: 1_000 * (index + 1) }), host });
    const end: RunEvent = { ...runCompleted, usage: { promptTokens: 3, completionTokens: 4 } };
    await history.project([{ runId: asRunId('two'), events: envelopes(asRunId('two'), [runStart, end]) }]);
    await local.createRun(newRun('left', { queuedAt: 4_000 }));
    await local.disown(asRunId('left'));
    const listed = async (query: Partial<Parameters<SharedHistory['listRuns']>[0]>) =>
      (await history.listRuns({ limit: 9, ...query })).map(({ runId }) => runId);
    expect(await listed({ status: 'queued' })).toEqual(['three', 'one']);
    expect(await listed({ status: 'interrupted' })).toEqual(['left']);
    expect(await history.listRuns({ status: 'completed', limit: 9 })).toMatchObject([{ runId: 'two', tokens: 7 }]);
    expect(await listed({ since: 2_000, until: 4_000 })).toEqual(['three', 'two']);
    const third = await history.findSummary(asRunId('three'));
    expect(await listed({ below: third?.number ?? 0 })).toEqual(['two', 'one']);
    await expect(listed({ label: 'good' })).rejects.toMatchObject({ code: 'store.not-shared' });
    await expect(listed({ find: { content: 'x' } })).rejects.toMatchObject({ code: 'store.not-shared' });
  });

  test('shuffled and repeated batches from two processes give the same rows as SQLite', async () => {
    const batches = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 20 }), fc.boolean()), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 8 }), async (cuts, pieces) => {
        const [one, other] = [await openHistory(`w${counter}`), await openHistory(`w${counter++}`)];
        const runId = asRunId(`random${counter}`);
        const log = logOf(runId);
        await one.createRun({ ...newRun(runId), host });
        const batchOf = (start: number, count: number): RunBatch => ({
          runId,
          events: log.slice(start, start + count),
        });
        for (const [start, count, isOther] of cuts)
          await (isOther ? other : one).project([batchOf(start % log.length, count)]);
        const size = Math.ceil(log.length / pieces);
        const rest = Array.from({ length: pieces }, (_, i) => batchOf(i * size, size));
        await Promise.all(rest.map((batch, i) => (i % 2 === 0 ? one : other).project([batch])));
        await expectSameAsSqlite(other, runId, log);
      }),
      { numRuns: testRounds(25) },
    );
  });

  test('the rows match those of SQLite after each event', async () => {
    const history = await openHistory();
    const store = await openSqlite();
    const runId = asRunId('each');
    const log = logOf(runId);
    await history.createRun({ ...newRun(runId), host });
    store.createRun(newRun(runId));
    for (const event of log) {
      await history.project([{ runId, events: [event] }]);
      appendTo(store, runId, [event]);
      expect(await waitingOf(history, runId), `after event ${event.seq}`).toEqual(waitingInSqlite(store, runId));
    }
    expect(await summaryOf(history, runId)).toEqual(summaryInSqlite(store, runId));
    store.close();
  });

  test('one call stores events of many runs, and a run with a gap does not delay the others', async () => {
    const history = await openHistory();
    const ids = Array.from({ length: 20 }, (_, i) => asRunId(`many${i}`));
    for (const runId of ids) await history.createRun({ ...newRun(runId), host });
    const first = ids.map((runId) => ({ runId, events: envelopes(runId, [runStart]) }));
    await history.project(first.slice(1));
    await history.project(ids.map((runId) => ({ runId, events: envelopes(runId, [runCompleted], 1) })));
    const statuses = async () => (await history.listRuns({ limit: 50 })).map(({ status }) => status).reverse();
    expect(await statuses()).toEqual(['queued', ...ids.slice(1).map(() => 'completed')]);
    expect(await history.readEvents(ids[0]!, -1, 10)).toEqual([]);
    await history.project(first);
    expect(await statuses()).toEqual(ids.map(() => 'completed'));
  });

  test('events, names and answers with any characters return unchanged', async () => {
    const strange = 'a\0b\ud800c\\u0000\\\u2028\n"😀';
    const history = await openHistory();
    const runId = asRunId('strange');
    const inputs = { [strange]: [strange] };
    const { number } = await history.createRun({
      ...newRun(runId, { name: strange, sourcePath: strange, definition: `flow: ${strange}`, inputs }),
      host,
    });
    const request = { kind: 'approval', title: strange, action: { [strange]: strange } } as const;
    const asks: RunEvent = { type: 'approval:requested', nodeId: strange, key: strange, requestHash: 'h', request };
    const log = envelopes(runId, [runStart, asks]);
    await history.project([{ runId, events: log, texts: [JSON.stringify(strange)] }]);
    expect(await history.readEvents(runId, -1, 9)).toEqual(log);
    expect(await history.getRun(runId)).toMatchObject({ number, name: strange, sourcePath: strange, inputs });
    expect(await history.listRuns({ limit: 9, find: { text: 'A\0b\ud800C' } })).toHaveLength(1);
    expect(await history.listRuns({ limit: 9, sourcePath: strange })).toHaveLength(1);
    expect(await history.readValue(contentHash(JSON.stringify(strange)))).toEqual(strange);
    expect(await history.asksOf(runId)).toMatchObject([{ name: strange, asked: { key: strange, request } }]);
    const payload = { approved: true, comment: strange };
    const answer = { name: strange, key: strange, requestHash: 'h', payload, by: strange, at: 5 };
    await history.claimAnswer(runId, answer);
    expect(await history.answersOf(runId)).toEqual([answer]);
    expect(await history.listWaiting(9)).toEqual([]);
  });

  test('a run is recorded once, even if several processes record it', async () => {
    const workspace = `w${counter++}`;
    const histories = [await openHistory(workspace), await openHistory(workspace)];
    const run = { ...newRun('once'), host };
    const numbers = await Promise.all([...histories, ...histories].map(async (h) => (await h.createRun(run)).number));
    expect(new Set(numbers).size).toBe(1);
    await histories[0]!.markSubmitted(run.runId, 'inv_1');
    expect(await histories[1]!.hostOf(run.runId)).toEqual({ engine: 'restate', reference: 'inv_1' });
    await expect(histories[0]!.project([{ runId: asRunId('none'), events: [] }])).rejects.toMatchObject({
      code: 'run.not-found',
    });
  });

  test('runs that never reached their durable host are found after a while, oldest first', async () => {
    const [history, elsewhere] = [await openHistory(`w${counter++}`), await openHistory(`w${counter++}`)];
    const hostInput = { sessionId: 's' };
    const record = async (name: string, more: object = { hostInput }): Promise<RunId> => {
      const run = newRun(`${name} ${counter++}`);
      await history.createRun({ ...run, host, ...more });
      return run.runId;
    };
    const second = await record('second', { hostInput, queuedAt: 2_000 });
    const first = await record('first');
    await record('recent', { hostInput, queuedAt: Date.now() });
    await record('without input', {});
    await history.markSubmitted(await record('submitted'), 'inv_2');
    const begun = await record('begun');
    await history.project([{ runId: begun, events: envelopes(begun, [runStart]) }]);
    const found = await history.unsubmittedRuns(60_000, 9);
    expect(found).toEqual([first, second].map((runId) => ({ runId, hostInput })));
    expect(await history.unsubmittedRuns(60_000, 1)).toHaveLength(1);
    expect(await elsewhere.unsubmittedRuns(60_000, 9)).toEqual([]);
  });
});

async function openSqlite(): Promise<RunStore> {
  return await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
}

function appendTo(store: RunStore, runId: RunId, events: readonly EventEnvelope[]): void {
  for (const event of events) {
    store.append(runId, [event]);
    if (event.event.type === 'run:suspended' && event.rootRunId === undefined) store.claim(runId);
  }
}

async function expectSameAsSqlite(history: SharedHistory, runId: RunId, log: readonly EventEnvelope[]): Promise<void> {
  const store = await openSqlite();
  store.createRun(newRun(runId));
  appendTo(store, runId, log);
  expect(await history.projectedSeq(runId)).toBe(log.length - 1);
  expect(await history.readEvents(runId, -1, Number.POSITIVE_INFINITY)).toEqual(store.readEvents(runId, -1, 1e6));
  expect(await summaryOf(history, runId)).toEqual(summaryInSqlite(store, runId));
  expect(await waitingOf(history, runId)).toEqual(waitingInSqlite(store, runId));
  store.close();
}

async function summaryOf(history: SharedHistory, runId: RunId): Promise<unknown> {
  return { ...(await history.findSummary(runId)), number: 0 };
}

function summaryInSqlite(store: RunStore, runId: RunId): unknown {
  return { ...store.findSummary(runId), number: 0 };
}

async function waitingOf(history: SharedHistory, runId: RunId): Promise<unknown> {
  const listed = await history.listWaiting(100);
  const asks = await history.asksOf(runId);
  return {
    listed: listed.map((entry) => ({ ...entry, number: 0 })),
    asks: asks.map(({ askedSeq: _seq, ...ask }) => ask),
  };
}

function waitingInSqlite(store: RunStore, runId: RunId): unknown {
  return {
    listed: store.waiting.list(100).map((entry) => ({ ...entry, number: 0 })),
    asks: store.waiting.ofRun(runId),
  };
}
