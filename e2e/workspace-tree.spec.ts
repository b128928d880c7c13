/** Tests creating, renaming, copying and deleting workspace files in the tree. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { echoFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, fileRow, fileTree, openFlow, run } from './window.ts';

/** Drops files on the canvas as a file manager does. Only files that Chromium itself provides have a path on disk. */
async function dropFromSystem(page: Page, files: readonly string[]): Promise<void> {
  await page.evaluate(() => {
    const field = document.body.appendChild(document.createElement('input'));
    Object.assign(field, { type: 'file', multiple: true, id: 'handed-out' });
  });
  await page.locator('#handed-out').setInputFiles([...files]);
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('#handed-out');
    const dataTransfer = new DataTransfer();
    for (const file of field?.files ?? []) dataTransfer.items.add(file);
    field?.remove();
    const canvas = document.querySelector('.flow-canvas');
    const { left = 0, bottom = 0 } = canvas?.getBoundingClientRect() ?? {};
    const place = { clientX: left + 200, clientY: bottom - 200 };
    for (const type of ['dragover', 'drop']) {
      canvas?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer, ...place }));
    }
  });
}

test('renames an open file with unsaved text, copies it and deletes the copy', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hi'), 'notes/one.md': 'one\n' });
  const { page } = await program.start(['--workspace', workspace], { env: { XDG_DATA_HOME: program.folders.home } });
  await openFlow(page, 'echo');
  await page.getByRole('radio', { name: 'Text', exact: true }).click();
  await page.locator('.monaco-editor').first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('# kept');

  await fileTree(page).focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('said');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main', { name: 'said.flow.yaml' })).toBeVisible();
  await expect(page.locator('.monaco-editor .view-lines').first()).toContainText('# kept');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(path.join(workspace, 'said.flow.yaml'), 'utf8')).toContain('# kept');
  expect(existsSync(path.join(workspace, 'echo.flow.yaml'))).toBe(false);

  await fileRow(page, 'said.flow.yaml').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(fileRow(page, 'said-copy.flow.yaml')).toBeVisible();
  await expect(fileTree(page)).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('dialog', { name: 'Move said-copy.flow.yaml to the trash?' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(fileRow(page, 'said-copy.flow.yaml')).toHaveCount(0);
  expect(existsSync(path.join(workspace, 'said-copy.flow.yaml'))).toBe(false);
});

test('creates an agent in two clicks, and shows files dragged into a folder', { tag: '@thorough' }, async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({
    'echo.flow.yaml': echoFlow('hi'),
    'notes/one.md': 'one\n',
    'two.md': 'two\n',
  });
  const { page } = await program.open(workspace);
  await openFlow(page, 'echo');
  await page.getByRole('button', { name: 'New…' }).click();
  await page.getByRole('radio', { name: 'Agent' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('main', { name: 'new-agent.aip' })).toBeVisible();
  await fileRow(page, 'new-agent.aip').dragTo(fileTree(page).locator('[data-tree-row="notes"]'));
  await expect(page.getByRole('main', { name: 'notes/new-agent.aip' })).toBeVisible();
  expect(existsSync(path.join(workspace, 'notes', 'new-agent.aip'))).toBe(true);

  // On the canvas, a folder becomes a node that reads it, and each file from the system becomes one node.
  await openFlow(page, 'echo');
  const sheet = page.locator('.flow-canvas');
  await fileTree(page)
    .locator('[data-tree-row="notes"]')
    .dragTo(sheet, { targetPosition: { x: 200, y: 80 } });
  await expect(card(page, 'file_read')).toContainText('notes/**/*');
  await dropFromSystem(page, [path.join(workspace, 'notes', 'one.md'), path.join(workspace, 'two.md')]);
  await expect(card(page, 'file_read_2')).toContainText('notes/one.md');
  await expect(card(page, 'file_read_3')).toContainText('two.md');
  await page.keyboard.press('Control+z');
  await expect(card(page, 'file_read_2')).toHaveCount(0);
  await expect(card(page, 'file_read')).toBeVisible();
});

test('copies an example of the gallery into an empty folder, opens it and runs it', async ({ program }) => {
  const workspace = await program.makeWorkspace({});
  const { page } = await program.open(workspace);
  await expect(page.getByRole('contentinfo')).toContainText('Engine ready');
  await page.keyboard.press('Control+Shift+P');
  await page.getByRole('combobox').fill('Start from an example');
  await page.keyboard.press('Enter');
  const gallery = page.getByRole('dialog', { name: 'Start from an example' });
  await expect(gallery.getByRole('option', { name: 'Triage an inbox' })).toBeVisible();
  await expectNoSeriousProblem(page, 'the gallery', '[role="dialog"]');
  await gallery.getByRole('searchbox', { name: 'Search examples' }).fill('digest');
  await expect(gallery.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(card(page, 'Summarize the note')).toBeVisible();
  await expect(fileRow(page, 'digest.flow.yaml')).toBeVisible();
  await run(page);
  await expectRun(page, 'completed');
  expect(await readFile(path.join(workspace, 'weekly-digest/out/digest.md'), 'utf8')).toContain('From 3 notes.');
});
