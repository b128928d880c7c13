/** Tests overlays: readers see the changes, and the disk stays unchanged. */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceFile } from '../atomic-write.ts';
import { systemCodeOf } from '../file-error.ts';
import { type FolderHolder, inFolderOf, systemHolder, whileOpen } from '../folders/folder-holder.ts';
import { moveEntry } from '../folders/move-entry.ts';
import { walkTree } from '../walk-files.ts';
import { OverlayFiles } from './overlay-files.ts';

let root: string;
let overlay: OverlayFiles;

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'millrace-overlay-test-'));
  mkdirSync(join(root, 'disk/docs/deep'), { recursive: true });
  writeFileSync(join(root, 'disk/a.txt'), 'a');
  writeFileSync(join(root, 'disk/docs/b.txt'), 'b');
  writeFileSync(join(root, 'disk/docs/deep/c.txt'), 'c');
  symlinkSync('docs/b.txt', join(root, 'disk/link'));
  symlinkSync('docs', join(root, 'disk/way'));
  overlay = new OverlayFiles();
});
afterEach(async () => {
  await overlay.close();
  rmSync(root, { recursive: true });
});

/** Returns everything in a folder on disk: files with their text, and links with their target. */
function diskBelow(folder: string): Record<string, string> {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    all.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const state = lstatSync(path);
      const content = state.isFile() ? readFileSync(path, 'utf8') : state.isDirectory() ? '<folder>' : '<link>';
      return [relative(folder, path), `${content} ${state.mtimeMs}`];
    }),
  );
}

/** Returns all files in a folder with their text, as readers see them. */
async function seenBelow(holder: FolderHolder, folder: string): Promise<Record<string, string>> {
  const readFolder = async (path: string) => {
    const held = await holder.hold(join(folder, path).replace(/\/$/, ''));
    return await held.list().finally(() => held.close());
  };
  const files = await walkTree(folder, { maxDepth: 20, enters: () => true, readFolder });
  const seen: Record<string, string> = {};
  for (const { path, isLink } of files.sort((one, other) => (one.path < other.path ? -1 : 1)))
    seen[path] = isLink ? '<link>' : await textOf(holder, join(folder, path));
  return seen;
}

function textOf(holder: FolderHolder, real: string): Promise<string> {
  return whileOpen(holder, { real, shown: real }, async (file) => await file.readFile('utf8'));
}

type Operation = (holder: FolderHolder, folder: string) => Promise<unknown>;

const write =
  (path: string, content: string): Operation =>
  (holder, folder) =>
    inFolderOf(holder, join(folder, path), (held, name) => replaceFile(held, name, { content, shown: path }), 'made');

const append =
  (path: string, content: string): Operation =>
  (holder, folder) =>
    inFolderOf(
      holder,
      join(folder, path),
      async (held, name) => {
        const file = await held.openFile(name, 'append');
        await file.writeFile(content).finally(() => file.close());
      },
      'made',
    );

const make =
  (path: string): Operation =>
  (holder, folder) =>
    inFolderOf(holder, join(folder, path), (held, name) => held.makeFolder(name), 'made');

const move =
  (from: string, to: string): Operation =>
  (holder, folder) =>
    inFolderOf(holder, join(folder, from), (source, name) =>
      inFolderOf(
        holder,
        join(folder, to),
        (target, targetName) => moveEntry({ folder: source, name }, { folder: target, name: targetName }),
        'made',
      ),
    );

const remove =
  (path: string): Operation =>
  (holder, folder) =>
    inFolderOf(holder, join(folder, path), async (held, name) => {
      const isFolder = (await held.stat(name))?.isDirectory() === true;
      await (isFolder ? held.removeFolder(name) : held.removeFile(name));
    });

