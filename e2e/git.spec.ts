/** Resolves merge conflicts, compares a flow with a branch, and commits it. Checked with Git itself. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { type Program, test } from './program.ts';
import { card, openFlow } from './window.ts';

const flow = `# Answers mails
flow: { name: Mail }
nodes:
  - id: read   # all mails
    type: echo
    input: { text: mail }
  - { id: draft, type: prompt, input: { prompt: "Answer {{read.output}}" }, config: { temperature: 0.7 } }
  - { id: send, type: echo, input: { text: "{{draft.text}}" } }
edges:
  - { from: read, to: draft }
  - { from: draft, to: send }
`;
const mine = flow.replace('0.7', '0.1').replace('Answer', 'Reply to').replace('text: mail', 'text: mails');
const theirs = flow.replace('0.7', '0.2').replace('"{{draft.text}}"', '"Dear all, {{draft.text}}"');
/** Both changes, with my temperature. */
const merged = mine.replace('"{{draft.text}}"', '"Dear all, {{draft.text}}"');

interface Repository {
  readonly workspace: string;
  readonly file: string;
  git(...args: readonly string[]): string;
}

async function makeRepository(program: Program): Promise<Repository> {
  const workspace = await program.makeWorkspace({ 'mail.flow.yaml': flow, 'notes.txt': 'one\n' });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: workspace, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Kim');
  git('config', 'user.email', 'kim@example.org');
  git('add', '.');
  git('commit', '-qm', 'Start');
  return { workspace, file: path.join(workspace, 'mail.flow.yaml'), git };
}

/** Leaves a conflict of both temperatures in the flow. Git reports the whole line. */
async function makeConflict(program: Program): Promise<Repository> {
  const repository = await makeRepository(program);
  const { file, git } = repository;
  git('switch', '-qc', 'polite');
  await writeFile(file, theirs);
  git('commit', '-qam', 'Be polite');
  git('switch', '-q', 'main');
  await writeFile(file, mine);
  git('commit', '-qam', 'Be brief');
  expect(() => git('merge', '-q', 'polite')).toThrow();
  expect(await readFile(file, 'utf8')).toContain('<<<<<<< HEAD');
  return repository;
}

async function runCommand(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
}

const bar = (page: Page) => page.getByRole('region', { name: 'Review' });

test('13.7 a merge conflict is resolved on the canvas by mouse', async ({ program }) => {
  const { workspace, file, git } = await makeConflict(program);
  const { page } = await program.open(workspace);
  await openFlow(page, 'mail');
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(bar(page)).toContainText('Yours: HEAD, theirs: polite');
  await expect(bar(page)).toContainText('1 conflict to resolve');
  await expect(page.locator('.react-flow__node').getByRole('button', { name: /^Theirs: / })).toHaveCount(1);
  await expect(card(page, 'draft')).toBeVisible();
  await expectNoSeriousProblem(page, 'a merge conflict');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('mail.flow.yaml has 1 conflict to resolve', { exact: true })).toBeVisible();
  await page.locator('.react-flow__node').getByRole('button', { name: 'Theirs: draft' }).click();
  await bar(page).getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(merged.replace('0.1', '0.2'));
  git('commit', '-qam', 'Merge');
  expect(git('log', '-1', '--format=%P').trim().split(' ')).toHaveLength(2);
});

test('13.7 a merge conflict is resolved by keyboard, and undo brings it back', async ({ program }) => {
  const { workspace, file } = await makeConflict(program);
  const conflicted = await readFile(file, 'utf8');
  const { page } = await program.open(workspace);
  await openFlow(page, 'mail');
  await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toBeVisible();
  await runCommand(page, 'Resolve conflicts');
  await expect(page.getByRole('list', { name: 'Changes' }).getByRole('button').first()).toBeFocused();
  await page.keyboard.press('t');
  await expect(bar(page)).toContainText('1 resolved, 0 to resolve');
  await page.keyboard.press('u');
  await page.keyboard.press('y');
  await expect(bar(page)).toContainText('1 resolved, 0 to resolve');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(merged);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(conflicted);
});

