/** Tests a workspace that is or contains the home folder: hidden files there are not accessible. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { toErrorRecord } from '../../base/engine-error.ts';
import { searchFiles } from '../search/search-files.ts';
import { listFolder } from './list-folder.ts';
import { findFiles } from './walk-files.ts';
import { resolveInWorkspace } from './workspace-path.ts';

let root: string;
let home: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-home-')));
  home = path.join(root, 'me');
  mkdirSync(path.join(home, '.ssh'), { recursive: true });
  mkdirSync(path.join(home, 'work/.config'), { recursive: true });
  writeFileSync(path.join(home, '.ssh/id'), 'key');
  symlinkSync(path.join(home, '.ssh'), path.join(home, 'plain'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

const codeOf = (workspace: string, file: string): Promise<string> =>
  resolveInWorkspace(workspace, file).then(
    () => 'open',
    (thrown: unknown) => toErrorRecord(thrown).code,
  );

test.each(['.ssh/id', '.ssh', '.bashrc', 'plain/id', './work/../.ssh/id'])('%s is not accessible', async (file) => {
  expect(await codeOf(home, file)).toBe('files.outside');
  expect(await codeOf(root, path.join('me', file))).toBe('files.outside');
});

test.each(['work/a.md', 'work/.config/x', '.aipack/pack', '.millrace/runs.db', '.gitignore', '..notes'])(
  '%s is accessible',
  async (file) => {
    const expected = file === '..notes' ? 'files.outside' : 'open';
    expect(await codeOf(home, file)).toBe(expected);
  },
);

test('a workspace inside a hidden folder is like any other', async () => {
  expect(await codeOf(path.join(home, '.ssh'), 'id')).toBe('open');
  expect(await codeOf(path.join(home, 'work'), '.config/x')).toBe('open');
});

test('hidden files are neither found nor searched nor listed', async () => {
  writeFileSync(path.join(home, 'work/a.md'), 'key');
  symlinkSync(path.join(home, '.ssh/id'), path.join(home, 'work/link.md'));
  for (const [workspace, before] of [
    [home, ''],
    [root, 'me/'],
  ] as const) {
    const { paths } = await findFiles(workspace);
    expect(paths.filter((found) => found.includes('.ssh'))).toEqual([]);
    expect(paths).toContain(`${before}work/a.md`);
    const request = {
      text: 'key',
      isRegExp: false,
      isCaseSensitive: false,
      isWholeWord: false,
      include: '',
      exclude: '',
      unsaved: [],
    };
    const signal = new AbortController().signal;
    const { files } = await searchFiles(workspace, request, { clock: systemClock, signal });
    expect(files.map((file) => file.path)).toEqual([`${before}work/a.md`]);
    const listed = await listFolder(workspace, before);
    expect(listed.entries.map(({ name }) => name)).not.toContain('.ssh');
    await expect(listFolder(workspace, `${before}.ssh`)).rejects.toMatchObject({ code: 'files.outside' });
  }
});
