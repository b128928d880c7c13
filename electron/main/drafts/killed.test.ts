import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bundleChildProgram, type ChildProgram } from '../../../engine/testing/child-program.ts';
import { createDraftsFixture, createUser, type DraftsFixture, logFrom } from './test-drafts.ts';

let program: ChildProgram;
let fixture: DraftsFixture;

beforeAll(async () => {
  program = await bundleChildProgram(fileURLToPath(new URL('./test-killed-child.ts', import.meta.url)));
});

beforeEach(() => {
  fixture = createDraftsFixture();
});

afterEach(() => fixture.remove());
afterAll(() => program.remove());

/** Lets the child process edit for a while and kills it. @returns how many letters were acknowledged */
async function editAndKill(afterMs: number): Promise<number> {
  const child = spawn(process.execPath, [program.file, fixture.folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const timers: NodeJS.Timeout[] = [];
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (said === '') timers.push(setTimeout(() => child.kill('SIGKILL'), afterMs));
      said += chunk.toString();
    });
    child.once('close', () => resolve());
  });
  for (const timer of timers) clearTimeout(timer);
  return Number(said.split('\n').at(-2));
}

test('repeated kill -9 while typing loses no acknowledged letter', async () => {
  let before = 0;
  for (const afterMs of [1, 7, 20, 45]) {
    const answered = await editAndKill(afterMs);
    expect(answered).toBeGreaterThan(before);
    const log = logFrom(fixture.restart().open(createUser(), { path: 'a', diskText: '' }));
    // One more letter may be on disk that was not acknowledged before the kill.
    expect([answered, answered + 1]).toContain(log.text.length);
    const letters = Array.from(log.text, (_, index) => String.fromCharCode(97 + (index % 26)));
    expect(log.text).toBe(letters.reverse().join(''));
    expect(fixture.here().unsaved()).toHaveLength(1);
    before = answered;
  }
}, 60_000);
