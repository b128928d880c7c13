/** Windows that open, reload and close, and the program that ends: with runs in them, and with what is remembered. */
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { answerQuestions, chooseInMenu, collectErrorBoxes } from './main-process.ts';
import { test } from './program.ts';
import { startSlowRun } from './slow-run.ts';
import { card, expectRun, fileRow, fileTree, inspector, openFlow, run, runList, showRuns } from './window.ts';

test('asks before closing the last window cuts a run short, and goes on if that is the wish', async ({ program }) => {
  const { app, page, workspace } = await startSlowRun(program);

  const goOn = await answerQuestions(app, 'Go On');
  await chooseInMenu(app, 'File', 'Close Window');
  await expect
    .poll(goOn)
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
  await expect(runList(again.page)).toContainText(/cancelled/i);
});

test('asks nothing when no run ends: with another window on the folder, or with nothing under way', {
  tag: '@thorough',
}, async ({ program }) => {
  const { app, page } = await startSlowRun(program);
  const [second] = await Promise.all([app.waitForEvent('window'), chooseInMenu(app, 'File', 'New Window')]);
  await fileTree(second).waitFor();
  const asked = await answerQuestions(app, 'Go On');
  await page.close();
  await expect(card(second, 'pause')).toHaveAccessibleName(/running/);
  await second.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expectRun(second, 'cancelled');
  expect(await asked()).toEqual([]);
  const closed = app.waitForEvent('close');
  await second.close();
  await closed;
});

test('quitting in the middle of a run asks, stores it as cancelled and ends soon', { tag: '@thorough' }, async ({
  program,
}) => {
  const { app, page, workspace } = await startSlowRun(program);
  const goOn = await answerQuestions(app, 'Go On');
  await app.evaluate((electron) => electron.app.quit());
  await expect.poll(goOn).toHaveLength(1);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  await answerQuestions(app, 'Cancel Run and Quit');
  await app.close();

  const again = await program.start(['--workspace', workspace]);
  await openFlow(again.page, 'slow');
  await showRuns(again.page);
  await runList(again.page)
    .getByRole('button', { name: /cancelled/i })
    .click();
  await card(again.page, 'first').click();
  await expect(inspector(again.page)).toContainText('kept');
});

test('ends without a question on Ctrl+C in its terminal, and stores the run as cancelled', async ({ program }) => {
  const { app, workspace } = await startSlowRun(program);
  const closed = app.waitForEvent('close');
  // As Ctrl+C in a terminal does: to all processes of the program.
  process.kill(-(app.process().pid ?? 0), 'SIGINT');
  await closed;
  const again = await program.start(['--workspace', workspace]);
  await showRuns(again.page);
  await expect(runList(again.page)).toContainText(/cancelled/i);
});

test('shows a run live again, from its first event, when the window reloads in the middle of it', async ({
  program,
}) => {
  const { app, page } = await startSlowRun(program);
  await Promise.all([page.waitForEvent('load'), chooseInMenu(app, 'View', 'Reload Window')]);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  await expect(card(page, 'first')).toHaveAccessibleName(/completed/);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expectRun(page, 'cancelled');
});

test('a second start opens its folder in the program that runs', async ({ program }) => {
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

test('opens folders by dialog and from the recent ones, and says when one is gone', { tag: '@thorough' }, async ({
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

test('keeps the theme from one start to the next', { tag: '@thorough' }, async ({ program }) => {
  const isDark = async (page: Page): Promise<boolean> => {
    // Without this, tests see the light theme whatever the program says.
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

test('a window that cannot be drawn says why, also in the log, and comes back when it is loaded again', async ({
  program,
}) => {
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
