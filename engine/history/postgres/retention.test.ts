/**
 * Tests deleting old runs.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asRunId, type RunId } from '../../base/ids.ts';
import { envelopes, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { isMissing, sharedPostgres } from '../../testing/test-postgres.ts';
import { contentHash } from '../store/large-value.ts';
import type { NewRun } from '../store/run-store.ts';
import { openSharedHistory } from './open-shared-history.ts';
import type { SharedHistory } from './shared-history.ts';

const postgres = await sharedPostgres();
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';

describe.skipIf(isMissing(postgres))(`retention${why}`, () => {
  let history: SharedHistory;
  let url: string;

  beforeAll(async () => {
    if (isMissing(postgres)) return;
    url = await postgres.createDatabase();
    history = await openSharedHistory({ url, workspace: 'w' });
  });
  afterAll(async () => await history?.close());

  async function ask<Row extends object>(sql: string): Promise<readonly Row[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<Row>(sql);
    await client.end();
    return rows;
  }

  async function record(id: string, value: string, more: Partial<NewRun> & { isOpen?: true } = {}): Promise<RunId> {
    const { isOpen, ...run } = more;
    const runId = asRunId(id);
    await history.createRun({ ...newRun(id, { definition: `flow: ${id}`, ...run }), host: { engine: 'restate' } });
    const text = JSON.stringify(value);
    const handle = { $value: contentHash(text), bytes: text.length, type: 'string', preview: '' } as const;
    const end = { ...runCompleted, output: handle };
    const events = envelopes(runId, isOpen ? [runStart] : [runStart, end]);
    await history.project([{ runId, events, texts: [text] }]);
    return runId;
  }

  const remaining = async () => (await history.listRuns({ limit: 99 })).map(({ runId }) => runId).reverse();
  const hasText = async (text: string) => (await history.readText(contentHash(text))) !== undefined;

  test('deletes ended runs and what only they use, a few at a time, and never unfinished ones', async () => {
    await record('old1', 'own value');
    await record('old2', 'shared value');
    await record('reused', 'reused value');
    await record('open', 'shared value', { isOpen: true, rerunOf: asRunId('reused') });
    await record('recent', 'shared value', { queuedAt: Date.now() });
    await ask(
      `UPDATE millrace.value SET kept_at = 0; UPDATE millrace.run SET ended_at = ${Date.now()} WHERE run_id = 'recent'`,
    );
    expect(await history.removeOldRuns({ keepDays: 30, limit: 1 })).toEqual({ removed: 1, hasMore: true });
    expect(await remaining()).toEqual(['old2', 'reused', 'open', 'recent']);
    expect(await history.removeOldRuns({ keepDays: 30, limit: 10 })).toEqual({ removed: 1, hasMore: false });
    expect(await remaining()).toEqual(['reused', 'open', 'recent']);
    expect([await hasText('"own value"'), await hasText('"shared value"'), await hasText('flow: old1')]).toEqual([
      false,
      true,
      false,
    ]);
    expect(await history.readEvents(asRunId('old1'), -1, 9)).toEqual([]);
    expect(await history.readEvents(asRunId('reused'), -1, 9)).toHaveLength(2);
  });

  test('drops partitions whose runs are all gone', async () => {
    const tables = async () =>
      (await ask<{ relname: string }>(`SELECT relname FROM pg_class WHERE relname ~ '^event_\\d+$'`)).map(
        (row) => row.relname,
      );
    expect(await tables()).toContain('event_0');
    await history.project([{ runId: asRunId('open'), events: envelopes(asRunId('open'), [runCompleted], 1) }]);
    await history.removeOldRuns({ keepDays: 30, limit: 10 });
    expect(await remaining()).toEqual(['recent']);
    expect(await tables()).not.toContain('event_0');
    // A run that was recorded elsewhere long ago can still be added.
    await record('late', 'late value');
    expect(await history.readEvents(asRunId('late'), -1, 9)).toHaveLength(2);
  });
});
