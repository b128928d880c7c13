import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import type { EventEnvelope } from '../../runtime/kernel/events/run-event.ts';
import { envelope, runCompleted } from '../../testing/run-samples.ts';
import { openDb } from './db.ts';
import { contentHash } from './large-value.ts';
import { currentOwner } from './owner.ts';
import type { RunRecord } from './run-row.ts';
import type { RunStore } from './run-store.ts';
import { openRunStore } from './sqlite-run-store.ts';

/** What the version that wrote a database read from it. */
interface Contents {
  /** Newest first. */
  readonly runs: readonly {
    readonly record: Omit<RunRecord, 'nodeSettings'>;
    readonly definition: string;
    readonly events: readonly EventEnvelope[];
  }[];
}

/** Databases written by earlier versions. One is added with each new format, and none is ever changed. */
const formats = [1, 2, 3, 4, 5, 7, 8, 9];

const fixtures = join(import.meta.dirname, 'fixtures');
const context = { clock: systemClock, owner: currentOwner() };

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-format-'));
  file = join(folder, 'runs.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the hashes of all value handles in the events. */
function handlesIn(events: readonly EventEnvelope[]): string[] {
  return Array.from(JSON.stringify(events).matchAll(/"\$value":"([0-9a-f]{64})"/g), ([, hash = '']) => hash);
}

function contentsOf(store: RunStore): Contents {
  const runs = store.listRuns({ limit: 100 }).map(({ runId }) => {
    const { nodeSettings, ...record } = store.getRun(runId) as RunRecord;
    expect(nodeSettings).toEqual({});
    const definition = store.readDefinition(record.definitionHash) ?? '';
    return { record, definition, events: store.readEvents(runId, -1, 1_000) };
  });
  return { runs };
}

test.each(formats)('a history of format %i keeps its runs, events and values, and can be continued', async (format) => {
  writeFileSync(file, gunzipSync(readFileSync(join(fixtures, `format-${format}.db.gz`))));
  // Those of formats 8 and 9 were made from that of format 7.
  const source = format > 7 ? 7 : format;
  const expected = JSON.parse(readFileSync(join(fixtures, `format-${source}.json`), 'utf8')) as Contents;
  const store = await openRunStore({ file, ...context });
  // Fixtures contain no run numbers; these are the row ids, newest first.
  const numbered = expected.runs.map(({ record, ...run }, index, { length }) => {
    return { record: { ...record, number: length - index }, ...run };
  });
  expect(contentsOf(store)).toEqual({ ...expected, runs: numbered });
  const hashes = expected.runs.flatMap(({ events }) => handlesIn(events));
  expect(hashes.length).toBeGreaterThan(3);
  expect(hashes.map((hash) => contentHash(JSON.stringify(store.readValue(hash))))).toEqual(hashes);

  const cut = expected.runs.find(({ record }) => record.status === 'interrupted');
  if (cut === undefined) throw new Error('The fixture has no interrupted run.');
  const { runId } = cut.record;
  const seq = cut.events.length;
  store.claim(runId);
  store.append(runId, [envelope(runId, { type: 'run:resumed' }, seq), envelope(runId, runCompleted, seq + 1)]);
  expect(store.getRun(runId)?.status).toBe('completed');
  expect(store.readEvents(runId, -1, 1_000).map((event) => event.seq)).toEqual([...Array(seq + 2).keys()]);
  store.close();

  const db = await openDb(file);
  expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
  expect(db.all('PRAGMA foreign_key_check')).toEqual([]);
  db.close();
});

test.each([4, 5, 7, 8, 9])('lists open requests and keeps answers of a history of format %i', async (format) => {
  writeFileSync(file, gunzipSync(readFileSync(join(fixtures, `format-${format}.db.gz`))));
  const store = await openRunStore({ file, ...context });
  expect(store.waiting.list(9)).toMatchObject([
    { flow: 'Refund', name: 'pay', key: 'approval', kind: 'approval', message: 'Pay Kim?' },
  ]);
  const [{ runId } = { runId: asRunId('') }] = store.waiting.list(9);
  expect(store.waiting.ofRun(runId).map(({ name, isAnswered }) => [name, isAnswered])).toEqual([
    ['pay', false],
    ['why', true],
  ]);
  expect(store.waiting.runsWithNews()).toEqual([runId]);
  store.close();
});

test('keeps the firings and watches of a history of format 8', async () => {
  writeFileSync(file, gunzipSync(readFileSync(join(fixtures, 'format-8.db.gz'))));
  const store = await openRunStore({ file, ...context });
  const name = { flow: 'a.flow.yaml', trigger: 'new_mail' };
  const from = store.firings.watchOf(name);
  expect(from).toEqual({ definitionHash: 'h', lookedAt: 1_700_000_000_000 });
  expect(store.firings.nextWaiting(name)).toMatchObject({ key: 'k', event: { path: 'a' }, priority: 3 });
  const to = { definitionHash: 'h', lookedAt: 1_700_000_000_000, state: '{}' };
  expect(store.firings.look(name, { from, to }, [])).toBe(0);
  // Another service that has computed firings from the former state records none.
  expect(store.firings.look(name, { from, to: { ...to, state: '[]' } }, [])).toBeUndefined();
  expect(store.firings.watchOf(name)).toEqual(to);
  store.close();
});
