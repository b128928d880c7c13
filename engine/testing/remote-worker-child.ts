/**
 * A worker for tests: runs flows with a local engine, projects their events to a shared history, and delivers answers
 * and requests from there. Started with `URL WORKSPACE FOLDER`. Each line on stdin is a flow to start. Prints
 * the ID of each started run. After a kill, another one on the same folder continues the runs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RunId } from '../base/ids.ts';
import { openSharedHistory } from '../history/postgres/open-shared-history.ts';
import { createEngine } from '../index.ts';

const [, , url = '', workspace = '', folder = ''] = process.argv;
const host = { engine: 'restate' };
const lookMs = 100;

const history = await openSharedHistory({ url, workspace });
const engine = await createEngine({ workspace: folder, homeFolder: `${folder}/.home`, env: {} });
const pending = new Map<RunId, Promise<void>>();

async function projectNew(runId: RunId): Promise<void> {
  const { kind, name, sourcePath, startedAt } = await engine.getRun(runId);
  const events = await engine.readEvents(runId, await history.projectedSeq(runId), 5000);
  const [first] = events;
  if (first === undefined) return;
  const definition = await engine.readDefinition(runId);
  const { sessionId } = first.context;
  await history.createRun({
    runId,
    sessionId,
    kind,
    name,
    sourcePath,
    definition,
    inputs: {},
    queuedAt: startedAt,
    host,
  });
  await history.project([{ runId, events }]);
}

function project(runId: RunId): void {
  const former = pending.get(runId) ?? Promise.resolve();
  pending.set(
    runId,
    former.then(() => projectNew(runId)),
  );
}

engine.subscribe((events) => {
  for (const runId of new Set(events.map((event) => event.rootRunId ?? event.runId))) project(runId);
});

async function deliver(): Promise<void> {
  for (const { id, runId, answer } of await history.undeliveredAnswers('durable', 10)) {
    const { name: nodeId, key, payload, by } = answer;
    await engine.resumeRun({ runId, nodeId, key, payload, ...(by === undefined ? {} : { by }) });
    await history.markDelivered([id]);
  }
  for (const { id, kind, runId, by = 'unknown' } of await history.openRequests('durable', 10)) {
    if (kind === 'cancel') await engine.cancelRun(runId);
    else if (kind === 'pause') await engine.pauseRun(runId);
    else await engine.resumeRun({ runId, action: kind, by });
    await history.markDone([id]);
  }
}

createInterface({ input: process.stdin }).on('line', async (path) => {
  const { runId } = await engine.startRun({ path, text: readFileSync(join(folder, path), 'utf8'), inputs: {} });
  process.stdout.write(`${runId}\n`);
});

for (;;) {
  await deliver();
  await new Promise((resolve) => setTimeout(resolve, lookMs));
}
