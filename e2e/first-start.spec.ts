/** The very first start, as a person meets it: an example workspace, ready to run. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, openFlow } from './window.ts';

test('copies the examples to a folder of the user, opens them, and runs the first one', async ({ program }) => {
  const { page } = await program.start();
  await openFlow(page, 'release-notes');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).click();
  await expectRun(page, 'completed');
  expect(await readdir(path.join(program.folders.scratch, 'examples', 'out'))).toEqual(['release-notes.md']);
});

test('shows the text of the flow beside the canvas', async ({ program }) => {
  const { page } = await program.start();
  await openFlow(page, 'release-notes');
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Release');
  await expect(card(page, 'Headline')).toBeVisible();
});
