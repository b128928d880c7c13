import { chmodSync, copyFileSync, cpSync, existsSync, symlinkSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readGitBranch, readGitChanges } from './git-changes.ts';
import { withoutFilters } from './run-git.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

/** Otherwise, writing files in a folder would be enough to make git run a program when the folder is shown. */
test('files that make a folder look like a repository start nothing', async () => {
  folder.write('.gitattributes', '*.txt filter=evil\n');
  folder.write('f.txt', 'one\n');
  folder.git('init', '-q');
  folder.git('add', '.');
  folder.git('commit', '-q', '-m', 'Start');
  cpSync(folder.at('.git'), folder.at('trap'), { recursive: true });
  const marker = folder.at('marker');
  const settings = [
    '[core]',
    'repositoryformatversion = 0',
    'bare = false',
    'worktree = .',
    '[filter "evil"]',
    `clean = "touch ${marker}; cat"`,
  ];
  folder.write('trap/config', `${settings.join('\n')}\n`);
  copyFileSync(folder.at('.gitattributes'), folder.at('trap/.gitattributes'));
  folder.write('trap/f.txt', 'two\n');
  utimesSync(folder.at('trap/f.txt'), 1, 1);
  await readGitChanges(folder.at('trap'), ['f.txt']);
  expect(existsSync(marker)).toBe(false);
});

test('the filters and monitors that a repository and its submodule define start nothing', async () => {
  const marker = folder.at('marker');
  const program = folder.at('evil.sh');
  folder.write('evil.sh', `#!/bin/sh\necho ran >> ${marker}\ncat\n`);
  chmodSync(program, 0o755);
  for (const place of ['repo/inner', 'repo']) {
    const git = (...args: readonly string[]): void => folder.git('-C', folder.at(place), ...args);
    folder.write(`${place}/.gitattributes`, '*.yaml filter=evil\n*.yml filter=long.name\n');
    folder.write(`${place}/a.flow.yaml`, 'one\n');
    folder.write(`${place}/b.flow.yml`, 'one\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'Start');
    git('config', 'filter.evil.clean', program);
    git('config', 'filter.evil.required', 'true');
    git('config', 'core.fsmonitor', program);
    folder.write(`${place}/.git/more`, `[filter "long.name"]\nprocess = ${program}\n`);
    git('config', 'include.path', 'more');
    // Same length, so that Git has to read the content.
    folder.write(`${place}/a.flow.yaml`, 'two\n');
    folder.write(`${place}/b.flow.yml`, 'two\n');
  }
  const changes = await readGitChanges(folder.at('repo'), ['.']);
  expect([...(changes ?? [])].sort()).toEqual([
    ['a.flow.yaml', 'modified'],
    ['b.flow.yml', 'modified'],
  ]);
  expect(existsSync(marker)).toBe(false);
  folder.git('-C', folder.at('repo'), 'config', 'filter.a=b.clean', program);
  expect(await readGitChanges(folder.at('repo'), ['.'])).toBeNull();
  expect(existsSync(marker)).toBe(false);
});

test('the filters in the settings of the person are used', async () => {
  folder.write('settings', '[filter "upper"]\nclean = tr a-z A-Z\n[user]\nname = Kim\nemail = kim@example.org\n');
  vi.stubEnv('GIT_CONFIG_GLOBAL', folder.at('settings'));
  folder.write('repo/.gitattributes', '*.yaml filter=upper\n');
  folder.write('repo/a.flow.yaml', 'ONE\n');
  folder.git('init', '-q', folder.at('repo'));
  folder.git('-C', folder.at('repo'), 'add', '.');
  folder.git('-C', folder.at('repo'), 'commit', '-q', '-m', 'Start');
  folder.write('repo/a.flow.yaml', 'one\n');
  utimesSync(folder.at('repo/a.flow.yaml'), 1, 1);
  expect(await readGitChanges(folder.at('repo'), ['.'])).toEqual(new Map());
});

test('returns the branch, even before the first commit, and the commit for a detached HEAD', async () => {
  expect(await readGitBranch(folder.at('.'))).toBeNull();
  folder.git('init', '-q', '-b', 'topic');
  expect(await readGitBranch(folder.at('.'))).toBe('topic');
  folder.git('commit', '-q', '--allow-empty', '-m', 'Start');
  folder.git('checkout', '-q', '--detach');
  expect(await readGitBranch(folder.at('.'))).toMatch(/^[0-9a-f]{7,}$/);
});

test('finds the repository of a linked working tree, of a folder in it and of one behind a link', async () => {
  folder.write('main/deep/f.txt', 'one\n');
  const main = folder.at('main');
  folder.git('init', '-q', '-b', 'topic', main);
  folder.git('-C', main, 'commit', '-q', '--allow-empty', '-m', 'Start');
  folder.git('-C', main, 'worktree', 'add', '-q', '-b', 'other', folder.at('linked'));
  symlinkSync(folder.at('main/deep'), folder.at('link'));
  expect(await readGitBranch(folder.at('main/deep'))).toBe('topic');
  expect(await readGitBranch(folder.at('linked'))).toBe('other');
  expect(await readGitBranch(folder.at('link'))).toBe('topic');
  expect(await readGitChanges(folder.at('link'), ['.'])).toEqual(new Map([['f.txt', 'untracked']]));
});

test.skipIf(process.platform === 'win32')('does not start git if no parent folder is a repository', async () => {
  const marker = folder.at('started');
  folder.write('bin/git', `#!/bin/sh\ntouch ${marker}\nexit 1\n`);
  chmodSync(folder.at('bin/git'), 0o755);
  folder.write('plain/f.txt', 'one\n');
  vi.stubEnv('PATH', `${folder.at('bin')}:${process.env['PATH']}`);
  expect(await readGitChanges(folder.at('plain'), ['.'])).toBeNull();
  expect(existsSync(marker)).toBe(false);
  folder.write('plain/.git/HEAD', '');
  expect(await readGitChanges(folder.at('plain'), ['.'])).toBeNull();
  expect(existsSync(marker)).toBe(true);
});

test('hooks that settings define are turned off, and so are filters in a list that is too long', async () => {
  folder.git('init', '-q', folder.at('repo'));
  const configure = (name: string, value: string) => folder.git('-C', folder.at('repo'), 'config', name, value);
  configure('hook.a.b.command', 'touch x');
  configure('hook.a.b.event', 'pre-commit');
  expect(await withoutFilters(folder.at('repo'))).toEqual(['hook.a.b.enabled=false']);
  configure(`filter.${'x'.repeat(6_000)}.clean`, 'touch x');
  expect(await withoutFilters(folder.at('repo'))).toBeNull();
  // Git's output is limited. What is behind the limit would not be turned off.
  const long = `[a "${'x'.repeat(1_000)}"]\n${'k = 1\n'.repeat(34_000)}[filter "evil"]\nclean = touch x\n`;
  folder.write('repo/.git/config', `[core]\nrepositoryformatversion = 0\n${long}`);
  expect(await withoutFilters(folder.at('repo'))).toBeNull();
});
