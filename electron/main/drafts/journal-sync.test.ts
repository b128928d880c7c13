/** Tests when journals are flushed to disk in the background. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../engine/testing/manual-clock.ts';
import { Drafts } from './drafts.ts';
import { type DiskSync, JournalSync, syncPauseMs } from './journal-sync.ts';
import { createUser, insert } from './test-drafts.ts';

interface WatchedDisk extends DiskSync {
  readonly stored: string[];
}

function watchedDisk(): WatchedDisk {
  const stored: string[] = [];
  return {
    stored,
    sync: async (file) => void stored.push(file),
    syncNow: (file) => void stored.push(`now ${file}`),
  };
}

let clock: ManualClock;
let disk: WatchedDisk;
beforeEach(() => {
  clock = createManualClock();
  disk = watchedDisk();
});

describe('flushing', () => {
  test('happens once for everything written within a second', async () => {
    const sync = new JournalSync(clock, disk);
    for (let step = 0; step < 20; step++) sync.note(step % 2 === 0 ? 'a' : 'b');
    await clock.advance(syncPauseMs - 1);
    expect(disk.stored).toEqual([]);
    await clock.advance(1);
    expect(disk.stored).toEqual(['a', 'b']);
    await clock.advance(10 * syncPauseMs);
    expect(disk.stored).toHaveLength(2);
    sync.note('a');
    await clock.advance(syncPauseMs);
    expect(disk.stored).toEqual(['a', 'b', 'a']);
  });

  test('can be done immediately and is not repeated', async () => {
    const sync = new JournalSync(clock, disk);
    sync.note('a');
    await sync.flush();
    sync.note('b');
    sync.flushNow();
    expect(disk.stored).toEqual(['a', 'now b']);
    await clock.advance(2 * syncPauseMs);
    expect(disk.stored).toHaveLength(2);
  });

  test('a failure of one file does not affect others', async () => {
    const sync = new JournalSync(clock, {
      ...disk,
      sync: async (file) => {
        if (file === 'gone') throw Object.assign(new Error('gone'), { code: 'ENOENT' });
        await disk.sync(file);
      },
    });
    sync.note('gone');
    sync.note('a');
    await sync.flush();
    expect(disk.stored).toEqual(['a']);
  });
});

describe('drafts of a program', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'millrace-sync-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('flush typed text a second later, and the rest when a file is closed', async () => {
    const drafts = new Drafts(folder, clock, new JournalSync(clock, disk));
    const user = createUser();
    const here = drafts.of('/w');
    here.open(user, { path: 'a', diskText: '' });
    here.step(user, { path: 'a', base: 0, steps: [insert('x')] });
    here.step(user, { path: 'a', base: 1, steps: [insert('y')] });
    expect(disk.stored).toEqual([]);
    await clock.advance(syncPauseMs);
    expect(disk.stored).toEqual([expect.stringMatching(/\.jsonl$/)]);
    here.step(user, { path: 'a', base: 2, steps: [insert('z')] });
    here.close(user, 'a');
    expect(disk.stored).toHaveLength(2);
    drafts.storeNow();
    expect(disk.stored).toHaveLength(2);
  });

  test('flush existing journals and skip deleted ones', async () => {
    const drafts = new Drafts(folder, clock);
    const user = createUser();
    const here = drafts.of('/w');
    for (const name of ['a', 'b']) {
      here.open(user, { path: name, diskText: '' });
      here.step(user, { path: name, base: 0, steps: [insert(name)] });
    }
    here.forget('b');
    await drafts.store();
    here.step(user, { path: 'a', base: 1, steps: [insert('c')] });
    drafts.storeNow();
    expect(here.unsaved().map(({ path: file }) => file)).toEqual(['a']);
  });
});

test('flushing leaves a journal on disk unchanged', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'millrace-sync-'));
  const file = path.join(folder, 'a.jsonl');
  writeFileSync(file, 'line\n');
  const sync = new JournalSync(clock);
  sync.note(file);
  await sync.flush();
  sync.note(file);
  sync.flushNow();
  expect([existsSync(file), readFileSync(file, 'utf8')]).toEqual([true, 'line\n']);
  rmSync(folder, { recursive: true });
});
