import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TriggerWatch } from '../../history/store/trigger-watch.ts';
import type { FilesTriggerDoc } from '../../language/triggers/trigger-doc.ts';
import { firingsForFiles } from './file-changes.ts';
import { entry } from './test-trigger-life.ts';

let folder: string;
let watch: TriggerWatch | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-files-'));
  mkdirSync(join(folder, 'inbox'));
  watch = undefined;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file and returns when it changed. */
function write(path: string, text: string): number {
  writeFileSync(join(folder, path), text);
  const { mtimeMs, birthtimeMs } = statSync(join(folder, path));
  return Math.ceil(Math.max(mtimeMs, birthtimeMs));
}

/** Looks for changes as a service does: the watch is moved with each look. */
async function look(files: FilesTriggerDoc, now: number, lookedAt = now): Promise<readonly unknown[]> {
  watch ??= { definitionHash: 'h', lookedAt };
  const { firings, ...seen } = await firingsForFiles(entry('t', { files }), { workspace: folder, files, watch, now });
  watch = { ...watch, ...seen };
  return firings.map(({ event }) => event);
}

test('each file that is created, changed or deleted is an event, once it is at rest', async () => {
  const files: FilesTriggerDoc = { glob: 'inbox/*.eml', on: ['created', 'changed', 'deleted'], debounce: '2s' };
  const start = write('inbox/old.eml', 'a');
  expect(await look(files, start)).toEqual([]);
  const at = write('inbox/new.eml', 'a');
  write('inbox/other.txt', 'a');
  expect(await look(files, at + 500)).toEqual([]);
  expect(await look(files, at + 3_000)).toEqual([{ trigger: 't', path: 'inbox/new.eml', change: 'created' }]);
  expect(await look(files, at + 4_000)).toEqual([]);
  const again = write('inbox/new.eml', 'longer');
  rmSync(join(folder, 'inbox/old.eml'));
  expect(await look(files, again + 3_000)).toEqual([
    { trigger: 't', path: 'inbox/new.eml', change: 'changed' },
    { trigger: 't', path: 'inbox/old.eml', change: 'deleted' },
  ]);
});

test('a batch is one event, and deletions do not count unless they are wanted', async () => {
  const files: FilesTriggerDoc = { glob: 'inbox/**', batch: true };
  const start = write('inbox/old', 'a');
  await look(files, start);
  const at = Math.max(write('inbox/b', '1'), write('inbox/a', '1'));
  rmSync(join(folder, 'inbox/old'));
  expect(await look(files, at + 5_000)).toEqual([
    {
      trigger: 't',
      files: [
        { path: 'inbox/a', change: 'created' },
        { path: 'inbox/b', change: 'created' },
      ],
    },
  ]);
});

test('after a restart, finds what was created since the last look, and nothing that was there before', async () => {
  const files: FilesTriggerDoc = { glob: '**/*.eml' };
  const lookedAt = write('inbox/old.eml', 'a');
  // Times of files have their own clock.
  let at = lookedAt;
  while (at <= lookedAt) {
    rmSync(join(folder, 'inbox/new.eml'), { force: true });
    at = write('inbox/new.eml', 'a');
  }
  expect(await look(files, at + 5_000, lookedAt)).toEqual([{ trigger: 't', path: 'inbox/new.eml', change: 'created' }]);
});
