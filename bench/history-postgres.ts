/**
 * Measures the shared history: lists of 1,000,000 runs, the inbox with 10,000 open requests, and the cost of storing the
 * events of a node. Needs an empty database, as a URL in `MILLRACE_TEST_POSTGRES`. The server's CPU time is read from
 * `/proc`, so the server must be on this machine; otherwise it is not printed.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openSharedHistory } from '../engine/history/postgres/open-shared-history.ts';
import type { SharedHistory } from '../engine/history/postgres/shared-history.ts';
import { createEngine } from '../engine/index.ts';
import { chainFlow } from './graphs.ts';
import { cpuMs, median, percentile } from './statistics.ts';

const runCount = 1_000_000;
const sourceCount = 500;
const openCount = 10_000;
const repeats = 30;
const nodeCount = 100;
const projectedRuns = 200;
/** Events in one call, as many as a busy worker gathers while the former call runs. */
const runsAtOnce = 8;
const eventsAtOnce = 50;
/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

const url = process.env['MILLRACE_TEST_POSTGRES'];
if (url === undefined) {
  console.error('Set MILLRACE_TEST_POSTGRES to the URL of an empty PostgreSQL database.');
  process.exit(2);
}
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query('DROP SCHEMA IF EXISTS millrace_bench CASCADE');
const address = new URL(url);
address.searchParams.set('schema', 'millrace_bench');
const history = await openSharedHistory({ url: address.href, workspace: 'bench' });

await fill();
await measureLists(history);
await measureProjection(history);
await history.close();
await client.query('DROP SCHEMA millrace_bench CASCADE');
await client.end();

/** Adds runs without their events, which lists do not read. One of 100 waits for a person. */
async function fill(): Promise<void> {
  await client.query(`
    INSERT INTO millrace_bench.value VALUES ('d', 'flow: {}', 0);
    INSERT INTO millrace_bench.source (workspace, hash, name, path)
      SELECT 1, i::text, 'Flow number ' || i, 'flows/team-' || i % 20 || '/flow-' || i || '.flow.yaml' FROM generate_series(1, ${sourceCount}) i;
    INSERT INTO millrace_bench.run (run_id, workspace, source, week, session_id, kind, definition_hash, inputs, status, wait,
        started_at, ended_at, duration_ms, spending, part, host_engine)
      SELECT 'run-' || i, 1, 1 + (i::bigint * 7919) % ${sourceCount}, 2900 + i / 20000, 's', 'flow', 'd', '{"a":1}',
        CASE WHEN i % 100 = 0 THEN 'suspended' WHEN i % 10 = 1 THEN 'failed' ELSE 'completed' END,
        CASE WHEN i % 100 = 0 THEN 'PENDING_HUMAN' END, 1.7e12 + i * 1000,
        CASE WHEN i % 100 > 0 THEN 1700000000000 + i::bigint * 1000 END, CASE WHEN i % 100 > 0 THEN 900 END, '[0.01,null,null]',
        '[null,null]', 'restate' FROM generate_series(1, ${runCount}) i;
    INSERT INTO millrace_bench.progress (run, workspace, applied_seq, changed)
      SELECT number, 1, 400, pg_current_xact_id() FROM millrace_bench.run;
    INSERT INTO millrace_bench.waiting (run, place, workspace, name, key, request_hash, answer_place, title, request, kind,
        is_permission, is_automatic, asked_seq, asked_at, deadline_at)
      SELECT number, 'p', 1, 'ask', 'k', 'h', 'a', 'Approve the payment?', '{"kind":"approval","title":"Approve the payment?"}',
        'approval', false, false, 10, 1.7e12 + number, CASE WHEN number % 3 = 0 THEN 1.8e12 + number END
      FROM millrace_bench.run WHERE status = 'suspended' ORDER BY number LIMIT ${openCount};
    UPDATE millrace_bench.source SET name = 'The rare one' WHERE id = 77`);
  await client.query('VACUUM ANALYZE');
}

