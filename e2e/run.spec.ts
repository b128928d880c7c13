/** Tests a flow from its file to the screen: run, watch, cancel, redo. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { echoFlow, greetingFlow, poemWorkspace, slowFlow } from './flows.ts';
import { test } from './program.ts';
import { startSlowRun } from './slow-run.ts';
import { card, expectRun, fileRow, fileTree, inspector, openFlow, run } from './window.ts';

test('opens a flow, runs it, shows streamed text, and then the output of each node', async ({ program }) => {
  const workspace = await program.makeWorkspace(poemWorkspace);
  const { page } = await program.open(workspace);
  await openFlow(page, 'poem');
  await expect(card(page, 'poem')).toHaveAccessibleName('poem, prompt');

  await run(page);
  await expect(card(page, 'poem')).toHaveAccessibleName(/running/);
  await card(page, 'poem').click();
  await expect(inspector(page)).toContainText('A mill stands');
  await expect(inspector(page)).not.toContainText('nothing lost between');

  await expectRun(page, 'completed');
  await expect(inspector(page)).toContainText('nothing lost between');
  await card(page, 'quote').click();
  await expect(inspector(page)).toContainText('They said: A mill stands');
  await expect(card(page, 'never')).toHaveAccessibleName(/skipped/);
  await card(page, 'never').click();
  await expect(inspector(page)).toContainText('flow.input.mood');
});

test('canceling a run keeps completed nodes and starts no further ones', async ({ program }) => {
  const { page } = await startSlowRun(program);

  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expectRun(page, 'canceled');
  await expect(card(page, 'pause')).toHaveAccessibleName(/canceled/);
  await expect(card(page, 'first')).toHaveAccessibleName(/completed/);
  await expect(card(page, 'last')).not.toHaveAccessibleName(/completed|running|canceled/);
});

test('redoes a run with the current content of the file', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('before') });
  const { page } = await program.open(workspace);
  await openFlow(page, 'echo');
  await run(page);
  await expectRun(page, 'completed');
  await card(page, 'say').click();
  await expect(inspector(page)).toContainText('before');

  await writeFile(path.join(workspace, 'echo.flow.yaml'), echoFlow('after'));
  await expect(card(page, 'say')).toContainText('after');
  await page.keyboard.press('r');
  await expect(inspector(page)).toContainText('after');
  await expectRun(page, 'completed');
});

test('asks for inputs, prefilled with the defaults, and runs with the typed values', { tag: '@thorough' }, async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'greeting.flow.yaml': greetingFlow });
  const { page } = await program.open(workspace);
  await openFlow(page, 'greeting');
  await page.keyboard.press('Control+Shift+Alt+Enter');
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'who' });
  await expect(field).toHaveValue('world');
  await field.fill('Ada');
  await field.press('Enter');
  await expectRun(page, 'completed');
  await card(page, 'greet').click();
  await expect(inspector(page)).toContainText('Hello Ada');
});

test('opens, runs, cancels and redoes a flow by keyboard alone', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'slow.flow.yaml': slowFlow });
  const { page } = await program.open(workspace);
  const files = fileTree(page);
  await fileRow(page, 'slow.flow.yaml').waitFor();
  for (let presses = 0; presses < 80 && !(await files.evaluate((it) => it === document.activeElement)); presses++) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await expect(card(page, 'first')).toBeVisible();

  await page.keyboard.press('Control+Enter');
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  await page.keyboard.press('Control+Enter');
  await expectRun(page, 'canceled');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: /shortcuts/i })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
