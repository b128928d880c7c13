/** Tests a crash of the engine host: the window stays open, no recorded event is lost, and a new host takes over. */
import { expect } from '@playwright/test';
import { echoFlow, poemWorkspace } from './flows.ts';
import { killEngine, replaceEngine } from './main-process.ts';
import { test } from './program.ts';
import { startSlowRun } from './slow-run.ts';
import { card, expectRun, inspector, openFlow, run, runList, showRuns } from './window.ts';

test('keeps the window usable, marks the run interrupted and keeps its completed work', async ({ program }) => {
  const { app, page } = await startSlowRun(program, { 'echo.flow.yaml': echoFlow('alive') });
  await killEngine(app);

  await expectRun(page, 'interrupted');
  await card(page, 'first').click();
  await expect(inspector(page)).toContainText('kept');

  await openFlow(page, 'echo');
  await run(page);
  await expectRun(page, 'completed');

  await openFlow(page, 'slow');
  await showRuns(page);
  await expect(runList(page)).toContainText(/interrupted/i);
});

test('keeps the text received before a crash in the middle of a stream', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace(poemWorkspace);
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'poem');
  await run(page);
  await card(page, 'poem').click();
  await expect(inspector(page)).toContainText('A mill stands');
  await killEngine(app);
  await expectRun(page, 'interrupted');
  await expect(inspector(page)).toContainText('A mill stands');
  await expect(inspector(page)).not.toContainText('nothing lost between');
  await expect(card(page, 'poem')).toHaveAccessibleName(/interrupted/);
  await expect(card(page, 'quote')).toHaveAccessibleName('quote, echo');
});

test('restarts the engine after an idle crash, and stops after five crashes until the user retries', {
  tag: '@thorough',
}, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('alive') });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'echo');
  await replaceEngine({ app, page });
  await run(page);
  await expectRun(page, 'completed');

  for (let crash = 2; crash <= 5; crash++) await killEngine(app);
  const banner = page.getByRole('alert').filter({ hasText: 'ended 5 times within a minute' });
  await expect(banner).toBeVisible();
  await expect(card(page, 'say')).toBeVisible();
  await banner.getByRole('button', { name: 'Try again' }).click();
  await expect(banner).toHaveCount(0);
  await page.keyboard.press('r');
  await expectRun(page, 'completed');
});
