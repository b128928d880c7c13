/** Kills a program with -9 while it changes files as a run does, and while it undoes that. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDice } from '../../../testing/chaos-sessions.ts';
import { bundleChildProgram, type ChildProgram } from '../../../testing/child-program.ts';
import { testRounds } from '../../../testing/test-rounds.ts';

/** Bundling takes seconds on a busy machine. */
const patienceMs = 120_000;

let program: ChildProgram;
let folder: string;
beforeAll(async () => {
  program = await bundleChildProgram(fileURLToPath(new URL('../../../testing/undo-child.ts', import.meta.url)));
  return () => program.remove();
}, patienceMs);
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-undo-kills-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program, which kills itself unless the point is never reached. @returns whether it was killed */
async function start(mode: 'write' | 'undo', point = -1, turns = 0): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    execFile(process.execPath, [program.file, folder, mode, `${point}`, `${turns}`], (error, stdout, stderr) => {
      if (error?.signal === 'SIGKILL') resolve(true);
      else if (error !== null || stderr !== '' || (stdout !== '' && stdout !== '[]'))
        reject(new Error(stderr + stdout));
      else resolve(false);
    });
  });
}

/** Returns the content of all files by path. Drafts of interrupted writes are left out. */
function contents(of = ''): Readonly<Record<string, string>> {
  const entries = readdirSync(path.join(folder, of), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(of, entry.name);
    if (entry.name === '.millrace' || entry.name.endsWith('.tmp')) return [];
    return entry.isDirectory()
      ? Object.entries(contents(name))
      : [[name, readFileSync(path.join(folder, name), 'utf8')] as const];
  });
  return Object.fromEntries(entries);
}

/** Points at which the program can be killed: three for each of its 32 changes. */
const points = 96;
/** The first ones include kills between making a folder and listing it. */
const rounds = Array.from({ length: testRounds(4) }, (_, index) => index + 16);

test.for(rounds)(
  'a kill during a run, and another during its undo (%i), lose nothing',
  { timeout: patienceMs },
  async (seed) => {
    const roll = createDice(seed * 7919);
    const pick = (limit: number): number => Math.floor(roll() * limit);
    for (const name of ['kept', 'gone', 'from'])
      for (let index = 0; index < 8; index++) writeFileSync(path.join(folder, `${name}${index}`), `${name} ${index}`);
    mkdirSync(path.join(folder, '.millrace'));
    const before = contents();
    expect(await start('write', pick(points), pick(6))).toBe(true);
    const after = contents();
    // The undo has as many changes as the run, or fewer.
    await start('undo', pick(40), pick(6));
    const texts = new Set([...Object.values(before), ...Object.values(after)]);
    for (const text of Object.values(contents())) expect(texts).toContain(text);
    expect(await start('undo')).toBe(false);
    expect(contents()).toEqual(before);
  },
);
