/** Tests with real repositories, hostile ones included. */
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { commitFiles } from './git-commit.ts';
import { listGitVersions, readCommittedText, readMergeBase } from './git-versions.ts';
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
  write('a.flow.yaml', 'one\r\n');
  write('[x] ä.flow.yaml', 'odd name\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder.remove();
});

const write = (name: string, content: string | Uint8Array): void => folder.write(`repo/flows/${name}`, content);
const git = (...args: readonly string[]): void => folder.git('-C', folder.at('repo'), ...args);
const read = (path: string, ref = 'HEAD') => readCommittedText(workspace, { path, ref });
const commit = (paths: readonly string[], message = 'Change') => commitFiles(workspace, { paths, message }, false);

describe('the text of a file in a commit', () => {
  test('is that of HEAD, a branch, a tag or a commit, exactly', async () => {
    git('tag', 'v1');
    git('checkout', '-q', '-b', 'topic/next');
    write('a.flow.yaml', 'two\n');
    git('commit', '-q', '-am', 'Two');
    expect(await read('a.flow.yaml')).toMatchObject({ text: 'two\n' });
    const { commit: first, text } = await read('a.flow.yaml', 'main');
    expect(text).toBe('one\r\n');
    for (const ref of ['v1', first, first.slice(0, 8), 'HEAD~1', 'topic/next^'])
      expect(await read('a.flow.yaml', ref)).toEqual({ text: 'one\r\n', commit: first });
    expect(await read('[x] ä.flow.yaml')).toMatchObject({ text: 'odd name\n' });
  });

  test('is null if the commit does not contain the file', async () => {
    expect(await read('new.flow.yaml')).toMatchObject({ text: null });
    symlinkSync('a.flow.yaml', folder.at('repo/flows/link.flow.yaml'));
    git('add', '.');
    git('commit', '-q', '-m', 'Link');
    expect(await read('link.flow.yaml')).toMatchObject({ text: null });
  });

  test.each([
    'gone',
    '--help',
    '-p',
    'main..topic',
    ':/Start',
    'HEAD:a',
    'HEAD^{/x}',
    'a b',
    '',
    '.git',
    'x\n',
    '@{-1}',
  ])('is refused for the ref %j', async (ref) => {
    await expect(read('a.flow.yaml', ref)).rejects.toMatchObject({ code: 'git.unknown-ref' });
  });

  test('is refused for paths outside, other encodings and folders without git', async () => {
    write('bytes.flow.yaml', new Uint8Array([0xff, 0xfe]));
    git('add', '.');
    git('commit', '-q', '-m', 'Bytes');
    await expect(read('bytes.flow.yaml')).rejects.toMatchObject({ code: 'files.not-text' });
    await expect(read('../x')).rejects.toMatchObject({ code: 'files.outside' });
    folder.write('plain/a.flow.yaml', '');
    const plain = readCommittedText(folder.at('plain'), { path: 'a.flow.yaml', ref: 'HEAD' });
    await expect(plain).rejects.toMatchObject({ code: 'git.not-available' });
  });
});

test('reads the text that both sides of a merge changed, while the merge is not finished', async () => {
  write('[x] ä.flow.yaml', 'base\n');
  git('commit', '-q', '-am', 'Base');
  git('checkout', '-q', '-b', 'other');
  write('[x] ä.flow.yaml', 'theirs\n');
  git('commit', '-q', '-am', 'Theirs');
  git('checkout', '-q', 'main');
  write('[x] ä.flow.yaml', 'ours\n');
  git('commit', '-q', '-am', 'Ours');
  expect(await readMergeBase(workspace, '[x] ä.flow.yaml')).toEqual({ text: null });
  expect(() => git('merge', '-q', 'other')).toThrow();
  expect(await readMergeBase(workspace, '[x] ä.flow.yaml')).toEqual({ text: 'base\n' });
  expect(await readMergeBase(workspace, 'a.flow.yaml')).toEqual({ text: null });
  folder.write('plain/a.flow.yaml', '');
  expect(await readMergeBase(folder.at('plain'), 'a.flow.yaml')).toEqual({ text: null });
});

test('lists branches, tags and the commits of one file', async () => {
  git('branch', 'topic');
  git('tag', 'v1');
  write('b.flow.yaml', 'b\n');
  await commit(['b.flow.yaml'], 'Add b\n\nWith a reason.');
  const { branches, tags, commits } = await listGitVersions(workspace, 'b.flow.yaml');
  expect(tags).toEqual(['v1']);
  expect(branches).toEqual([
    { name: 'main', isCurrent: true },
    { name: 'topic', isCurrent: false },
  ]);
  expect(commits).toEqual([
    { commit: expect.stringMatching(/^[0-9a-f]{40}$/), at: expect.any(Number), author: 'Kim', subject: 'Add b' },
  ]);
});

