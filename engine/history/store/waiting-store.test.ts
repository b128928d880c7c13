/**
 * Tests that the table of open requests always matches the logs, regardless of their writer, and that lists read no
 * log.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { waitingRequests } from '../../runtime/kernel/requests/waiting-requests.ts';
import { askingLog, asOf } from '../../testing/asking-log.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { envelope, envelopes, newRun, runStart } from '../../testing/run-samples.ts';
import { type Db, openDb } from './db.ts';
import { migrate } from './migrate.ts';
import { currentOwner } from './owner.ts';
import type { RunStore } from './run-store.ts';
import { createSqliteRunStore } from './sqlite-run-store.ts';
import { fillWaiting } from './waiting-rows.ts';

let db: Db;
let store: RunStore;
beforeEach(async () => {
  db = await openDb(null);
  await migrate(db);
  store = createSqliteRunStore(db, { clock: createManualClock(), owner: currentOwner() });
});
afterEach(() => store.close());

/** Returns names and keys of open requests according to the log. */
function foldedOf(log: readonly EventEnvelope[]): readonly string[] {
  return waitingRequests(foldRun(emptyRunState, log)).map(({ name, ask }) => `${name} ${ask?.key}`);
}

/** Returns names and keys of open requests according to the table. */
function storedOf(runId: RunId): readonly string[] {
  return store.waiting.ofRun(runId).map(({ name, asked }) => `${name} ${asked?.key}`);
}

describe('the table', () => {
  test.each([
    ['in one process', Number.POSITIVE_INFINITY],
    ['when other processes continue the run', 5],
  ])('the table matches the log after each event, %s', async (_how, claimEvery) => {
    const log = await askingLog();
    const runId = asRunId('r1');
    store.createRun(newRun('r1'));
    let most = 0;
    for (const [index, event] of log.entries()) {
      store.append(runId, [asOf(runId, log, event)]);
      const expected = foldedOf(log.slice(0, index + 1));
      expect([...storedOf(runId)].sort(), `after event ${index}`).toEqual([...expected].sort());
      most = Math.max(most, expected.length);
      const isOpen = !['run:end', 'run:suspended'].includes(event.event.type);
      if (event.event.type === 'run:suspended' && event.rootRunId === undefined) store.claim(runId);
      else if (isOpen && index % claimEvery === claimEvery - 1) {
        store.giveUp(runId);
        store.claim(runId);
      }
    }
    expect(most).toBe(3);
    expect(storedOf(runId)).toEqual([]);
  });

  test('the table is filled from the logs of an older format', async () => {
    const log = await askingLog();
    const runId = asRunId('r1');
    const until =
      log.findIndex(({ event, rootRunId }) => event.type === 'run:suspended' && rootRunId === undefined) + 1;
    store.createRun(newRun('r1'));
    store.append(
      runId,
      log.slice(0, until).map((event) => asOf(runId, log, event)),
    );
    const before = store.waiting.list(100);
    expect(before.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'beside approval',
      'each[0].call/ask approval',
      'each[1].call/ask approval',
    ]);
    db.run('DELETE FROM waiting');
    db.execTx(fillWaiting);
    expect(store.waiting.list(100)).toEqual(before);
  });
});

function asked(nodeId: string, more: { readonly deadlineAt?: number } = {}): RunEvent {
  const request = { kind: 'approval', title: `${nodeId}?`, ...more } as const;
  return { type: 'approval:requested', nodeId, key: 'k', requestHash: `h-${nodeId}`, request };
}

describe('the list', () => {
  test('the list contains all runs, next deadline first, then oldest first, without answered requests', () => {
    for (const id of ['r1', 'r2']) {
      const runId = asRunId(id);
      store.createRun(newRun(id));
      store.append(runId, envelopes(runId, [runStart, asked(`${id}old`), asked(`${id}due`, { deadlineAt: 9_000 })]));
    }
    const runId = asRunId('r2');
    store.append(runId, [envelope(runId, asked('first', { deadlineAt: 8_000 }), 3)]);
    const names = () => store.waiting.list(10).map(({ name }) => name);
    expect(names()).toEqual(['first', 'r1due', 'r2due', 'r1old', 'r2old']);
    const answer = { name: 'r1due', key: 'k', requestHash: 'h-r1due', payload: { approved: true }, at: 5 };
    store.answers.claim(asRunId('r1'), answer);
    expect(names()).toEqual(['first', 'r2due', 'r1old', 'r2old']);
    expect(store.waiting.list(2)).toHaveLength(2);
    expect([store.waiting.hasNews(asRunId('r1')), store.waiting.hasNews(runId)]).toEqual([true, false]);
    expect(store.waiting.list(1)[0]).toMatchObject({ runId, number: 2, flow: 'Weekly report', deadlineAt: 8_000 });
  });

  test('the list is complete with 10,000 requests', () => {
    for (let run = 0; run < 10; run++) {
      const runId = asRunId(`r${run}`);
      store.createRun(newRun(runId));
      const requests = Array.from({ length: 1_000 }, (_, index) => asked(`each[${index}].ask`));
      store.append(runId, envelopes(runId, [runStart, ...requests]));
    }
    const listed = store.waiting.list(20_000).map(({ runId, name }) => `${runId} ${name}`);
    expect(new Set(listed).size).toBe(10_000);
    expect(listed).toHaveLength(10_000);
  });

  test('the list includes interrupted work until it runs again, and omits deleted runs', () => {
    const runId = asRunId('r1');
    store.createRun(newRun('r1'));
    const cut: RunEvent = {
      type: 'node:suspended',
      nodeId: 'send',
      request: { reason: 'operator', message: 'Again?' },
    };
    store.append(runId, envelopes(runId, [runStart, cut, asked('other')]));
    expect(store.waiting.list(9).map(({ name, key, message }) => [name, key, message])).toEqual([
      ['send', undefined, 'Again?'],
      ['other', 'k', 'other?'],
    ]);
    store.append(runId, [
      envelope(runId, { type: 'task:start', taskId: 'node:send', nodeId: 'send', resumed: true }, 3),
    ]);
    expect(store.waiting.list(9).map(({ name }) => name)).toEqual(['other']);
    store.giveUp(runId);
    store.deleteRun(runId);
    expect(store.waiting.list(9)).toEqual([]);
  });
});
