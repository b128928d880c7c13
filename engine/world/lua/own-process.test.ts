import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleChildProgram, type ChildProgram } from '../../testing/child-program.ts';

const run = promisify(execFile);
let program: ChildProgram;

beforeAll(async () => {
  program = await bundleChildProgram(fileURLToPath(new URL('../../testing/lua-child.ts', import.meta.url)));
}, 60_000);

afterAll(() => program.remove());

test('many scripts can share one signal without a warning', async () => {
  const { stderr } = await run(process.execPath, [program.file, 'return 1', '30']);
  expect(stderr).toBe('');
}, 60_000);

test('a process with an idle worker exits on its own, and scripts write nothing to its output', async () => {
  const code = 'print("not seen") pcall(warn, "@on") pcall(warn, "nor this") return { os.exit == nil, 1 }';
  // execFile rejects for any exit code except 0.
  expect(await run(process.execPath, [program.file, code])).toEqual({ stdout: '[true,1]\n', stderr: '' });
}, 60_000);
