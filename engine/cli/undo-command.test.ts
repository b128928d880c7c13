/** Tests `runs changes`, `runs undo` and `runs undo-limits`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpCli();
beforeEach(async () => {
  cli.write('ws/notes.md', 'one\ntwo\n');
  cli.write(
    'ws/save.flow.yaml',
    `flow: { name: Save }
nodes:
  - { id: a, type: file.write, input: { path: notes.md, text: "one\\nthree\\n" } }
  - { id: b, type: file.write, input: { path: out/new.txt, text: x } }
edges: []`,
  );
  await call('run', 'ws/save.flow.yaml');
});

function call(...args: readonly string[]): Promise<CliResult> {
  return cli.call([...args, '--workspace', 'ws']);
}

const runs = (...args: readonly string[]): Promise<CliResult> => call('runs', ...args);
const read = (name: string): string => readFileSync(path.join(cli.folder, 'ws', name), 'utf8');

test('lists what a run has changed, with differences on request', async () => {
  expect((await runs('changes', 'latest')).stdout).toBe('changed  notes.md\ncreated  out/new.txt\n');
  const { stdout } = await runs('changes', '1', '--diff');
  expect(stdout).toContain('--- notes.md now\n+++ notes.md before\n-three\n+two\n');
  expect(stdout).toContain('--- out/new.txt now\n+++ no file\n');
  expect(JSON.parse((await runs('changes', '1', '--json')).stdout)).toMatchObject({
    files: [
      { path: 'notes.md', change: 'changed', state: 'as-left' },
      { path: 'out/new.txt', change: 'created' },
    ],
    unlisted: [],
  });
  expect((await runs('changes', '7')).code).toBe(2);
});

test('puts files back only after a person has agreed, and can take that back', async () => {
  const unasked = await runs('undo', 'latest');
  expect(unasked.stderr).toContain('Only a person can decide this. Use a terminal, or add --yes.');
  const dry = await runs('undo', 'latest', '--dry-run');
  expect([dry.code, dry.stderr]).toEqual([0, 'Without --dry-run, this puts back 2 files.\n']);
  expect((await runs('undo', 'latest', 'other.txt', '--yes')).stderr).toContain('The run did not change other.txt.');
  expect(read('notes.md')).toBe('one\nthree\n');
  const { code, stderr } = await runs('undo', 'latest', './notes.md', '--yes');
  expect([code, read('notes.md'), read('out/new.txt')]).toEqual([0, 'one\ntwo\n', 'x']);
  expect(stderr).toContain('Put back 1 file.\n');
  await runs('undo', 'latest', '--yes');
  expect(existsSync(path.join(cli.folder, 'ws/out'))).toBe(false);
  expect((await runs('undo', 'latest', '--yes')).stderr).toContain('All files are as before.');
  const undo = /millrace runs undo (\S+)/.exec(stderr)?.[1] ?? '';
  await runs('undo', undo, '--yes');
  expect(read('notes.md')).toBe('one\nthree\n');
});

test('leaves files that have changed since, unless --overwrite is given', async () => {
  cli.write('ws/notes.md', 'mine\n');
  expect((await runs('changes', 'latest')).stdout).toContain('changed  notes.md  (changed since the run)');
  const left = await runs('undo', 'latest', '--yes');
  expect(left.code).toBe(1);
  expect(left.stderr).toContain('Left as it is: notes.md has changed since the run.\nPut back 1 file.\n');
  expect(read('notes.md')).toBe('mine\n');
  expect((await runs('undo', 'latest', '--yes', '--overwrite')).code).toBe(0);
  expect(read('notes.md')).toBe('one\ntwo\n');
});

test('shows and sets the limits of copies', async () => {
  expect((await runs('undo-limits')).stdout).toBe('Copies of changed files: up to 256 MiB, for 30 days.\n');
  await runs('undo-limits', '--size', '10');
  expect(JSON.parse((await runs('undo-limits', '--days', '3', '--json')).stdout)).toEqual({
    megabytes: 10,
    days: 3,
    bytes: expect.any(Number),
  });
});
