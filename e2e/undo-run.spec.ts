/**
 * Tests that the changes of a run to files are listed with their differences and undone in the window: by mouse, by
 * keyboard, and with files that have changed since; and that the limits of the copies for that are set.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { answerQuestions } from './main-process.ts';
import { test } from './program.ts';
import { expectRun, openFlow, run, runCommand, runList, showRuns } from './window.ts';

const flow = `flow: { name: Save }
nodes:
  - { id: a, type: file.write, input: { path: notes.md, text: "one\\nthree\\n" } }
  - { id: b, type: file.write, input: { path: other.md, text: "new" } }
  - { id: c, type: file.write, input: { path: out/made.txt, text: "made" } }
edges: []
`;
const files = { 'save.flow.yaml': flow, 'notes.md': 'one\ntwo\n', 'other.md': 'old\n' };

function tab(page: Page): Locator {
  return page.getByRole('tab', { name: /^Files/ });
}

function list(page: Page): Locator {
  return page.getByRole('list', { name: 'Files that the run has changed' });
}

test('changes of a run are undone from its menu, and files that have changed since only after a question', async ({
  program,
}) => {
  const workspace = await program.makeWorkspace(files);
  const read = (name: string): string => readFileSync(join(workspace, name), 'utf8');
  const { page } = await program.open(workspace);
  await openFlow(page, 'save');
  await run(page);
  await expectRun(page, 'completed');
  writeFileSync(join(workspace, 'other.md'), 'mine\n');
  await showRuns(page);
  const row = runList(page).getByRole('list', { name: 'Runs' }).getByRole('button').first();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Undo changes to files…' }).click();
  await expect(tab(page)).toHaveText('Files3');
  await expect(list(page).getByRole('listitem')).toHaveText([
    /notes\.md/,
    /other\.md.*changed since the run/,
    /out\/made\.txt/,
  ]);
  await expect(page.locator('.run-file-diff')).toContainText('three');
  await list(page).getByRole('checkbox', { name: 'Put back out/made.txt' }).uncheck();
  await page.getByRole('button', { name: 'Put back 2 files…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('1 file has changed since the run.');
  await dialog.getByRole('button', { name: 'Put back' }).click();
  await expect(dialog).toContainText('other.md has changed since the run');
  await expect(dialog.locator('.run-file-diff')).toContainText('mine');
  expect(read('notes.md')).toBe('one\nthree\n');
  await dialog.getByRole('button', { name: 'Leave as it is' }).click();
  await expect(page.getByText('1 file put back', { exact: true })).toBeVisible();
  await expect(list(page).getByRole('listitem').first()).toContainText('as before the run');
  expect([read('notes.md'), read('other.md'), read('out/made.txt')]).toEqual(['one\ntwo\n', 'mine\n', 'made']);
});

test('changes of a run are undone by keyboard, and the undo is taken back', async ({ program }) => {
  const workspace = await program.makeWorkspace(files);
  const read = (name: string): string => readFileSync(join(workspace, name), 'utf8');
  const { page } = await program.open(workspace);
  await openFlow(page, 'save');
  await run(page);
  await expectRun(page, 'completed');
  await page.keyboard.press('ControlOrMeta+Shift+P');
  await page.keyboard.type('Undo changes to files');
  await page.keyboard.press('Enter');
  await list(page).getByRole('checkbox').first().focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Put back 2 files…' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Put back' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 files put back', { exact: true })).toBeVisible();
  expect([read('notes.md'), read('other.md')]).toEqual(['one\nthree\n', 'old\n']);
  await page.getByRole('button', { name: 'Take back the last undo…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Put back' }).press('Enter');
  await expect(list(page)).not.toContainText('as before the run');
  expect([read('other.md'), read('out/made.txt')]).toEqual(['new', 'made']);
});

test('the limits of copies are lowered only after a question, and raised without one', async ({ program }) => {
  const workspace = await program.makeWorkspace(files);
  const { app, page } = await program.open(workspace);
  await openFlow(page, 'save');
  await run(page);
  await expectRun(page, 'completed');
  await runCommand(page, 'Undo changes to files');
  await expect(list(page)).not.toContainText('no copy');
  await runCommand(page, 'Open history settings');
  const copies = page
    .getByRole('dialog', { name: 'Settings' })
    .getByRole('region', { name: 'Copies of changed files' });
  await expect(copies).toContainText('Less than 0.1 MiB');
  const [size, age] = [copies.getByLabel('Maximum size in MiB'), copies.getByLabel('Maximum age in days')];
  await test.step('by mouse', async () => {
    const asked = await answerQuestions(app, 'Cancel');
    await size.fill('0');
    await copies.getByRole('button', { name: 'Save' }).click();
    await expect(copies).toContainText('Nothing was changed.');
    expect(await asked()).toEqual([expect.stringContaining('Maximum size: 0 MiB (now 256 MiB)')]);
    await answerQuestions(app, 'Delete Old Copies');
    await copies.getByRole('button', { name: 'Save' }).click();
    await expect(copies).toContainText('0.0 MiB');
  });
  await test.step('by keyboard', async () => {
    const asked = await answerQuestions(app);
    await size.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('512');
    await page.keyboard.press('Tab');
    await expect(age).toBeFocused();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('90');
    await page.keyboard.press('Enter');
    await expect(copies.getByRole('button', { name: 'Save' })).toBeDisabled();
    await expect(age).toBeFocused();
    expect(await asked()).toEqual([]);
    await expect(copies.getByRole('alert')).toHaveCount(0);
  });
  await page.keyboard.press('Escape');
  await runCommand(page, 'Open history settings');
  await expect(size).toHaveValue('512');
  await expect(age).toHaveValue('90');
});
