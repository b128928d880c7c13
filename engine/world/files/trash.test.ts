import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { movePath } from './folders/move-path.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';
import { moveToTrash, type TrashWorld } from './trash.ts';

let folder: TestFolder;
let world: TrashWorld;

beforeEach(() => {
  folder = createTestFolder();
  mkdirSync(folder.at('data'));
  world = {
    env: { ...process.env, XDG_DATA_HOME: folder.at('data') },
    clock: createManualClock(),
    platform: 'linux',
  };
});

afterEach(() => folder.remove());

const trashed = (path: string): string => folder.at(`data/Trash/files/${path}`);
const record = (name: string): string => readFileSync(folder.at(`data/Trash/info/${name}.trashinfo`), 'utf8');

describe('the Linux trash', () => {
  test('moves a file, and records its path and the time', async () => {
    folder.write('a folder/größe 100%.md', 'text');
    await moveToTrash(folder.at('a folder/größe 100%.md'), world);
    expect(existsSync(folder.at('a folder/größe 100%.md'))).toBe(false);
    expect(readFileSync(trashed('größe 100%.md'), 'utf8')).toBe('text');
    const encoded = `${folder.path}/a%20folder/gr%C3%B6%C3%9Fe%20100%25.md`;
    expect(record('größe 100%.md')).toMatch(/^\[Trash Info\]\nPath=.*\nDeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n$/);
    expect(record('größe 100%.md')).toContain(`Path=${encoded}\n`);
  });

  test('moves whole folders, and links without their targets', async () => {
    folder.write('pack/lua/a.lua', 'return 1');
    folder.write('kept.md', 'kept');
    symlinkSync(folder.at('kept.md'), folder.at('link.md'));
    await moveToTrash(folder.at('pack'), world);
    await moveToTrash(folder.at('link.md'), world);
    expect(readFileSync(trashed('pack/lua/a.lua'), 'utf8')).toBe('return 1');
    expect(readlinkSync(trashed('link.md'))).toBe(folder.at('kept.md'));
    expect(readFileSync(folder.at('kept.md'), 'utf8')).toBe('kept');
  });

  test('keeps entries of the same name apart', async () => {
    for (const text of ['first', 'second', 'third']) {
      folder.write('a.md', text);
      await moveToTrash(folder.at('a.md'), world);
    }
    expect(readdirSync(folder.at('data/Trash/files')).sort()).toEqual(['a.md', 'a.md.2', 'a.md.3']);
    expect(readFileSync(trashed('a.md.3'), 'utf8')).toBe('third');
    expect(record('a.md.2')).toContain('/a.md\n');
  });

  test('does not overwrite entries in the trash that have no record', async () => {
    folder.write('data/Trash/files/pack/old.md', 'old');
    folder.write('pack/new.md', 'new');
    await moveToTrash(folder.at('pack'), world);
    expect(readFileSync(trashed('pack/old.md'), 'utf8')).toBe('old');
    expect(readFileSync(trashed('pack.2/new.md'), 'utf8')).toBe('new');
  });

  test('records a different path to restore to', async () => {
    folder.write('aside/pack/a.md', 'a');
    await moveToTrash(folder.at('aside/pack'), world, '/home/me/pack');
    expect(record('pack')).toContain('Path=/home/me/pack\n');
  });

  test('is not readable for other users', async () => {
    folder.write('a.md', 'a');
    await moveToTrash(folder.at('a.md'), world);
    expect(statSync(folder.at('data/Trash')).mode & 0o777).toBe(0o700);
  });

  test('reports a missing entry', async () => {
    await expect(moveToTrash(folder.at('nothing'), world)).rejects.toMatchObject({ code: 'files.not-found' });
  });
});

test('leaves an entry that cannot be moved in its place', async () => {
  folder.write('a.md', 'a');
  const without: TrashWorld = { ...world, platform: 'win32', env: { SystemRoot: folder.at('nothing') } };
  await expect(moveToTrash(folder.at('a.md'), without)).rejects.toMatchObject({ code: 'files.no-trash' });
  expect(readFileSync(folder.at('a.md'), 'utf8')).toBe('a');
});

const otherDisk = '/dev/shm';
const hasOtherDisk = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(tmpdir()).dev;

describe.skipIf(!hasOtherDisk)('from another disk', () => {
  let far: string;

  beforeEach(() => {
    far = mkdtempSync(join(otherDisk, 'millrace-trash-'));
  });

  afterEach(() => rmSync(far, { recursive: true, force: true }));

  test('moves an entry completely to the trash of its disk, or to the home trash', async () => {
    writeFileSync(join(far, 'a.md'), 'from afar');
    await moveToTrash(join(far, 'a.md'), world);
    expect(existsSync(join(far, 'a.md'))).toBe(false);
    const shared = join(otherDisk, `.Trash-${process.getuid?.()}`);
    const places = [folder.at('data/Trash'), shared].filter((place) => existsSync(join(place, 'info/a.md.trashinfo')));
    expect(places).toHaveLength(1);
    expect(readFileSync(join(places[0]!, 'files/a.md'), 'utf8')).toBe('from afar');
    rmSync(join(places[0]!, 'files/a.md'));
    rmSync(join(places[0]!, 'info/a.md.trashinfo'));
  });

  test('copies folders with their links, and then removes the original', async () => {
    mkdirSync(join(far, 'pack'));
    writeFileSync(join(far, 'pack/a.md'), 'a');
    symlinkSync('a.md', join(far, 'pack/link.md'));
    await movePath(join(far, 'pack'), folder.at('pack'));
    expect(readdirSync(far)).toEqual([]);
    expect(readFileSync(folder.at('pack/a.md'), 'utf8')).toBe('a');
    expect(readlinkSync(folder.at('pack/link.md'))).toBe('a.md');
  });

  test('a failed move leaves the original, and no partial copy', async () => {
    writeFileSync(join(far, 'a.md'), 'a');
    folder.write('taken/b.md', 'b');
    await expect(movePath(join(far, 'a.md'), folder.at('taken'))).rejects.toThrow();
    expect(readFileSync(join(far, 'a.md'), 'utf8')).toBe('a');
    expect(readdirSync(folder.path).sort()).toEqual(['data', 'taken']);
  });
});