test('lists at most 500 of 5,000 branches, the current one first, with harmless names', async () => {
  const head = readFileSync(folder.at('repo/.git/refs/heads/main'), 'utf8').trim();
  const names = Array.from({ length: 5_000 }, (_, index) => `--output=x${index}`);
  const long = 'l'.repeat(200);
  const lines = [...names, long, '-c'].map((name) => `${head} refs/heads/${name}\n`);
  folder.write('repo/.git/packed-refs', `# pack-refs with: sorted\n${lines.sort().join('')}`);
  write('a.flow.yaml', 'two\n');
  vi.stubEnv('GIT_COMMITTER_DATE', '2060-01-01T00:00:00Z');
  git('commit', '-q', '-am', 'Two');
  const { branches } = await listGitVersions(workspace, 'a.flow.yaml');
  expect([branches.length, branches[0]]).toEqual([500, { name: 'main', isCurrent: true }]);
  await expect(read('a.flow.yaml', names[0])).rejects.toMatchObject({ code: 'git.unknown-ref' });
  expect(await read('a.flow.yaml', `heads/${long}`)).toMatchObject({ text: 'one\r\n' });
  await expect(read('a.flow.yaml', 'l'.repeat(9_000))).rejects.toMatchObject({ code: 'git.unknown-ref' });
  expect(existsSync(folder.at('repo/flows/x0'))).toBe(false);
});

test('says whether git or the repository is missing', async () => {
  folder.write('plain/a.flow.yaml', '');
  await expect(listGitVersions(folder.at('plain'), 'a.flow.yaml')).rejects.toThrow('not in a git repository');
  vi.stubEnv('PATH', folder.at('none'));
  await expect(listGitVersions(workspace, 'a.flow.yaml')).rejects.toThrow('Git is not installed');
});

test('a hostile repository runs nothing', async () => {
  const marker = folder.at('ran');
  const program = folder.at('evil.sh');
  folder.write('evil.sh', `#!/bin/sh\necho "$0 $@" >> ${marker}\ncat\n`);
  chmodSync(program, 0o755);
  for (const hook of ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-index-change']) {
    folder.write(`hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${marker}\n`);
    folder.write(`repo/.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${marker}\n`);
    chmodSync(folder.at(`hooks/${hook}`), 0o755);
    chmodSync(folder.at(`repo/.git/hooks/${hook}`), 0o755);
  }
  for (const [name, value] of [
    ['core.hooksPath', folder.at('hooks')],
    ['core.fsmonitor', program],
    ['core.pager', program],
    ['core.editor', program],
    ['pager.log', program],
    ['diff.external', program],
    ['diff.evil.textconv', program],
    ['diff.evil.command', program],
    ['filter.evil.clean', program],
    ['filter.evil.smudge', program],
    ['filter.evil.required', 'true'],
    ['filter.long.name.process', program],
    ['commit.gpgSign', 'true'],
    ['gpg.program', program],
    ['log.showSignature', 'true'],
    ['gc.auto', '1'],
  ] as const)
    git('config', name, value);
  write('.gitattributes', '*.yaml filter=evil diff=evil\nb.flow.yaml filter=long.name\n');
  write('a.flow.yaml', 'two\n');
  write('b.flow.yaml', 'b\n');
  await commit(['a.flow.yaml', 'b.flow.yaml']);
  expect(await read('a.flow.yaml')).toMatchObject({ text: 'two\n' });
  await listGitVersions(workspace, 'a.flow.yaml');
  expect(existsSync(marker)).toBe(false);
  git('config', 'filter.a=b.clean', program);
  write('a.flow.yaml', 'three\n');
  await expect(commit(['a.flow.yaml'])).rejects.toMatchObject({ code: 'git.failed' });
  expect(existsSync(marker)).toBe(false);
  expect(readdirSync(folder.at('repo/.git'))).not.toContain('index.lock');
});

test('a hostile submodule runs nothing, even if the index differs and nothing can be committed', async () => {
  const marker = folder.at('ran');
  folder.write('evil.sh', `#!/bin/sh\necho ran >> ${marker}\ncat\n`);
  chmodSync(folder.at('evil.sh'), 0o755);
  const inner = (...args: readonly string[]): void => folder.git('-C', folder.at('repo/inner'), ...args);
  folder.write('repo/inner/.gitattributes', '* filter=evil\n');
  folder.write('repo/inner/x', 'one\n');
  folder.git('init', '-q', folder.at('repo/inner'));
  inner('add', '.');
  inner('commit', '-q', '-m', 'Inner');
  write('a.flow.yaml', 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'With a submodule');
  write('a.flow.yaml', 'two\n');
  git('add', 'flows/a.flow.yaml');
  write('a.flow.yaml', 'one\n');
  inner('config', 'filter.evil.clean', folder.at('evil.sh'));
  // Same length, so that Git has to read the content.
  folder.write('repo/inner/x', 'two\n');
  git('config', 'diff.autoRefreshIndex', 'false');
  await expect(commit(['a.flow.yaml'])).rejects.toMatchObject({ code: 'git.nothing-to-commit' });
  expect(existsSync(marker)).toBe(false);
});
