/**
 * Tests that rows which Millrace has not written do not affect other runs, and are not trusted.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { askingLog, asOf } from '../../testing/asking-log.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { isMissing, sharedPostgres } from '../../testing/test-postgres.ts';
import { contentHash } from '../store/large-value.ts';
import { listSharedWorkspaces } from './list-workspaces.ts';
import { openSharedHistory } from './open-shared-history.ts';
import type { SharedHistory } from './shared-history.ts';

const postgres = await sharedPostgres();
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';
const host = { engine: 'restate' };

describe.skipIf(isMissing(postgres))(`rows of somebody else${why}`, () => {
  let url: string;
  let history: SharedHistory;

  beforeAll(async () => {
    if (isMissing(postgres)) return;
    url = await postgres.createDatabase();
    history = await openSharedHistory({ url, workspace: 'w' });
  });
  afterAll(async () => history?.close());

  async function ask(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  /** Records runs that wait for answers. */
  async function recordWaiting(...ids: readonly string[]): Promise<void> {
    const log = await askingLog();
    const end = log.findIndex(({ event, rootRunId }) => event.type === 'run:suspended' && rootRunId === undefined);
    for (const runId of ids.map(asRunId)) {
      await history.createRun({ ...newRun(runId), host });
      await history.project([{ runId, events: log.slice(0, end + 1).map((event) => asOf(runId, log, event)) }]);
    }
  }

  test('a run without a name is listed, and a name of any size leaves the list small', async () => {
    for (const id of ['nameless', 'long', 'sound']) await history.createRun({ ...newRun(id, { name: id }), host });
    await ask(`UPDATE millrace.run SET source = 99999 WHERE run_id = 'nameless';
      UPDATE millrace.source SET name = repeat('n', 5000000), path = repeat('p', 5000000) WHERE name = 'long';
      UPDATE millrace.run SET error = repeat('e', 5000000), failed_nodes = repeat('f', 5000000) WHERE run_id = 'long'`);
    const runs = await history.listRuns({ limit: 9 });
    expect(runs.map(({ runId, damage }) => [runId, damage])).toEqual([
      ['sound', undefined],
      ['long', 'its error is damaged'],
      ['nameless', 'the name of its flow is missing'],
    ]);
    expect(JSON.stringify(runs).length).toBeLessThan(20_000);
    const failed = history.getRun(asRunId('nameless'));
    await expect(failed).rejects.toMatchObject({ code: 'store.unreadable' });
    // This command deletes runs of the local history, so it must not be suggested.
    await expect(failed).rejects.not.toThrow('runs delete');
  });

  test('requests with impossible times and huge texts are listed with the others', async () => {
    await recordWaiting('odd', 'fine');
    const odd = `run = (SELECT number FROM millrace.run WHERE run_id = 'odd')`;
    await ask(`UPDATE millrace.waiting SET asked_at = 'Infinity', deadline_at = 'NaN', reminded_at = 1e300,
      title = repeat('t', 5000000), kind = 'odd' WHERE ${odd}`);
    const entries = await history.listWaiting(99);
    expect(new Set(entries.map(({ runId }) => runId))).toEqual(new Set(['fine', 'odd']));
    for (const { runId, askedAt, deadlineAt, remindedAt } of entries)
      if (runId === 'odd') expect([askedAt, deadlineAt, remindedAt]).toEqual([0, undefined, undefined]);
    expect(JSON.stringify(entries).length).toBeLessThan(100_000);
    expect((await history.asksOf(asRunId('odd')))[0]).toMatchObject({ askedAt: 0 });
  });

  test('a text that does not match its hash is not used', async () => {
    const run = newRun('changed', { definition: 'flow: { name: First }', nodeSettings: { a: 'b' } });
    await history.createRun({ ...run, host });
    const [definition, settings] = [contentHash(run.definition), contentHash(JSON.stringify(run.nodeSettings))];
    expect(await history.readText(definition)).toBe(run.definition);
    expect(await history.getRun(run.runId)).toMatchObject({ nodeSettings: { a: 'b' } });
    await ask(`UPDATE millrace.value SET content = 'flow: { name: Other }' WHERE hash = '${definition}';
      UPDATE millrace.value SET content = '{"a":"c"}' WHERE hash = '${settings}'`);
    expect(await history.readText(definition)).toBeUndefined();
    expect(await history.readValues([settings])).toEqual(new Map());
    await expect(history.getRun(run.runId)).rejects.toMatchObject({ code: 'store.unreadable' });
  });

  test('workspaces that cannot be opened are not listed', async () => {
    await ask(`INSERT INTO millrace.workspace (name) VALUES (repeat('w', 201)), (E'a\\u202eb'), ('../b'), (E'c\\nd')`);
    expect(await listSharedWorkspaces(url)).toEqual(['../b', 'w']);
    await expect(openSharedHistory({ url, workspace: 'a\u202eb' })).rejects.toMatchObject({ code: 'store.bad-url' });
  });

  test('malformed events are an error of their run, and unknown ones are not', async () => {
    const ids = ['odd1', 'odd2', 'unknown', 'whole'].map(asRunId);
    for (const runId of ids) {
      await history.createRun({ ...newRun(runId), host });
      await history.project([{ runId, events: envelopes(runId, [runStart, runCompleted]) }]);
    }
    const change = (runId: string, event: string) =>
      ask(`UPDATE millrace.event SET json = '[{"seq":1,"at":1},${event}]' WHERE seq = 1
        AND run = (SELECT number FROM millrace.run WHERE run_id = '${runId}')`);
    await change('odd1', '{"type":"run:end"}');
    await change('odd2', 'null');
    await change('unknown', '{"type":"quantum:leap"}');
    const read = (runId: string) => history.readEvents(asRunId(runId), -1, 9);
    await expect(read('odd1')).rejects.toThrow('"status" of event 1 (run:end) is invalid');
    await expect(read('odd2')).rejects.toMatchObject({ code: 'store.unreadable' });
    expect(await read('unknown')).toHaveLength(2);
    expect(await read('whole')).toHaveLength(2);
  });

  test('pages of events are complete up to the last event', async () => {
    const runId = asRunId('pages');
    await history.createRun({ ...newRun(runId), host });
    const inputs = Array.from({ length: 9 }, (_, input) => ({ type: 'node:input', nodeId: 'n', input }) as const);
    await history.project([{ runId, events: envelopes(runId, [runStart, ...inputs]) }]);
    const seqsAfter = async (seq: number, limit: number) =>
      (await history.readEvents(runId, seq, limit)).map((event) => event.seq);
    expect(await seqsAfter(-1, 3)).toEqual([0, 1, 2]);
    expect(await seqsAfter(7, 3)).toEqual([8, 9]);
    expect(await seqsAfter(3, Number.POSITIVE_INFINITY)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(await seqsAfter(Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY)).toEqual([]);
  });
});
