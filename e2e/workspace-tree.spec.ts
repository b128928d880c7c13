/** Files of the workspace, made, renamed, copied and thrown away in the tree. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { test } from './program.ts';
import { fileRow, fileTree, openFlow } from './window.ts';

test('renames an open file with unsaved text, copies it and throws the copy away', async ({ program }) => {
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

test('makes an agent in two clicks, and shows what was dragged into a folder', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hi'), 'notes/one.md': 'one\n' });
  const { page } = await program.open(workspace);
  await openFlow(page, 'echo');
  await page.getByRole('button', { name: 'New…' }).click();
  await page.getByRole('radio', { name: 'Agent' }).click();
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('main', { name: 'new-agent.aip' })).toBeVisible();
  await fileRow(page, 'new-agent.aip').dragTo(fileTree(page).locator('[data-tree-row="notes"]'));
  await expect(page.getByRole('main', { name: 'notes/new-agent.aip' })).toBeVisible();
  expect(existsSync(path.join(workspace, 'notes', 'new-agent.aip'))).toBe(true);
});
