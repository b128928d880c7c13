/** Tests opening, reloading and closing windows and quitting the program, with active runs and stored state. */
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { answerQuestions, chooseInMenu, collectErrorBoxes } from './main-process.ts';
import { test } from './program.ts';
import { startSlowRun } from './slow-run.ts';
import { card, expectRun, fileRow, fileTree, inspector, openFlow, run, runList, showRuns } from './window.ts';

test('asks before closing the last window cancels a run, and lets it continue if the user declines', async ({
  program,
}) => {
  const { app, page, workspace } = await startSlowRun(program);

  const proceed = await answerQuestions(app, 'Keep Running');
  await chooseInMenu(app, 'File', 'Close Window');
  await expect
    .poll(proceed)
    .toEqual([
      'A run is still under way. Closing this window cancels it. What was done until then is kept in the history.',
    ]);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);

  await answerQuestions(app, 'Cancel Run and Close');
  const closed = app.waitForEvent('close');
  await chooseInMenu(app, 'File', 'Close Window').catch(() => undefined);
  await closed;

  const again = await program.start(['--workspace', workspace]);
  await openFlow(again.page, 'slow');
  await showRuns(again.page);
  await expect(runList(again.page)).toContainText(/canceled/i);
});

test('does not ask if no run would end: another window has the folder, or nothing is running', {
  tag: '@thorough',
}, async ({ program }) => {
  const { app, page } = await startSlowRun(program);
  const [second] = await Promise.all([app.waitForEvent('window'), chooseInMenu(app, 'File', 'New Window')]);
  await fileTree(second).waitFor();
  const asked = await answerQuestions(app, 'Keep Running');
  await page.close();
  await expect(card(second, 'pause')).toHaveAccessibleName(/running/);
  await second.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expectRun(second, 'canceled');
  expect(await asked()).toEqual([]);
  const closed = app.waitForEvent('close');
  await second.close();
  await closed;
});

test('quitting during a run asks, stores the run as cancelled and exits soon', { tag: '@thorough' }, async ({
  program,
}) => {
  const { app, page, workspace } = await startSlowRun(program);
  const proceed = await answerQuestions(app, 'Keep Running');
  await app.evaluate((electron) => electron.app.quit());
  await expect.poll(proceed).toHaveLength(1);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  await answerQuestions(app, 'Cancel Run and Quit');
  await app.close();

  const again = await program.start(['--workspace', workspace]);
  await openFlow(again.page, 'slow');
  await showRuns(again.page);
  await runList(again.page)
    .getByRole('button', { name: /canceled/i })
    .click();
  await card(again.page, 'first').click();
  await expect(inspector(again.page)).toContainText('kept');
});

test('exits without a question on Ctrl+C in its terminal, and stores the run as cancelled', async ({ program }) => {
  const { app, workspace } = await startSlowRun(program);
  const closed = app.waitForEvent('close');
  // Like Ctrl+C in a terminal, this signals all processes of the program.
  process.kill(-(app.process().pid ?? 0), 'SIGINT');
  await closed;
  const again = await program.start(['--workspace', workspace]);
  await showRuns(again.page);
  await expect(runList(again.page)).toContainText(/canceled/i);
});

test('shows a run live from its first event after the window reloads during the run', async ({ program }) => {
  const { app, page } = await startSlowRun(program);
  await Promise.all([page.waitForEvent('load'), chooseInMenu(app, 'View', 'Reload Window')]);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  await expect(card(page, 'first')).toHaveAccessibleName(/completed/);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expectRun(page, 'canceled');
});

test('a second start opens its folder in the running program', async ({ program }) => {
  const first = await program.makeWorkspace({ 'one.flow.yaml': echoFlow('one') });
  const second = await program.makeWorkspace({ 'two.flow.yaml': echoFlow('two') });
  const { app, page } = await program.start(['--workspace', first]);
  await openFlow(page, 'one');
  const [window] = await Promise.all([app.waitForEvent('window'), program.startBeside(['--workspace', second])]);
  await openFlow(window, 'two');
  await run(window);
  await expectRun(window, 'completed');
  expect(app.windows()).toHaveLength(2);
});

test('opens folders from a dialog and the recent list, and reports a missing one', { tag: '@thorough' }, async ({
  program,
}) => {
  const first = await program.makeWorkspace({ 'one.flow.yaml': echoFlow('one') });
  const second = await program.makeWorkspace({ 'two.flow.yaml': echoFlow('two') });
  const { app, page } = await program.start(['--workspace', first]);
  await openFlow(page, 'one');
  await app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, second);
  await page.keyboard.press('Control+o');
  await openFlow(page, 'two');

  await chooseInMenu(app, 'File', 'Open Recent', first);
  await openFlow(page, 'one');
  await rename(second, `${second}-moved`);
  const errors = await collectErrorBoxes(app);
  await chooseInMenu(app, 'File', 'Open Recent', second);
  await expect.poll(errors).toEqual([expect.stringContaining(path.basename(second))]);
  await expect(card(page, 'say')).toBeVisible();

  await app.close();
  const again = await program.start();
  await openFlow(again.page, 'one');
});

test('keeps the theme across starts', { tag: '@thorough' }, async ({ program }) => {
  const isDark = async (page: Page): Promise<boolean> => {
    // Otherwise tests always see the light theme.
    await page.emulateMedia({ colorScheme: null });
    return page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  };
  const { app, page } = await program.start();
  for (const theme of ['Light', 'Dark']) {
    await chooseInMenu(app, 'View', 'Theme', theme);
    await expect.poll(() => isDark(page)).toBe(theme === 'Dark');
  }
  await app.close();
  const again = await program.start();
  expect(await isDark(again.page)).toBe(true);
});

test('a window that cannot be drawn shows and logs the reason, and recovers when reloaded', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hello') });
  const { page } = await program.start(['--workspace', workspace]);
  await fileRow(page, 'echo.flow.yaml').waitFor();
  await page.addInitScript(() => {
    if (sessionStorage.getItem('hasFailed') !== null) return;
    sessionStorage.setItem('hasFailed', 'yes');
    const ask = window.matchMedia.bind(window);
    window.matchMedia = (query) => {
      if (query.includes('width')) throw new Error('The width is not known.');
      return ask(query);
    };
  });
  await page.reload();
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('The width is not known.');
  const log = path.join(program.folders.userData, 'logs', 'millrace.log');
  await expect.poll(() => readFile(log, 'utf8').catch(() => '')).toMatch(/ window .*The width is not known/);
  await expect(failure.getByRole('button')).toBeFocused();
  await page.keyboard.press('Enter');
  await fileRow(page, 'echo.flow.yaml').waitFor();
  await expect(failure).toBeHidden();
});
