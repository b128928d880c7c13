/**
 * Tests that a shared history reads like a local one, and that answers and live events work through it.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import { openSharedHistory } from '../../history/postgres/open-shared-history.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { currentOwner } from '../../history/store/owner.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import { packDefinition } from '../../language/flow/stored-definition.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { askingLog, asOf } from '../../testing/asking-log.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { isMissing, sharedPostgres } from '../../testing/test-postgres.ts';
import { claimAnswer } from '../executor/run-answers.ts';
import { createHistory, type RunHistoryReader } from './history.ts';
import { answerSharedRun } from './shared-answers.ts';
import { createSharedReader } from './shared-history-reads.ts';
import { followSharedRuns } from './shared-run-events.ts';

const postgres = await sharedPostgres();
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';
const host = { engine: 'restate' };

describe.skipIf(isMissing(postgres))(`reads of a shared history${why}`, () => {
  let history: SharedHistory;
  let store: RunStore;
  let readers: readonly [RunHistoryReader, RunHistoryReader];
  const asking = asRunId('asking');
  const cut = asRunId('cut');

  beforeAll(async () => {
    if (isMissing(postgres)) return;
    history = await openSharedHistory({ url: await postgres.createDatabase(), workspace: 'w' });
    store = await openRunStore({ file: null, clock: createManualClock(), owner: currentOwner() });
    readers = [createHistory(store), createSharedReader(history)];
    const log = await askingLog();
    const end = log.findIndex(({ event, rootRunId }) => event.type === 'run:suspended' && rootRunId === undefined);
    await record(
      asking,
      log.slice(0, end + 1).map((event) => asOf(asking, log, event)),
    );
    const interrupted: RunEvent = {
      type: 'node:suspended',
      nodeId: 'send',
      request: { reason: 'operator', message: 'Again?' },
    };
    const events = envelopes(cut, [
      runStart,
      interrupted,
      { type: 'run:suspended', reason: 'operator', nodeId: 'send' },
    ]);
    await record(cut, events);
  });
  afterAll(async () => {
    store?.close();
    await history?.close();
  });

  async function record(runId: RunId, events: readonly EventEnvelope[]): Promise<void> {
    const schemas = new Map([['s.json', { schema: { type: 'object' } }]]);
    const run = newRun(runId, { definition: packDefinition({ text: 'flow: {}', schemas }) });
    store.createRun(run);
    store.append(runId, events);
    await history.createRun({ ...run, host });
    await history.project([{ runId, events }]);
  }

  async function expectSame(read: (reader: RunHistoryReader) => Promise<unknown>): Promise<void> {
    const [local, shared] = await Promise.allSettled(readers.map(read));
    expect(shared).toEqual(local);
  }

  test('every read returns what a local history returns', async () => {
    const none = asRunId('none');
    for (const runId of [asking, cut, none]) {
      await expectSame((reader) => reader.getRun(runId));
      await expectSame((reader) => reader.readHead(runId));
      await expectSame((reader) => reader.readDefinition(runId));
      await expectSame((reader) => reader.readDefinitionSchemas(runId));
      await expectSame((reader) => reader.readEvents(runId, 3, 5));
      await expectSame((reader) => reader.waiting(runId));
      await expectSame((reader) => reader.readCalledDefinition(runId, none));
    }
    for (const query of [{}, { status: 'suspended' }, { find: { text: 'WEEKLY' } }, { find: { number: 2 } }] as const)
      await expectSame((reader) => reader.listRuns({ ...query, limit: 10 }));
    await expectSame((reader) =>
      reader.listRuns({ sourcePath: 'flows/report.flow.yaml', status: 'suspended', limit: 1 }),
    );
    await expectSame((reader) => reader.findRun(1));
    await expectSame((reader) => reader.findRun(99));
    await expectSame((reader) => reader.listWaiting());
    await expectSame((reader) => reader.listWaiting(2));
    await expectSame((reader) => reader.listWaitingRequests());
    await expectSame((reader) => reader.readValue('0'.repeat(64)));
    await expectSame((reader) => reader.readValues(['x']));
  });

  test.each([
    ['an answer', { runId: asking, nodeId: 'beside', decision: 'approve' }],
    ['a second answer', { runId: asking, nodeId: 'beside', decision: 'reject' }],
    ['no named request', { runId: asking, decision: 'approve' }],
    ['a wrong node', { runId: asking, nodeId: 'none', payload: { approved: true } }],
    ['a wrong payload', { runId: asking, nodeId: 'each[0].call/ask', payload: { approved: 7 } }],
    ['the name of deadlines', { runId: asking, nodeId: 'each[0].call/ask', decision: 'approve', by: 'deadline' }],
  ] as const)('%s has the same result as in a local history', async (_what, request) => {
    const context = { now: 5_000, policies: [] };
    const local = (async () => claimAnswer(store, request, { ...context, takesOver: false }))();
    const shared = answerSharedRun(history, request, context);
    const [one, other] = await Promise.allSettled([local, shared]);
    expect(other.status).toBe(one.status);
    if (one.status === 'rejected' && other.status === 'rejected') expect(other.reason).toEqual(one.reason);
    expect(await history.answersOf(asking)).toEqual(store.answers.list(asking));
  });

  test('a decision about interrupted work is recorded once', async () => {
    const decide = () =>
      answerSharedRun(history, { runId: cut, decision: 'approve', comment: 'go', by: 'kim' }, { now: 7, policies: [] });
    await decide();
    expect(await history.undeliveredAnswers('durable', 9)).toMatchObject([
      {},
      { runId: cut, answer: { name: 'send', key: '', payload: { approved: true, comment: 'go' }, by: 'kim' } },
    ]);
    await expect(decide()).rejects.toMatchObject({ code: 'run.invalid-state' });
    await expect(answerSharedRun(history, { runId: cut }, { now: 7, policies: [] })).rejects.toThrow(
      'continues by itself',
    );
  });

  test('a run with damaged events does not keep those of others from subscribers', async () => {
    const [odd, fine] = [asRunId('odd'), asRunId('fine')];
    for (const runId of [odd, fine]) await history.createRun({ ...newRun(runId), host });
    const received: EventEnvelope[] = [];
    const live = followSharedRuns(history);
    live.subscribe((events) => received.push(...events));
    // Each event may come before the subscription, so there are several.
    for (let seq = 0; !received.some(({ runId }) => runId === fine); seq++) {
      const event: RunEvent = { type: 'node:input', nodeId: 'n', input: seq };
      const bad = { type: 'node:input' } as RunEvent;
      await history.project([
        { runId: odd, events: envelopes(odd, [bad], seq) },
        { runId: fine, events: envelopes(fine, [event], seq) },
      ]);
      await new Promise((done) => setTimeout(done, 50));
    }
    expect(received.some(({ runId }) => runId === odd)).toBe(false);
    live.close();
  });

  test('subscribers receive new events of all runs in order, each once', async () => {
    const received: EventEnvelope[] = [];
    const live = followSharedRuns(history);
    const first = asRunId('live1');
    await history.createRun({ ...newRun(first), host });
    await history.project([{ runId: first, events: envelopes(first, [runStart]) }]);
    const stop = live.subscribe((events) => received.push(...events));
    const ids = [first, ...Array.from({ length: 5 }, (_, i) => asRunId(`live2${i}`))];
    // The position is known when the first event after it arrives.
    const probe = asRunId('probe');
    await history.createRun({ ...newRun(probe), host });
    for (let seq = 0; received.length === 0; seq++) {
      await history.project([
        {
          runId: probe,
          events: envelopes(probe, [seq === 0 ? runStart : { type: 'node:input', nodeId: 'n', input: seq }], seq),
        },
      ]);
      await new Promise((done) => setTimeout(done, 50));
    }
    await Promise.all(
      ids.map(async (runId) => {
        if (runId !== first) await history.createRun({ ...newRun(runId), host });
        if (runId !== first) await history.project([{ runId, events: envelopes(runId, [runStart]) }]);
        await history.project([{ runId, events: envelopes(runId, [runCompleted], 1) }]);
      }),
    );
    const seqsOf = (runId: RunId) => received.filter((event) => event.runId === runId).map(({ seq }) => seq);
    await vi.waitUntil(() => ids.every((runId) => seqsOf(runId).includes(1)));
    expect(ids.map(seqsOf)).toEqual([[1], ...ids.slice(1).map(() => [0, 1])]);
    stop();
    live.close();
  });
});
