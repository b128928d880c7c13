/**
 * A program that starts or continues a run and prints each of its events, so that it can be killed after any of them.
 * Called as `<folder> <order as JSON>`. It answers every request: it grants permissions, raises budgets, and lets
 * interrupted nodes run again.
 */
import { writeSync } from 'node:fs';
import path from 'node:path';
import { asRunId, type RunId } from '../base/ids.ts';
import { createEngine, type Engine } from '../index.ts';
import type { KillNews, KillOrder } from './kill-order.ts';

const [folder = '', text = ''] = process.argv.slice(2);
const order = JSON.parse(text) as KillOrder;
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
  return (await engine.startRun({ path: order.path, text: order.text, inputs: {} })).runId;
}

/** Raises the budget of a paused run, so that its next node can use a model. */
async function raise(runId: RunId, engine: Engine): Promise<void> {
  const events = (await engine.readEvents(runId, -1, 10_000)).map(({ event }) => event);
  const limits = events.flatMap((event) => {
    if (event.type === 'run:start') return event.budget?.tokens ?? 0;
    return event.type === 'run:resumed' ? (event.raised?.tokens ?? 0) : 0;
  });
  await engine.resumeRun({ runId, action: 'raise', raised: { tokens: Math.max(...limits) + 30 } });
}

/** Answers open requests. @returns whether there were any */
async function answer(runId: RunId, { waitingPermissions, grantPermissions, allowWaiting }: Engine): Promise<boolean> {
  const { status, waitStatus } = await engine.getRun(runId);
  if (status === 'interrupted') await engine.resumeRun({ runId });
  else if (waitStatus === 'PAUSED') await raise(runId, engine);
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

engine.subscribe((events) => {
  for (const { event } of events) print({ type: event.type });
});
const runId = await begin();
print({ type: 'accepted', runId });
if ('proceed' in order) while (await answer(runId, engine)) await engine.whenEnded(runId);
await engine.whenEnded(runId);
print({ type: 'over', status: (await engine.getRun(runId)).status });
await engine.close();
