/** Tests files of a workspace through an engine as programs open it. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../../index.ts';
import { type AgentWorkspace, createAgentWorkspace, endOf } from '../wiring/test-agent-workspace.ts';
import type { FileChange } from './file-service.ts';

let world: AgentWorkspace;
let engine: Engine;

beforeEach(async () => {
  world = createAgentWorkspace();
  engine = await world.open({ env: { HOME: world.at('home'), XDG_DATA_HOME: world.at('data') } });
});

afterEach(() => world.close());

const put = (path: string, content: string) => world.write(`workspace/${path}`, content);
const bytesOf = (path: string) => readFileSync(world.at(`workspace/${path}`));
const greeting =
  '\uFEFFflow: { name: Hi }\r\nnodes:\r\n  - { id: a, type: echo, input: { text: hi } }\r\nedges: []\r\n';

describe('writes of one engine', () => {
  test('that expect the same text: one succeeds, and the others receive the current text', async () => {
    put('a.md', 'start');
    const writes = Array.from({ length: 10 }, (_, index) =>
      engine.writeFile({ path: 'a.md', text: `text ${index}`, expected: 'start' }),
    );
    const ended = await Promise.allSettled(writes);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', ...Array(9).fill('rejected')]);
    expect(ended.at(-1)).toMatchObject({ reason: { code: 'files.changed', details: { text: 'text 0' } } });
    expect(bytesOf('a.md').toString()).toBe('text 0');
  });

  test('continue after a rejected one', async () => {
    const refused = engine.writeFile({ path: '.git/x', text: '' });
    const made = engine.createFile({ path: 'notes/a.md', kind: 'file', text: 'x' });
    const moved = engine.renameFile({ from: 'notes/a.md', to: 'b.md' });
    await expect(refused).rejects.toMatchObject({ code: 'files.not-writable' });
    await Promise.all([made, moved]);
    expect(await engine.readFile('b.md')).toEqual({ text: 'x', isWritable: true });
    expect(await engine.findFiles()).toEqual({ paths: ['b.md'], isCut: false });
    const copy = await engine.duplicateFile('b.md');
    expect((await engine.listFolder('')).entries.map(({ name }) => name)).toEqual(['notes', copy.path, 'b.md']);
  });
});

test('counts the files of a glob as a flow reads them, and rejects a glob that leads outside', async () => {
  for (const path of ['notes/a.md', 'notes/deep/b.md', 'c.md', '.hidden.md']) put(path, 'x');
  const { signal } = new AbortController();
  const counts = await Promise.all(
    ['**/*.md', 'notes/*.md', '*.pdf', 'c.md'].map((glob) => engine.countMatches(glob, signal)),
  );
  expect(counts.map(({ count }) => count)).toEqual([3, 1, 0, 1]);
  await expect(engine.countMatches('../*.md', signal)).rejects.toMatchObject({ code: 'files.outside' });
  await expect(engine.countMatches('**', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});

test('moves deleted files to the trash, and keeps protected and outside files', async () => {
  put('notes/a.md', 'x');
  put('.git/config', 'c');
  world.write('outside.md', 'o');
  await engine.trashFile('notes');
  expect(existsSync(world.at('workspace/notes'))).toBe(false);
  expect(readFileSync(world.at('data/Trash/files/notes/a.md'), 'utf8')).toBe('x');
  await expect(engine.trashFile('notes')).rejects.toMatchObject({ code: 'files.not-found' });
  await expect(engine.trashFile('.git')).rejects.toMatchObject({ code: 'files.not-writable' });
  await expect(engine.trashFile('../outside.md')).rejects.toMatchObject({ code: 'files.outside' });
  await expect(engine.trashFile('.')).rejects.toMatchObject({ code: 'files.outside' });
  expect([existsSync(world.at('outside.md')), existsSync(world.at('workspace/.git/config'))]).toEqual([true, true]);
});

describe('files with a byte order mark and Windows line endings', () => {
  test('are read byte for byte, and flows can be run and rerun', async () => {
    put('a.flow.yaml', greeting);
    const { text } = await engine.readFlow('a.flow.yaml');
    expect(text).toBe(greeting);
    const { runId } = await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} });
    await engine.whenEnded(runId);
    const again = await engine.redo({ runId });
    await engine.whenEnded(again.runId);
    for (const id of [runId, again.runId]) {
      expect(await endOf(engine, id)).toMatchObject({ status: 'completed', output: { a: { text: 'hi' } } });
    }
    await engine.writeFile({ path: 'a.flow.yaml', text, expected: text });
    expect(bytesOf('a.flow.yaml').equals(Buffer.from(greeting))).toBe(true);
  });

  test('agents can be run, and can be written if they are in the workspace', async () => {
    const agent = '\uFEFF# After All\r\n\r\n```lua\r\nreturn "done"\r\n```\r\n';
    put('a.aip', agent);
    put('.aipack/pack/custom/acme/tools/pack.toml', '[pack]\nnamespace = "acme"\nname = "tools"\nversion = "0.1.0"\n');
    put('.aipack/pack/custom/acme/tools/main.aip', agent);
    world.write(
      'base/pack/custom/acme/other/pack.toml',
      '[pack]\nnamespace = "acme"\nname = "other"\nversion = "0.1.0"\n',
    );
    world.write('base/pack/custom/acme/other/main.aip', agent);
    const file = world.at('workspace/a.aip');
    expect(await engine.readAgent('a.aip')).toEqual({ text: agent, file, path: 'a.aip', isWritable: true });
    expect(await engine.readAgent('acme@tools')).toMatchObject({
      text: agent,
      path: '.aipack/pack/custom/acme/tools/main.aip',
      isWritable: true,
    });
    expect(await engine.readAgent('acme@other')).toMatchObject({ text: agent, path: null, isWritable: false });
    const { end } = await world.run(engine, { agent: 'a.aip' });
    expect(end).toMatchObject({ status: 'completed', output: { after_all: 'done' } });
    const path = '.aipack/pack/custom/acme/tools/main.aip';
    await engine.writeFile({ path, text: agent.replace('done', 'more'), expected: agent });
    const changed = await world.run(engine, { agent: 'acme@tools' });
    expect(changed.end).toMatchObject({ output: { after_all: 'more' } });
  });
});

test('reports changes of files, also by the engine itself, until the subscription ends', async () => {
  put('a.aip', '1');
  const heard: FileChange[] = [];
  const end = engine.watchFiles((change) => heard.push(change));
  let count = 0;
  const poll = { interval: 100, timeout: 10_000 };
  // The watch becomes active at some point after the call.
  await expect
    .poll(async () => {
      await engine.writeFile({ path: 'a.aip', text: String(count++) });
      return heard.flatMap(({ paths }) => paths);
    }, poll)
    .toContain('a.aip');
  rmSync(world.at('workspace/a.aip'));
  heard.length = 0;
  await expect.poll(() => heard.some(({ isTree }) => isTree), poll).toBe(true);
  end();
  heard.length = 0;
  const other: FileChange[] = [];
  const endOther = engine.watchFiles((change) => other.push(change));
  await expect
    .poll(async () => {
      await engine.writeFile({ path: 'b.md', text: String(count++) });
      return other.length;
    }, poll)
    .toBeGreaterThan(0);
  endOther();
  expect(heard).toEqual([]);
});
