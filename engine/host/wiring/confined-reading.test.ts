/**
 * Tests what an engine with web pages as callers can read: without trust, nothing outside the workspace, the base
 * folder and packs.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let root: string;
let workspace: string;
let engines: Engine[];

const agent = scriptSection('After All', 'return #inputs');
const flow = 'flow: { name: secret }\nnodes: []\nedges: []\n';

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-confined-')));
  workspace = path.join(root, 'workspace');
  mkdirSync(path.join(workspace, 'notes'), { recursive: true });
  mkdirSync(path.join(root, 'base'));
  writeFileSync(path.join(root, 'outside.aip'), agent);
  writeFileSync(path.join(root, 'outside.flow.yaml'), flow);
  writeFileSync(path.join(workspace, 'inside.aip'), agent);
  writeFileSync(path.join(workspace, 'notes/a.md'), 'a');
  writeFileSync(path.join(root, 'base/own.aip'), agent);
  symlinkSync(path.join(root, 'outside.aip'), path.join(workspace, 'link.aip'));
  symlinkSync('inside.aip', path.join(workspace, 'alias.aip'));
  symlinkSync(root, path.join(workspace, 'up'));
  engines = [];
});
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  rmSync(root, { recursive: true });
});

async function open(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({ workspace, homeFolder: path.join(root, 'base'), ...options });
  engines.push(engine);
  return engine;
}

const confined = { confinesReading: true } as const;
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (thrown: unknown) => toErrorRecord(thrown).code,
  );

const outside = () => ['link.aip', '../outside.aip', path.join(root, 'outside.aip'), 'up/outside.aip', 'link'];
const inside = () => [
  'inside.aip',
  'inside',
  'alias.aip',
  path.join(workspace, 'inside.aip'),
  path.join(root, 'base/own.aip'),
];

test('neither shows nor runs an agent outside, directly or through a link, whatever its text', async () => {
  const engine = await open(confined);
  for (const name of outside()) {
    expect([name, await codeOf(engine.readAgent(name))]).toEqual([name, 'files.outside']);
    expect([name, await codeOf(engine.startAgent({ agent: name }))]).toEqual([name, 'files.outside']);
    expect([name, await codeOf(engine.startAgent({ agent: name, text: agent }))]).toEqual([name, 'files.outside']);
    expect([name, await codeOf(engine.previewAgent({ agent: name, index: 0 }))]).toEqual([name, 'files.outside']);
  }
  expect(await engine.listRuns({ limit: 10 })).toEqual([]);
});

test('shows and runs agents inside, also through links that stay inside', async () => {
  const engine = await open(confined);
  for (const name of inside()) {
    expect((await engine.readAgent(name)).text).toBe(agent);
    expect([name, await codeOf(engine.startAgent({ agent: name, inputs: [1] }))]).toEqual([name, 'done']);
  }
});

test('rejects files outside as inputs', async () => {
  const engine = await open(confined);
  for (const glob of [path.join(root, '*'), '/etc/*', path.join(root, 'outside.aip')]) {
    expect([glob, await codeOf(engine.startAgent({ agent: 'inside.aip', files: [glob] }))]).toEqual([
      glob,
      'effect.denied',
    ]);
  }
  expect(await codeOf(engine.startAgent({ agent: 'inside.aip', files: ['notes/*.md'] }))).toBe('done');
});

test('does not read definitions outside again that the command line has run', async () => {
  const free = await open();
  const { runId } = await free.startRun({ path: path.join(root, 'outside.flow.yaml'), text: flow, inputs: {} });
  await free.whenEnded(runId);
  const started = await free.startAgent({ agent: path.join(root, 'outside.aip'), files: [path.join(root, '*.yaml')] });
  if ('work' in started) throw new Error('It waits for work.');
  await free.whenEnded(started.runId);
  const engine = await open(confined);
  expect(await codeOf(engine.redo({ runId }))).toBe('files.outside');
  expect(await codeOf(engine.redo({ runId: started.runId }))).toBe('files.outside');
  expect(await codeOf(free.redo({ runId }))).toBe('done');
});

test('nothing changes in a trusted workspace, and for a host without pages', async () => {
  for (const options of [{ ...confined, isTrusted: true } as const, {}]) {
    const engine = await open(options);
    for (const name of [...outside(), ...inside()]) expect((await engine.readAgent(name)).text).toBe(agent);
    const files = [path.join(root, '*.yaml')];
    expect(await codeOf(engine.startAgent({ agent: 'link.aip', files }))).toBe('done');
  }
});
