/** Tests the example that opens at the first start. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';
import { createFastClock } from '../../testing/fast-clock.ts';

const examples = path.resolve(import.meta.dirname, '../../../resources/workspace');

let workspace: string;
let engine: Engine;

beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'millrace-letter-'));
  for (const name of ['welcome-letter.flow.yaml', 'scripted-model.yaml'])
    await cp(path.join(examples, name), path.join(workspace, name));
  engine = await createEngine({
    ...{ workspace, clock: createFastClock(5), homeFolder: path.join(workspace, 'no-home') },
    isTrusted: true,
  });
});

afterAll(async () => {
  await engine.close();
  await rm(workspace, { recursive: true });
});

/** Starts the flow and returns its run, which waits for an answer, and the letter to approve. */
async function startLetter(inputs: JsonMap) {
  const { text } = await engine.readFlow('welcome-letter.flow.yaml');
  const { runId } = await engine.startRun({ path: 'welcome-letter.flow.yaml', text, inputs });
  await engine.whenEnded(runId);
  const run = foldRun(emptyRunState, await engine.readEvents(runId, -1, 5000));
  const input = run.nodes.get('read_it')?.input as { params: { letter: string } } | undefined;
  return { runId, run, letter: input?.params.letter ?? '' };
}

async function answer(runId: RunId, payload: JsonMap): Promise<RunState> {
  await engine.resumeRun({ runId, payload });
  await engine.whenEnded(runId);
  return foldRun(emptyRunState, await engine.readEvents(runId, -1, 5000));
}

test('a model writes to a team, and the letter is saved as it was edited', async () => {
  const { runId, run, letter } = await startLetter({ plan: 'team' });
  expect(run.nodes.get('short_letter')).toMatchObject({ status: 'skipped', skip: { reason: 'edge' } });
  expect(letter).toMatch(/^Dear Ada Okafor,\n\nWelcome to Tidepool! Your team's workspace/);
  const edited = letter.replace('Dear', 'Hello');
  const end = await answer(runId, { approved: true, params: { letter: edited } });
  expect(end.output).toEqual({ letter: edited, path: 'out/welcome.md' });
  expect(await readFile(path.join(workspace, 'out/welcome.md'), 'utf8')).toBe(edited);
  expect(end.nodes.get('not_saved')?.status).toBe('skipped');
});

test('everybody else receives a fixed text, and a rejected letter is not saved', async () => {
  const { runId, run, letter } = await startLetter({ plan: 'single', customer: 'Kim' });
  expect(run.nodes.get('team_letter')?.status).toBe('skipped');
  expect(letter).toContain('it belongs to you alone, Kim.');
  const end = await answer(runId, { approved: false, comment: 'Too short' });
  expect({ status: end.status, failed: [...end.failedNodes] }).toEqual({ status: 'completed', failed: [] });
  expect(end.nodes.get('save')?.status).toBe('skipped');
  expect(end.nodes.get('not_saved')?.output).toEqual({ text: 'Nothing was saved. Too short' });
});
