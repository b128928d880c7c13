/**
 * Tests an engine that shares its runs, as an embedding program creates it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openSharedHistory } from '../../history/postgres/open-shared-history.ts';
import { createEngine, type Engine } from '../../index.ts';
import { freePort } from '../../testing/free-port.ts';
import { isMissing, sharedPostgres } from '../../testing/test-postgres.ts';

const postgres = await sharedPostgres();
const why = isMissing(postgres) ? ` (skipped: ${postgres.missing})` : '';

const text = `
flow: { name: Short }
nodes: [ { id: a, type: echo, input: { text: hello } } ]
edges: []`;

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'millrace-share-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

async function runOnce(engine: Engine): Promise<string> {
  const { runId } = await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} });
  return (await engine.whenEnded(runId)).status;
}

describe.skipIf(isMissing(postgres))(`an engine that shares its runs${why}`, () => {
  test('13.11 its runs are in the shared history when it has closed, under the name of its folder', async () => {
    if (isMissing(postgres)) return;
    const url = await postgres.createDatabase();
    const engine = await createEngine({ workspace, sharedHistory: { url } });
    expect(await runOnce(engine)).toBe('completed');
    const [local] = await engine.listRuns({ limit: 1 });
    await engine.close();
    const history = await openSharedHistory({ url, workspace: basename(workspace), isReadOnly: true });
    expect(await history.listRuns({ limit: 9 })).toEqual([local]);
    await history.close();
  });
});

test('runs do not depend on a shared history that cannot be reached', async () => {
  const url = `postgres://me:secret@127.0.0.1:${await freePort()}/none`;
  const engine = await createEngine({ workspace, sharedHistory: { url } });
  expect(await runOnce(engine)).toBe('completed');
  await vi.waitUntil(() => engine.notices.some(({ code }) => code === 'store.unreachable'));
  expect(JSON.stringify(engine.notices)).not.toContain('secret');
  await engine.close();
});

test('a bad URL is rejected at the start', async () => {
  await expect(createEngine({ workspace, sharedHistory: { url: 'redis://x' } })).rejects.toMatchObject({
    code: 'store.bad-url',
  });
});
