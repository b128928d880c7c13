/** Tests what a form page learns about a run. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { createEngine, type Engine, inMemory } from '../../index.ts';
import type { RunId } from '../../isomorphic.ts';
import type { PageRun } from './page-data.ts';
import { followPageRun } from './page-run.ts';

const asking = `
flow:
  name: Greet
  outputs: { words: "{{each_name.iterations}}", who: "{{ask_person.values.who}}" }
nodes:
  - { id: ask_person, type: user_input, input: { title: Who?, message: Be kind, schema: { type: object, properties: { who: { type: string } }, required: [who] } } }
  - { id: each_name, name: Greet everyone, type: control.foreach, input: { items: [a, b], body: [greet] } }
  - { id: greet, type: echo, input: { text: "Hello {{item}}" } }
  - { id: never, type: echo, input: { text: x }, disabled: true }
edges:
  - { from: ask_person, to: each_name }
`;

let folder: string;
let home: string;
let engine: Engine;
let stop: AbortController;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-page-run-')));
  home = mkdtempSync(join(tmpdir(), 'millrace-page-run-home-'));
  engine = await createEngine({ workspace: folder, homeFolder: home, storeFile: inMemory });
  stop = new AbortController();
});
afterEach(async () => {
  await engine.close();
  for (const one of [folder, home]) rmSync(one, { recursive: true, force: true });
});

async function start(text: string): Promise<RunId> {
  writeFileSync(join(folder, 'a.flow.yaml'), text);
  return (await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} })).runId;
}

function follow(runId: RunId, showsProgress = true): AsyncGenerator<PageRun> {
  return followPageRun({ engine, runId, showsProgress, clock: systemClock, signal: stop.signal });
}

/** Reads states until one fits. */
async function until(states: AsyncGenerator<PageRun>, fits: (state: PageRun) => boolean): Promise<PageRun> {
  for (;;) {
    const { value, done } = await states.next();
    if (done === true) throw new Error('The run ended first.');
    if (fits(value)) return value;
  }
}

test('a page sees steps, questions and outputs, but no input or output of a node', async () => {
  const runId = await start(asking);
  const states = follow(runId);
  const waiting = await until(states, ({ status }) => status === 'suspended');
  expect(waiting.questions).toEqual([
    expect.objectContaining({ node: 'ask_person', title: 'Who?', message: 'Be kind', key: expect.any(String) }),
  ]);
  expect(waiting.steps).toMatchObject([
    { id: 'ask_person', label: 'Ask person', state: 'suspended' },
    { id: 'each_name', label: 'Greet everyone', state: 'idle' },
  ]);
  const [question] = waiting.questions;
  const answer = { payload: { values: { who: 'Kim' } }, nodeId: 'ask_person', key: question?.key ?? '' };
  await engine.resumeRun({ runId, ...answer });
  const ended = await until(states, ({ status }) => status === 'completed');
  expect(ended.steps.map(({ state }) => state)).toEqual(['completed', 'completed']);
  expect(ended.steps[1]).toMatchObject({ done: 2, total: 2, durationMs: expect.any(Number) });
  expect(ended).toMatchObject({ questions: [], outputs: { who: 'Kim' }, durationMs: expect.any(Number) });
  expect((await states.next()).done).toBe(true);
});

test('without progress, a page only sees that the run has ended', async () => {
  const runId = await start('flow: { name: A }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []\n');
  const ended = await until(follow(runId, false), ({ status }) => status === 'completed');
  expect(ended.steps).toEqual([]);
  expect(ended).not.toHaveProperty('outputs');
  expect(await until(follow(runId), ({ status }) => status === 'completed')).toMatchObject({
    outputs: { a: { text: 'hi' } },
  });
});

test('large outputs are complete, and an approval is no question', async () => {
  const long = 'x'.repeat(200_000);
  const runId = await start(`flow: { name: A }\nnodes: [{ id: a, type: echo, input: { text: ${long} } }]\nedges: []\n`);
  const { outputs } = await until(follow(runId), ({ status }) => status === 'completed');
  expect(outputs).toEqual({ a: { text: long } });
  const approval = await start(
    'flow: { name: A }\nnodes: [{ id: a, type: human_approval, input: { message: Send? } }]\nedges: []\n',
  );
  expect((await until(follow(approval), ({ status }) => status === 'suspended')).questions).toEqual([]);
});

test('13.5 a paused run is shown as paused, with no question', async () => {
  const runId = await start(
    'flow: { name: A }\nnodes: [{ id: a, type: control.wait, input: { ms: 500 } }, { id: b, type: echo, input: { text: x } }]\nedges: [{ from: a, to: b }]\n',
  );
  await engine.pauseRun(runId);
  const paused = await until(follow(runId), ({ status }) => status === 'suspended');
  expect(paused).toMatchObject({ isPaused: true, questions: [] });
  await engine.resumeRun({ runId, action: 'continue' });
  expect(await until(follow(runId), ({ status }) => status === 'completed')).not.toHaveProperty('isPaused');
});

test('a failure names no folder of the machine', async () => {
  const runId = await start(
    `flow: { name: A }\nnodes: [{ id: a, type: control.fail, input: { message: "No ${folder}/b.txt" } }]\nedges: []\n`,
  );
  const { problem } = await until(follow(runId), ({ status }) => status === 'failed');
  expect(problem).toContain('No b.txt');
  expect(problem).not.toContain(folder);
});

test('a page that is closed stops following', async () => {
  const runId = await start(asking);
  const states = follow(runId);
  await until(states, ({ status }) => status === 'suspended');
  const next = states.next();
  stop.abort(new Error('closed'));
  await expect(next).rejects.toThrow('closed');
});