async function measureLists(shared: SharedHistory): Promise<void> {
  console.log(
    `${runCount.toLocaleString('en')} runs of ${sourceCount} files; milliseconds, median and 95% of ${repeats}`,
  );
  const file = 'flows/team-3/flow-3.flow.yaml';
  const limit = 100;
  await measure('all runs', () => shared.listRuns({ limit }));
  await measure('of a file', () => shared.listRuns({ limit, sourcePath: file }));
  await measure('suspended', () => shared.listRuns({ limit, status: 'suspended' }));
  await measure('suspended of a file', () => shared.listRuns({ limit, sourcePath: file, status: 'suspended' }));
  await measure('text in every name', () => shared.listRuns({ limit, find: { text: 'flow' } }));
  await measure('text in one name', () => shared.listRuns({ limit, find: { text: 'rare' } }));
  await measure('text in no name', () => shared.listRuns({ limit, find: { text: 'nowhere' } }));
  await measure('by number', () => shared.listRuns({ limit, find: { number: 500_000 } }));
  await measure(`inbox, all ${openCount.toLocaleString('en')}`, () => shared.listWaiting(20_000));
  await measure('inbox, first 100', () => shared.listWaiting(100));
  await measure('unfinished runs', () => shared.changesSince());
  const { cursor } = await shared.changesSince();
  await measure('changed runs, none', () => shared.changesSince(cursor));
}

async function measure(what: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < repeats + 5; i++) {
    const startedAt = performance.now();
    await read();
    if (i >= 5) times.push(performance.now() - startedAt);
  }
  console.log(
    `  ${what.padEnd(22)} ${median(times).toFixed(1).padStart(7)} ${percentile(times, 0.95).toFixed(1).padStart(7)}`,
  );
}

/** Stores the log of one real run again and again, as different runs. */
async function measureProjection(shared: SharedHistory): Promise<void> {
  const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  const engine = await createEngine({ workspace });
  const { runId: original } = await engine.startRun({ path: 'a.flow.yaml', text: chainFlow(nodeCount), inputs: {} });
  await engine.whenEnded(original);
  const log = await engine.readEvents(original, -1, 10_000);
  await engine.close();
  await rm(workspace, { recursive: true });

  const ids = Array.from({ length: projectedRuns }, (_, i) => `bench-${i}` as typeof original);
  const [startedAt, ownBefore, serverBefore] = [performance.now(), cpuMs(), await serverCpuMs()];
  for (let first = 0; first < ids.length; first += runsAtOnce) {
    const some = ids.slice(first, first + runsAtOnce);
    for (const runId of some) {
      const context = { runId, sessionId: log[0]?.context.sessionId ?? ('s' as never), queuedAt: Date.now() };
      const named = {
        kind: 'flow',
        name: 'chain',
        sourcePath: 'a.flow.yaml',
        definition: 'flow: {}',
        inputs: {},
      } as const;
      await shared.createRun({ ...context, ...named, host: { engine: 'restate' } });
    }
    for (let seq = 0; seq < log.length; seq += eventsAtOnce) {
      const events = log.slice(seq, seq + eventsAtOnce);
      await shared.project(some.map((runId) => ({ runId, events: events.map((event) => ({ ...event, runId })) })));
    }
  }
  const nodes = projectedRuns * nodeCount;
  const perNode = (ms: number): string => ((ms * 1000) / nodes).toFixed(0).padStart(5);
  const server = (await serverCpuMs()) - serverBefore;
  console.log(`${projectedRuns} runs of ${nodeCount} nodes and ${log.length} events; microseconds per node`);
  console.log(`  this process, CPU  ${perNode(cpuMs() - ownBefore)}`);
  console.log(`  server, CPU        ${server === 0 ? '    -' : perNode(server)}`);
  console.log(`  elapsed            ${perNode(performance.now() - startedAt)}`);
}

/** Returns the CPU time of the server's processes for the history's connections; 0 if it is not here. */
async function serverCpuMs(): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'millrace'`,
  );
  let ticks = 0;
  for (const { pid } of rows) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [, user = '0', system = '0'] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(stat) ?? [];
    ticks += Number(user) + Number(system);
  }
  return ticks * tickMs;
}
