/**
 * A program that starts or continues a run and prints each of its events, so that it can be killed after any of them.
 * Called as `<folder> <order as JSON>`. It answers every request: it grants permissions, raises budgets, decides about
 * held nodes, and lets interrupted nodes run again.
 */
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { asRunId, type RunId } from '../base/ids.ts';
import type { SqliteConnection, SqliteStatement } from '../history/store/sqlite-driver.ts';
import { createEngine, type Engine } from '../index.ts';
import { foldRun } from '../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../runtime/kernel/events/run-state.ts';
import type { KillDecision, KillNews, KillOrder } from './kill-order.ts';

const [folder = '', text = ''] = process.argv.slice(2);
const order = JSON.parse(text) as KillOrder;
const driverName = '@photostructure/sqlite';
/** Whether the engine is open. Its own commits are not counted. */
let hasBegun = false;

/** Ends the program around a commit. Wraps what the driver opens, because its classes cannot be changed. */
function crashAround({ commit, when }: NonNullable<KillOrder['crash']>): void {
  const load = createRequire(import.meta.filename);
  const driver = load(driverName) as { readonly DatabaseSync: new (file: string) => SqliteConnection };
  let commits = 0;
  const crashIfDue = (now: 'before' | 'after'): void => {
    if (hasBegun && commits === commit && now === when) process.kill(process.pid, 'SIGKILL');
  };
  const counted = (connection: SqliteConnection, sql: string): SqliteStatement => {
    const statement = connection.prepare(sql);
    return {
      get: (...params) => statement.get(...params),
      all: (...params) => statement.all(...params),
      run(...params) {
        const isCommit = sql === 'COMMIT' || !(connection.isTransaction || sql.startsWith('BEGIN'));
        if (!isCommit) return statement.run(...params);
        crashIfDue('before');
        const result = statement.run(...params);
        crashIfDue('after');
        if (hasBegun) commits++;
        return result;
      },
    };
  };
  function opened(file: string): SqliteConnection {
    const connection = new driver.DatabaseSync(file);
    return {
      get isTransaction() {
        return connection.isTransaction;
      },
      exec: (sql) => connection.exec(sql),
      prepare: (sql) => counted(connection, sql),
      close: () => connection.close(),
    };
  }
  const cached = load.cache[load.resolve(driverName)];
  if (cached === undefined) throw new Error(`${driverName} is not loaded`);
  cached.exports = { DatabaseSync: opened };
  // The driver of Node is not used.
  process.getBuiltinModule = () => undefined;
}

if (order.crash !== undefined) crashAround(order.crash);
const engine = await createEngine({
  workspace: path.join(folder, 'workspace'),
  homeFolder: path.join(folder, 'home'),
  env: {},
  ...(order.isTrusted ? { isTrusted: true } : { asksPermission: true }),
});

function print(news: KillNews): void {
  writeSync(1, `${JSON.stringify(news)}\n`);
}

async function begin(): Promise<RunId> {
  if ('proceed' in order) return asRunId(order.proceed);
  if ('rerun' in order) return (await engine.rerunFrom({ runId: asRunId(order.rerun) })).runId;
  const { breakpoints } = order.person ?? {};
  const request = { path: order.path, text: order.text, inputs: {} };
  return (await engine.startRun({ ...request, ...(breakpoints === undefined ? {} : { breakpoints }) })).runId;
}

/** Raises the budget of a paused run, so that its next node can use a model. */
async function raise(runId: RunId): Promise<void> {
  const events = (await engine.readEvents(runId, -1, 10_000)).map(({ event }) => event);
  const limits = events.flatMap((event) => {
    if (event.type === 'run:start') return event.budget?.tokens ?? 0;
    return event.type === 'run:resumed' ? (event.raised?.tokens ?? 0) : 0;
  });
  await engine.resumeRun({ runId, action: 'raise', raised: { tokens: Math.max(...limits) + 30 } });
}

/** Decides about the held nodes of a paused run, unless an earlier process has let it continue. */
async function decide(runId: RunId, decisions: Readonly<Record<string, KillDecision>>): Promise<void> {
  await engine.resumeRun({ runId });
  await engine.whenEnded(runId);
  if ((await engine.getRun(runId)).waitStatus !== 'PAUSED') return;
  const { held } = foldRun(emptyRunState, await engine.readEvents(runId, -1, 10_000));
  const name = held[0]?.name ?? '';
  const decision = order.done?.includes(name) ? undefined : decisions[name];
  if (decision === undefined || decision.action === 'change') {
    if (decision !== undefined) {
      await engine.changeOutput({ runId, nodeId: decision.of, output: decision.output });
      print({ type: 'decided', decided: name });
    }
    await engine.resumeRun({ runId, action: 'step' });
  } else {
    await engine.resumeRun({ runId, nodeId: name, ...decision });
    print({ type: 'decided', decided: name });
  }
}

/** Answers open requests. @returns whether there were any */
async function answer(runId: RunId, { waitingPermissions, grantPermissions, allowWaiting }: Engine): Promise<boolean> {
  const { status, waitStatus } = await engine.getRun(runId);
  if (status === 'interrupted') await engine.resumeRun({ runId });
  else if (waitStatus === 'PAUSED')
    await (order.person === undefined ? raise(runId) : decide(runId, order.person.decisions));
  else if (status !== 'suspended') return false;
  else {
    const needs = (await waitingPermissions(runId)).flatMap((one) => one.needs);
    await grantPermissions(needs);
    const isCut = (await engine.waiting(runId)).length > needs.length;
    if (needs.length > 0) await allowWaiting({ runId, needs });
    else await engine.resumeRun({ runId, ...(isCut ? { decision: 'approve' } : {}) });
  }
  return true;
}

hasBegun = true;
engine.subscribe((events) => {
  for (const { event, runId } of events) {
    print({ type: event.type });
    if (event.type === 'task:start' && event.nodeId === order.person?.pausesAt && !('proceed' in order))
      void engine.pauseRun(runId);
  }
});
const runId = await begin();
print({ type: 'accepted', runId });
if ('proceed' in order || order.person !== undefined) {
  await engine.whenEnded(runId);
  while (await answer(runId, engine)) await engine.whenEnded(runId);
}
await engine.whenEnded(runId);
print({ type: 'over', status: (await engine.getRun(runId)).status });
await engine.close();
