/** The example that asks, in an engine with a history on disk that is closed and opened again while it waits. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunId } from '../base/ids.ts';
import { createEngine, type Engine } from '../index.ts';
import { foldRun } from '../kernel/fold-run.ts';
import { emptyRunState, type RunState } from '../kernel/run-state.ts';
import { createFastClock } from '../testing/fast-clock.ts';
import { openScopes } from '../testing/open-scopes.ts';

let workspace: string;
const source = path.join(import.meta.dirname, '../../resources/workspace');

beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'millrace-asking-'));
  await cp(source, workspace, { recursive: true });
});
afterAll(() => rm(workspace, { recursive: true }));

async function inEngine<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const homeFolder = path.join(workspace, 'no-home');
  const engine = await createEngine({ workspace, clock: createFastClock(50), homeFolder, isTrusted: true });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

function stateOf(engine: Engine, runId: RunId): RunState {
  const log = engine.readEvents(runId, -1, 5000);
  if (foldRun(emptyRunState, log).status === 'completed') expect(openScopes(log)).toEqual([]);
  return foldRun(emptyRunState, log);
}

test('12.1 reply-drafts.aip waits over restarts, writes what was approved, and pays for each reply once', async () => {
  const runId = await inEngine(async (engine) => {
    const accepted = await engine.startAgent({ agent: 'reply-drafts.aip' });
    if ('work' in accepted) throw new Error('It waits for work.');
    await engine.whenEnded(accepted.runId);
    expect(stateOf(engine, accepted.runId).status).toBe('suspended');
    return accepted.runId;
  });
  await inEngine(async (engine) => {
    const payload = { approved: true, params: { greeting: 'Hello Grace,' } };
    await engine.resumeRun({ runId, nodeId: 'input:1', payload, by: 'kim' });
    await engine.whenEnded(runId);
    expect(stateOf(engine, runId).nodes.get('input:1')?.status).toBe('completed');
  });
  const state = await inEngine(async (engine) => {
    await engine.resumeRun({ runId, decision: 'reject', comment: 'not mended yet' });
    await engine.whenEnded(runId);
    return stateOf(engine, runId);
  });
  expect(state).toMatchObject({ status: 'completed', output: { after_all: '1 of 2 replies written' } });
  expect(state.output).toMatchObject({ outputs: [{ sent: false, why: 'not mended yet' }, { sent: true }] });
  expect(state.usage).toMatchObject({ promptTokens: 87, completionTokens: 28 });
  const reply = await readFile(path.join(workspace, 'out/reply-to-Grace.md'), 'utf8');
  expect(reply).toBe('Hello Grace,\n\nWe are glad that you like it. More is on its way.\n');
});