test('13.7 a side of a conflict is kept in the text', async ({ program }) => {
  const { workspace, file } = await makeConflict(program);
  const conflicted = await readFile(file, 'utf8');
  await writeFile(file, `${conflicted}<<<<<<< HEAD\n# one\n=======\n# two\n>>>>>>> polite\n`);
  const { page } = await program.open(workspace);
  await openFlow(page, 'mail');
  await page.getByRole('radio', { name: 'Text', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Keep theirs in the conflict at line/ })).toHaveCount(2);
  await page
    .getByRole('button', { name: /^Keep theirs in the conflict at line/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: /^Keep yours in the conflict at line/ })).toHaveCount(1);
  await page.getByRole('button', { name: /^Keep yours in the conflict at line/ }).click();
  await expect(page.getByRole('button', { name: /^Keep yours in the conflict at line/ })).toHaveCount(0);
  await page.keyboard.press('Control+s');
  const [before = '', rest = ''] = conflicted.split(/<<<<<<< HEAD\n/);
  const [, after = ''] = rest.split(/>>>>>>> polite\n/);
  const side = rest.split('=======\n')[1]?.split('>>>>>>> polite\n')[0] ?? '';
  await expect.poll(() => readFile(file, 'utf8')).toBe(`${before}${side}${after}# one\n`);
});

test('13.7 unsaved edits are merged with the changes of another program on the canvas', async ({ program }) => {
  const { workspace, file } = await makeRepository(program);
  const { page } = await program.open(workspace);
  await openFlow(page, 'mail');
  await card(page, 'draft').click();
  await page.getByRole('button', { name: 'Advanced' }).click();
  const temperature = page.getByRole('textbox', { name: /Temperature/ });
  await temperature.fill('0.1');
  await temperature.press('Enter');
  await writeFile(file, theirs);
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(bar(page)).toContainText('1 conflict to resolve');
  await page.locator('.react-flow__node').getByRole('button', { name: 'Yours: draft' }).click();
  await bar(page).getByRole('button', { name: 'Done' }).click();
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(theirs.replace('0.2', '0.1'));
});

test('13.7 a branch is compared, and the accepted state is committed', async ({ program }) => {
  const { workspace, file, git } = await makeRepository(program);
  git('switch', '-qc', 'polite');
  await writeFile(file, theirs);
  git('commit', '-qam', 'Be polite');
  git('branch', '--', 'topic/--output=x');
  await writeFile(path.join(workspace, 'notes.txt'), 'two\n');
  git('add', 'notes.txt');
  const { page } = await program.open(workspace);
  await openFlow(page, 'mail');
  await runCommand(page, 'Compare with a branch');
  await expect(page.getByRole('option', { name: /main/ })).toBeVisible();
  await page.keyboard.type('main');
  await page.keyboard.press('Enter');
  await expect(bar(page)).toContainText('Compared with main');
  await expect(bar(page)).toContainText('2 to review');
  await page
    .getByRole('button', { name: /^Reject: .*temperature/ })
    .first()
    .click();
  await bar(page).getByRole('button', { name: 'Accept the rest' }).click();
  await bar(page).getByRole('button', { name: 'Commit…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Commit' });
  await expect(dialog.getByRole('checkbox', { name: /mail\.flow\.yaml/ })).toBeChecked();
  await expectNoSeriousProblem(page, 'a commit');
  await page.keyboard.type('Keep the temperature');
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  expect(git('log', '-1', '--format=%s|%an')).toBe('Keep the temperature|Kim\n');
  expect(git('show', '--format=', '--name-only')).toBe('mail.flow.yaml\n');
  expect(git('show', 'HEAD:mail.flow.yaml')).toBe(theirs.replace('0.2', '0.7'));
  expect(git('status', '--porcelain')).toBe('M  notes.txt\n');
});
