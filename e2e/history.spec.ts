/** What was run stays: after a restart, in a second window, and out of the user's repository. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { echoFlow, slowFlow } from './flows.ts';
import { test } from './program.ts';
import { card, expectRun, fileRow, inspector, openFlow, run, showRuns } from './window.ts';

test('opens a past run again after a restart, with the version of the file that it ran', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('first words') });
  const first = await program.start(['--workspace', workspace]);
  await openFlow(first.page, 'echo');
  await run(first.page);
  await expectRun(first.page, 'completed');
  await first.app.close();
  await writeFile(path.join(workspace, 'echo.flow.yaml'), echoFlow('other words'));

  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'echo');
  await expect(card(page, 'say')).toContainText('other words');
  await showRuns(page);
  await page
    .getByRole('complementary', { name: 'Runs' })
    .getByRole('button', { name: /completed/i })
    .first()
    .click();
  await expectRun(page, 'completed');
  await expect(page.getByRole('main')).toContainText(/older version/i);
  await test.step('the menu of the run, by keyboard', async () => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menu').getByRole('menuitem', { name: 'Open' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
  });
  await card(page, 'say').click();
  await expect(inspector(page)).toContainText('first words');
});

test('shows one run live in two windows on the same workspace', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'slow.flow.yaml': slowFlow });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'slow');
  const [second] = await Promise.all([
    app.waitForEvent('window'),
    app.evaluate(({ Menu }) => {
      const file = Menu.getApplicationMenu()?.items.find(({ label }) => label === '&File');
      file?.submenu?.items.find(({ label }) => label === 'New Window')?.click();
    }),
  ]);
  await openFlow(second, 'slow');
  await run(page);
  await expect(card(second, 'pause')).toHaveAccessibleName(/running/);
  await second.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expectRun(page, 'cancelled');
  await expectRun(second, 'cancelled');
});

test('keeps the history out of the repository and marks files that differ from HEAD', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('committed') });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: workspace });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'start');

  const { page } = await program.open(workspace);
  await openFlow(page, 'echo');
  await run(page);
  await expectRun(page, 'completed');
  expect(git('status', '--porcelain').toString()).toBe('');
  expect(await readFile(path.join(workspace, '.millrace', '.gitignore'), 'utf8')).toBe('*\n');

  await writeFile(path.join(workspace, 'echo.flow.yaml'), echoFlow('changed'));
  await writeFile(path.join(workspace, 'new.flow.yaml'), echoFlow('new'));
  await expect(fileRow(page, 'echo.flow.yaml')).toHaveAccessibleName(/changed since/i);
  await expect(fileRow(page, 'new.flow.yaml')).toHaveAccessibleName(/not in git/i);
});
