/** Tests the script `millrace` of the packed program. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let scratch = '';

beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'millrace-bin-'));
  for (const folder of ['bin', 'work/tools', 'work/-odd']) mkdirSync(path.join(scratch, folder), { recursive: true });
  copyFileSync('resources/bin/millrace', path.join(scratch, 'bin/millrace'));
  writeFileSync(path.join(scratch, 'work/a.flow.yaml'), '');
  writeFileSync(path.join(scratch, 'millrace'), '#!/bin/sh\nprintf "%s|" "$@"\n', { mode: 0o755 });
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function startedWith(...args: string[]): string[] {
  const script = path.join(scratch, 'bin/millrace');
  const shown = execFileSync('/bin/sh', [script, ...args], { cwd: path.join(scratch, 'work'), encoding: 'utf8' });
  return shown.split('|').slice(0, -1);
}

const inTerminal = ['--headless', '--disable-gpu', '--no-sandbox', '--log-level=3', '--cli', '--'];

test.runIf(process.platform !== 'win32').each([
  ['a folder', ['./tools'], ['./tools']],
  ['this folder', ['.'], ['.']],
  ['the parent folder', ['..'], ['..']],
  ['a command that is also the name of a folder', ['tools'], [...inTerminal, 'tools']],
  ['a file', ['./a.flow.yaml'], [...inTerminal, './a.flow.yaml']],
  ['a folder that does not exist', ['./nowhere'], [...inTerminal, './nowhere']],
  ['a command with a folder', ['init', './tools'], [...inTerminal, 'init', './tools']],
  ['nothing', [], inTerminal],
])('opens a window for a folder argument alone, and runs the command line otherwise: %s', (_what, args, started) => {
  expect(startedWith(...args)).toEqual(started);
});
