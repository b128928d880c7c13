/** Tests with real repositories. Those of hostile ones are in `git-versions.test.ts`. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commitFiles, listCommittable } from './git-commit.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';

let folder: TestFolder;
let workspace: string;

beforeEach(() => {
  folder = createTestFolder();
  for (const [name, value] of Object.entries({
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Kim',
    GIT_AUTHOR_EMAIL: 'kim@example.org',
    GIT_COMMITTER_NAME: 'Kim',
    GIT_COMMITTER_EMAIL: 'kim@example.org',
  }))
    vi.stubEnv(name, value);
  workspace = folder.at('repo/flows');
  folder.git('init', '-q', '-b', 'main', folder.at('repo'));
  write('a.flow.yaml', 'one\n');
  write('[x] ä.flow.yaml', 'odd name\n');
  write('notes.txt', 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

const write = (name: string, content: string): void => folder.write(`repo/flows/${name}`, content);
const git = (...args: readonly string[]): void => folder.git('-C', folder.at('repo'), ...args);
const commit = (paths: readonly string[], message = 'Change', isTrusted = false) =>
  commitFiles(workspace, { paths, message }, isTrusted);

function output(...args: readonly string[]): string {
  return execFileSync('git', ['-C', workspace, ...args], { encoding: 'utf8' });
}

function addHook(name: string, script: string): void {
  folder.write(`repo/.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(folder.at(`repo/.git/hooks/${name}`), 0o755);
}

test('lists changed flows, agents, conversations and tests of the workspace, and the branch', async () => {
  expect(await listCommittable(workspace, false)).toEqual({ branch: 'main', files: [], runsPrograms: false });
  write('[x] ä.flow.yaml', 'two\n');
  for (const name of ['deep/b.flow.yaml', 'c.aip', 'd.dialogue.yaml', 'e.test.yaml', 'notes.txt', 'f.yaml'])
    write(name, 'new\n');
  folder.write('repo/outside.flow.yaml', 'new\n');
  const { files, runsPrograms } = await listCommittable(workspace, true);
  expect(files).toEqual([
    { path: '[x] ä.flow.yaml', change: 'modified' },
    ...['c.aip', 'd.dialogue.yaml', 'deep/b.flow.yaml', 'e.test.yaml'].map((path) => ({ path, change: 'untracked' })),
  ]);
  expect(runsPrograms).toBe(true);
  git('checkout', '-q', '--detach');
  expect((await listCommittable(workspace, false)).branch).toBeNull();
});

test('commits the named files and nothing else', async () => {
  write('[x] ä.flow.yaml', 'two\n');
  write('new.flow.yaml', 'new\n');
  write('staged.txt', 'staged\n');
  write('notes.txt', 'two\n');
  git('add', 'flows/staged.txt', 'flows/notes.txt');
  write('notes.txt', 'three\n');
  const { commit: hash } = await commit(['[x] ä.flow.yaml', 'new.flow.yaml'], '# A title\n\nWith a reason.\n');
  expect(output('log', '-1', '--format=%H %B')).toBe(`${hash} # A title\n\nWith a reason.\n\n`);
  expect(output('show', '--format=', '--name-status', '-z')).toBe('M\0flows/[x] ä.flow.yaml\0A\0flows/new.flow.yaml\0');
  expect(output('diff', '--cached', '--name-only')).toBe('flows/notes.txt\nflows/staged.txt\n');
  expect(output('show', ':flows/notes.txt')).toBe('two\n');
});

test('commits that a file was deleted', async () => {
  execFileSync('rm', [folder.at('repo/flows/a.flow.yaml')]);
  await commit(['a.flow.yaml']);
  expect(output('ls-files')).not.toContain('a.flow.yaml');
});

test('makes the first commit of a repository', async () => {
  folder.git('init', '-q', folder.at('fresh'));
  folder.write('fresh/-x.flow.yaml', 'x\n');
  await commitFiles(folder.at('fresh'), { paths: ['-x.flow.yaml'], message: '-m' }, false);
  expect(execFileSync('git', ['-C', folder.at('fresh'), 'show', 'HEAD:-x.flow.yaml'], { encoding: 'utf8' })).toBe(
    'x\n',
  );
});

test('is refused with a reason, and changes nothing', async () => {
  await expect(commit(['a.flow.yaml'])).rejects.toMatchObject({ code: 'git.nothing-to-commit' });
  write('a.flow.yaml', 'two\n');
  await expect(commit(['a.flow.yaml'], ' \n')).rejects.toMatchObject({ code: 'git.failed' });
  await expect(commit(['../../x'])).rejects.toMatchObject({ code: 'files.outside' });
  await expect(commit(['.git/config'])).rejects.toMatchObject({ code: 'files.not-writable' });
  vi.stubEnv('GIT_AUTHOR_NAME', '');
  await expect(commit(['a.flow.yaml'])).rejects.toMatchObject({ code: 'git.no-identity' });
  vi.stubEnv('GIT_AUTHOR_NAME', 'Kim');
  git('checkout', '-q', '--detach');
  await expect(commit(['a.flow.yaml'])).rejects.toMatchObject({ code: 'git.detached' });
  expect(output('diff', '--cached')).toBe('');
});

test('is refused during a merge', async () => {
  git('checkout', '-q', '-b', 'other');
  write('a.flow.yaml', 'theirs\n');
  git('commit', '-q', '-am', 'Theirs');
  git('checkout', '-q', 'main');
  write('a.flow.yaml', 'ours\n');
  git('commit', '-q', '-am', 'Ours');
  expect(() => git('merge', '-q', 'other')).toThrow();
  await expect(commit(['a.flow.yaml'])).rejects.toMatchObject({ code: 'git.merging' });
});

test('reports what a hook says in a trusted workspace, and changes nothing then', async () => {
  addHook('pre-commit', 'echo "Add a test first." >&2; exit 1');
  write('a.flow.yaml', 'staged\n');
  git('add', '.');
  write('a.flow.yaml', 'two\n');
  write('new.flow.yaml', 'new\n');
  const failed = commit(['a.flow.yaml', 'new.flow.yaml'], 'Change', true);
  await expect(failed).rejects.toMatchObject({
    code: 'git.failed',
    message: expect.stringContaining('Add a test first.'),
  });
  expect(output('show', ':flows/a.flow.yaml')).toBe('staged\n');
  expect(output('status', '--porcelain')).toBe('MM flows/a.flow.yaml\n?? flows/new.flow.yaml\n');
  await commit(['a.flow.yaml', 'new.flow.yaml']);
  expect(output('log', '--format=%s')).toBe('Change\nStart\n');
});

test('runs hooks, filters and the signing program only in a trusted workspace', async () => {
  const marker = folder.at('ran');
  folder.write('sign.sh', `#!/bin/sh\necho signed >> ${marker}\nexit 1\n`);
  chmodSync(folder.at('sign.sh'), 0o755);
  addHook('post-commit', `echo hook >> ${marker}`);
  git('config', 'filter.upper.clean', 'tr a-z A-Z');
  git('config', 'gpg.program', folder.at('sign.sh'));
  write('.gitattributes', '*.yaml filter=upper\n');
  write('a.flow.yaml', 'two\n');
  await commit(['a.flow.yaml']);
  expect([output('show', 'HEAD:flows/a.flow.yaml'), existsSync(marker)]).toEqual(['two\n', false]);
  write('a.flow.yaml', 'three\n');
  await commit(['a.flow.yaml'], 'Change', true);
  expect([output('show', 'HEAD:flows/a.flow.yaml'), existsSync(marker)]).toEqual(['THREE\n', true]);
  git('config', 'commit.gpgSign', 'true');
  write('a.flow.yaml', 'four\n');
  await expect(commit(['a.flow.yaml'], 'Change', true)).rejects.toThrow('gpg failed to sign');
  await commit(['a.flow.yaml']);
  expect(output('show', 'HEAD:flows/a.flow.yaml')).toBe('four\n');
});
