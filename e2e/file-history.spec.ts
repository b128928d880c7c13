/** Tests files that other programs change, the local history of a file, and restoring the session of a window. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { type Program, test } from './program.ts';
import { lines, showText, type } from './text-view.ts';
import { card, openFlow } from './window.ts';

const saved = `flow:
  name: Plain
nodes:
  - id: only
    type: echo
    input: { text: hi }
edges: []
`;

function makeWorkspace(program: Program): Promise<string> {
  return program.makeWorkspace({ 'plain.flow.yaml': saved, 'second.flow.yaml': saved });
}

async function open(program: Program) {
  const workspace = await makeWorkspace(program);
  const { page } = await program.open(workspace);
  return { page, file: path.join(workspace, 'plain.flow.yaml') };
}

/** Resolves when main has stored `text` in the session of the window. */
async function untilRemembered({ folders }: Program, text: string): Promise<void> {
  const sessions = path.join(folders.userData, 'sessions');
  await expect
    .poll(async () => {
      const names = await readdir(sessions).catch(() => []);
      return (await Promise.all(names.map((name) => readFile(path.join(sessions, name), 'utf8')))).join('');
    })
    .toContain(text);
}

test('merges a flow that changed on disk while it has unsaved edits', async ({ program }) => {
  const { page, file } = await open(program);
  await showText(page, 'plain');
  await type(page, '# mine');
  await writeFile(file, saved.replace('name: Plain', 'name: Theirs'));
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByText('Merged without conflicts', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(`${saved.replace('name: Plain', 'name: Theirs')}# mine`);
});

test('offers choices to merge a text that is not a flow', async ({ program }) => {
  const { page, file } = await open(program);
  await showText(page, 'plain');
  await type(page, '@mine');
  await writeFile(file, saved.replace('name: Plain', 'name: Theirs'));
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'File changed on disk' });
  await expect(dialog).toContainText("The changes don't overlap");
  await dialog.getByRole('button', { name: 'Use the merged text' }).click();
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(`${saved.replace('name: Plain', 'name: Theirs')}@mine`);
});

test('shows and restores an earlier version, and undo reverts the restore', async ({ program }) => {
  const { page, file } = await open(program);
  await showText(page, 'plain');
  await type(page, '# one');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(`${saved}# one`);
  await type(page, ' two');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(`${saved}# one two`);

  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('local history');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Local history' });
  await expect(dialog.locator('.version')).toHaveCount(3);
  await dialog.locator('.version').last().click();
  await dialog.getByRole('button', { name: 'Restore this version' }).click();
  await expect(lines(page)).not.toContainText('# one');
  await page.keyboard.press('Control+z');
  await expect(lines(page)).toContainText('# one two');
});

test('restores tabs and views at the next start', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await makeWorkspace(program);
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'second');
  await openFlow(page, 'plain');
  await page.getByRole('radio', { name: 'Split', exact: true }).click();
  await expect(page.locator('.monaco-editor').first()).toBeVisible();
  await untilRemembered(program, '"mode":"split"');
  await app.close();

  const again = await program.start(['--workspace', workspace]);
  await expect(again.page.getByRole('main', { name: 'plain.flow.yaml' })).toBeVisible();
  await expect(
    again.page.getByRole('navigation', { name: 'Open files' }).getByRole('button', { name: /second/ }),
  ).toHaveCount(2);
  await expect(again.page.locator('.monaco-editor').first()).toBeVisible();
  await expect(card(again.page, 'only')).toBeVisible();
});
