/** The very first start, as a person meets it: an example workspace, ready to run. */
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, openFlow } from './window.ts';

test('copies the examples to a folder of the user, which is trusted, and the first one runs by one click and offers what it made', async ({
  program,
}) => {
  const { page } = await program.start();
  await expect(card(page, 'Save the page')).toBeVisible();
  await expect(
    page.getByRole('status').filter({ hasText: 'It writes out/feedback.md, and works offline.' }),
  ).toContainText('Millrace draws and runs flows');

  const examples = await realpath(path.join(program.folders.scratch, 'examples'));
  await expect(async () => {
    const trusted = await readFile(path.join(program.folders.home, 'millrace', 'trusted.json'), 'utf8');
    expect(JSON.parse(trusted)).toEqual({ version: 1, workspaces: [examples] });
  }).toPass();

  const run = page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first();
  await run.click({ modifiers: ['Shift'] });
  await expect(page.getByRole('dialog', { name: 'Run Feedback' })).toContainText('page');
  await page.keyboard.press('Escape');
  await run.click();
  await expectRun(page, 'completed');
  expect(await readdir(path.join(examples, 'out'))).toEqual(['feedback.md']);
  await expect(page.getByText('It made out/feedback.md.')).toBeVisible();
  await page.getByRole('button', { name: 'Open out/feedback.md' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Dear Ada');
});

test('shows the text of the flow beside the canvas', async ({ program }) => {
  const { page } = await program.start();
  await openFlow(page, 'release-notes');
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Release');
  await expect(card(page, 'Headline')).toBeVisible();
});