/** Returns the result of an operation: its value, or the code of its error. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    (value) => value ?? 'done',
    (error: unknown) => systemCodeOf(error) ?? (error as { code?: string }).code ?? String(error),
  );
}

const scripts: readonly (readonly [string, readonly Operation[]])[] = [
  ['a new file in new folders', [write('x/y/z.txt', 'new')]],
  ['a file that is replaced twice', [write('a.txt', '1'), write('a.txt', '2')]],
  ['appending to a file of the disk, and again', [append('a.txt', '1'), append('a.txt', '2')]],
  ['appending to a file that is not there', [append('log/new.txt', '1'), append('log/new.txt', '2')]],
  ['a file that is deleted and written again', [remove('a.txt'), write('a.txt', 'new')]],
  ['a file that is deleted twice', [remove('a.txt'), remove('a.txt')]],
  ['a folder that is deleted', [remove('docs')]],
  ['a folder that is deleted and created again', [remove('docs'), make('docs'), write('docs/n.txt', 'n')]],
  ['writing below a deleted folder', [remove('docs'), write('docs/deep/c.txt', 'new')]],
  ['a file that is moved', [move('a.txt', 'docs/a.txt')]],
  [
    'a file that is moved, written again and moved back',
    [move('a.txt', 'z.txt'), write('a.txt', 'n'), move('z.txt', 'a.txt')],
  ],
  ['a moved file that is changed', [move('a.txt', 'z.txt'), append('z.txt', '!')]],
  ['a folder that is moved', [move('docs', 'other/docs')]],
  [
    'a moved folder in which something changes',
    [move('docs', 'new'), write('new/deep/c.txt', 'x'), remove('new/b.txt')],
  ],
  ['changes in a folder that is then moved', [write('docs/n.txt', 'n'), remove('docs/b.txt'), move('docs', 'new')]],
  ['a folder that is moved twice', [move('docs', 'one'), move('one/deep', 'deep'), move('one', 'two')]],
  ['a folder that is moved into itself', [move('docs', 'docs/deep/docs')]],
  ['a folder that is moved over an empty one', [make('empty'), move('docs', 'empty')]],
  ['a folder that is moved over a full one', [make('full'), write('full/x.txt', 'x'), move('docs', 'full')]],
  ['a file that is moved over a folder', [move('a.txt', 'docs')]],
  ['a folder that is moved over a file', [move('docs', 'a.txt')]],
  ['a file that is moved over another', [move('a.txt', 'docs/b.txt')]],
  ['a folder in place of a file', [make('a.txt')]],
  ['a file in place of a folder', [write('docs', 'x')]],
  ['a file below a file', [write('a.txt/x.txt', 'x')]],
  ['a folder that is created twice', [make('new'), make('new')]],
  ['a new file that is deleted with its folder', [write('x/n.txt', 'n'), remove('x')]],
  ['moving what is not there', [move('nothing', 'x')]],
  ['moving what was deleted', [remove('a.txt'), move('a.txt', 'x')]],
  ['a link that is deleted, and a file in its place', [remove('link'), write('link', 'file')]],
  ['a link in place of a file to write', [write('link', 'x')]],
];

describe('13.13 an overlay', () => {
  test.each(scripts)('shows the result of %s as the disk would', async (_what, operations) => {
    const [disk, twin] = [join(root, 'disk'), join(root, 'twin')];
    cpSync(disk, twin, { recursive: true, verbatimSymlinks: true });
    const before = diskBelow(disk);
    for (const operation of operations) {
      const expected = await outcomeOf(operation(systemHolder, twin));
      expect(await outcomeOf(operation(overlay, disk))).toEqual(expected);
      expect(await seenBelow(overlay, disk)).toEqual(await seenBelow(systemHolder, twin));
    }
    expect(diskBelow(disk)).toEqual(before);
  });

  test('shows any sequence of 60 operations as the disk would', async () => {
    const [disk, twin] = [join(root, 'disk'), join(root, 'twin')];
    cpSync(disk, twin, { recursive: true, verbatimSymlinks: true });
    const before = diskBelow(disk);
    let state = 20_261_127;
    const pick = <T>(from: readonly T[]): T => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return from[Math.floor((state / 2_147_483_648) * from.length)] as T;
    };
    const paths = ['a.txt', 'docs', 'docs/b.txt', 'docs/deep', 'docs/deep/c.txt', 'n.txt', 'new', 'new/deep/x.txt'];
    for (let count = 0; count < 60; count += 1) {
      const [one, other] = [pick(paths), pick(paths)];
      const operation = pick([write(one, String(count)), append(one, '+'), make(one), move(one, other), remove(one)]);
      const expected = await outcomeOf(operation(systemHolder, twin));
      expect(await outcomeOf(operation(overlay, disk)), `${count} ${one} ${other}`).toEqual(expected);
      if (count % 6 === 5) expect(await seenBelow(overlay, disk)).toEqual(await seenBelow(systemHolder, twin));
    }
    expect(diskBelow(disk)).toEqual(before);
  });

  test('follows links on disk, except those that were deleted or replaced in the overlay', async () => {
    const disk = join(root, 'disk');
    const follow = (path: string): Promise<string> => realpath(path).catch(() => path);
    const real = (path: string): Promise<string> => overlay.realPathOf(join(disk, path), follow);
    await write('n.txt', 'n')(overlay, disk);
    expect(await real('link')).toBe(join(disk, 'docs/b.txt'));
    expect(await real('way/deep/new.txt')).toBe(join(disk, 'docs/deep/new.txt'));
    await remove('docs/b.txt')(overlay, disk);
    await expect(real('link')).rejects.toMatchObject({ code: 'files.bad-link' });
    await remove('link')(overlay, disk);
    expect(await real('link')).toBe(join(disk, 'link'));
    await remove('way')(overlay, disk);
    expect(await real('way/deep')).toBe(join(disk, 'way/deep'));
  });

  test('lists the changes', async () => {
    const disk = join(root, 'disk');
    for (const change of [
      write('x/n.txt', 'n'),
      remove('a.txt'),
      move('docs/b.txt', 'b.txt'),
      write('gone', ''),
      remove('gone'),
    ])
      await change(overlay, disk);
    const changes = overlay.changes().map(({ change, path }) => `${change} ${relative(disk, path)}`);
    expect(changes.sort()).toEqual(['delete a.txt', 'delete docs/b.txt', 'make x', 'write b.txt', 'write x/n.txt']);
  });

  test.each([
    ['bytes', { bytes: 10, entries: 100 }, [write('n.txt', '12345'), append('n.txt', '123456')]],
    ['bytes of copies', { bytes: 2, entries: 100 }, [append('a.txt', 'bc')]],
    ['files', { bytes: 100, entries: 1 }, [write('n.txt', ''), write('o.txt', '')]],
    ['folders', { bytes: 100, entries: 1 }, [make('n/o')]],
  ])('rejects more %s than the limit allows', async (_what, limits, operations) => {
    const small = new OverlayFiles(limits);
    const outcomes: unknown[] = [];
    for (const operation of operations) outcomes.push(await outcomeOf(operation(small, join(root, 'disk'))));
    expect(outcomes.at(-1)).toBe('files.too-large');
    await small.close();
  });

  test('deleting frees space', async () => {
    const small = new OverlayFiles({ bytes: 10, entries: 100 });
    for (let count = 0; count < 5; count += 1) {
      await write('n.txt', '123456789')(small, join(root, 'disk'));
      await remove('n.txt')(small, join(root, 'disk'));
    }
    await small.close();
  });

  test('creates its temporary folder on the first write, and removes it', async () => {
    const temporary = (): string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`millrace-overlay-${process.pid}-`));
    const before = temporary();
    await seenBelow(overlay, join(root, 'disk'));
    await remove('a.txt')(overlay, join(root, 'disk'));
    expect(temporary()).toEqual(before);
    await write('n.txt', 'n')(overlay, join(root, 'disk'));
    expect(temporary()).toHaveLength(before.length + 1);
    await overlay.close();
    expect(temporary()).toEqual(before);
    await expect(write('o.txt', 'o')(overlay, join(root, 'disk'))).rejects.toThrow('EROFS');
  });

  test('removes the files of a killed process', async () => {
    const left = join(tmpdir(), 'millrace-overlay-999999999-x');
    mkdirSync(left, { recursive: true });
    await write('n.txt', 'n')(overlay, join(root, 'disk'));
    expect(existsSync(left)).toBe(false);
    expect(existsSync(dirname(left))).toBe(true);
  });
});
