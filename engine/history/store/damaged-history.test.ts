/** Tests damaged history files: the damage is reported, and nothing fails as a bug. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import { envelope, envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { openDb } from './db.ts';
import { currentOwner } from './owner.ts';
import { openRunStore } from './sqlite-run-store.ts';

const context = { clock: systemClock, owner: currentOwner() };

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-damaged-'));
  file = join(folder, 'runs.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function makeDatabase(sql: string): Promise<void> {
  const db = await openDb(file);
  db.exec(sql);
  db.close();
}

/** Damage to a history file, in SQL. */
const damages: readonly (readonly [what: string, sql: string])[] = [
  ['the number of an earlier format', 'PRAGMA user_version = 1'],
  ['the number of an unknown format', 'PRAGMA user_version = 0'],
  ['no runs', 'DROP TABLE run'],
  ['no values', 'DROP TABLE value'],
  ['no events', 'DROP TABLE event_group'],
  ['no work items', 'DROP TABLE work'],
  ['a missing column', 'ALTER TABLE run DROP COLUMN redo_count'],
  ['a renamed column', 'ALTER TABLE event_group RENAME COLUMN json TO text'],
];

describe.each(damages)('a history with %s', (_, sql) => {
  test('reports the history as damaged when it is opened', async () => {
    (await openRunStore({ file, ...context })).close();
    await makeDatabase(`PRAGMA foreign_keys = OFF; ${sql}`);
    await expect(openRunStore({ file, ...context })).rejects.toMatchObject({
      code: 'store.unreadable',
      message: expect.stringContaining(`${file} is damaged`),
    });
  });
});

/** Invalid row contents that the program never writes. */
const badRows: readonly (readonly [what: string, sql: string])[] = [
  ['an unknown kind', `UPDATE run SET kind = 'thing'`],
  ['an unknown status', `UPDATE run SET status = '{'`],
  ['a time that is too large', 'UPDATE run SET started_at = 9223372036854775807'],
  ['inputs that are not JSON', `UPDATE run SET inputs = '{'`],
  ['an error that is not JSON', `UPDATE run SET error = '__proto__'`],
  ['an error that is null', `UPDATE run SET error = 'null'`],
  ['failed nodes that are not a list', `UPDATE run SET failed_nodes = '{}'`],
  ['failed nodes that are numbers', `UPDATE run SET failed_nodes = '[1]'`],
  ['events that are not JSON', `UPDATE event_group SET json = '{'`],
  ['events that are not a list', `UPDATE event_group SET json = '7'`],
  ['an event that is null', `UPDATE event_group SET json = '[null]'`],
  ['an event without a type', `UPDATE event_group SET json = '[{"at":1},{"type":7}]'`],
  ['events without a time', `UPDATE event_group SET json = '[{"type":"run:end"}]'`],
];

describe.each(badRows)('a row with %s', (_, sql) => {
  test('reports the row as damaged when it is read', async () => {
    const store = await openRunStore({ file, ...context });
    store.createRun(newRun('r1'));
    store.append(asRunId('r1'), [envelope(asRunId('r1'), runStart, 0)]);
    const db = await openDb(file);
    db.exec(sql);
    db.close();
    const readAll = (): unknown => [
      store.listRuns({ limit: 9 }),
      store.getRun(asRunId('r1')),
      store.readEvents(asRunId('r1'), -1, 9),
    ];
    expect(readAll).toThrow(
      expect.objectContaining({ code: 'store.unreadable', message: expect.stringContaining(`${file} is damaged`) }),
    );
    store.close();
  });
});

test("a damaged log leaves the list of runs readable, without the run's cost", async () => {
  const store = await openRunStore({ file, ...context });
  store.createRun(newRun('r1'));
  store.append(asRunId('r1'), envelopes(asRunId('r1'), [runStart, { ...runCompleted, costUsd: 1 }]));
  expect(store.listRuns({ limit: 9 })).toMatchObject([{ status: 'completed', costUsd: 1 }]);
  const db = await openDb(file);
  db.exec(`UPDATE event_group SET json = '{'`);
  db.close();
  const [run] = store.listRuns({ limit: 9 });
  expect([run?.status, run?.costUsd]).toEqual(['completed', undefined]);
  store.close();
});
