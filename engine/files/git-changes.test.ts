import { copyFileSync, cpSync, existsSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readGitBranch, readGitChanges } from './git-changes.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

/** Whoever may write files in a folder could otherwise have git run a program when the folder is shown. */
test('files that make a folder look like a repository of its own start nothing', async () => {
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

test('tells the branch, also before the first commit, and the commit where no branch is in use', async () => {
  expect(await readGitBranch(folder.at('.'))).toBeNull();
  folder.git('init', '-q', '-b', 'topic');
  expect(await readGitBranch(folder.at('.'))).toBe('topic');
  folder.git('commit', '-q', '--allow-empty', '-m', 'Start');
  folder.git('checkout', '-q', '--detach');
  expect(await readGitBranch(folder.at('.'))).toMatch(/^[0-9a-f]{7,}$/);
});
