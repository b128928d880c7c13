/** Tests that runs are kept after a restart, shared with a second window, and stored outside the user's repository. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { echoFlow, slowFlow } from './flows.ts';
import { answerQuestions } from './main-process.ts';
import { test } from './program.ts';
import { card, expectRun, fileRow, inspector, openFlow, run, runCommand, showRuns } from './window.ts';

test('opens a past run after a restart, with the version of the file that it ran', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('first words') });
  const first = await program.start(['--workspace', workspace]);
  await openFlow(first.page, 'echo');
  await run(first.page);
  await expectRun(first.page, 'completed');
  await first.app.close();
  await writeFile(path.join(workspace, 'echo.flow.yaml'), echoFlow('other words'));

  const { app, page } = await program.start(['--workspace', workspace]);
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
  await test.step('open the menu of the run by keyboard', async () => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menu').getByRole('menuitem', { name: 'Open', exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
  });
  await card(page, 'say').click();
  await expect(inspector(page)).toContainText('first words');

  const runs = page.getByRole('complementary', { name: 'Runs' });
  const choose = async (row: string, entry: string): Promise<void> => {
    await runs.getByRole('button', { name: new RegExp(row) }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: entry }).click();
  };
  await test.step('compare it with another run', async () => {
    await page.getByRole('button', { name: 'Show the file' }).click();
    await run(page);
    await expectRun(page, 'completed');
    await choose('Run 2', 'Compare with…');
    await runs.getByRole('button', { name: /Run 1/ }).click();
    const comparison = page.getByRole('region', { name: 'Comparison of two runs' });
    await expect(comparison).toContainText('1 of 1 difference');
    await expect(inspector(page)).toContainText('first words → other words');
    await comparison.getByRole('button', { name: 'End the comparison' }).click();
  });
  await test.step('export it to the chosen file', async () => {
    const file = path.join(workspace, 'run.json');
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    }, file);
    await choose('Run 1', 'Export…');
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('first words');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ format: 'millrace.run/1', run: { number: 1 } });
    await choose('Run 1', 'Export as OpenTelemetry…');
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('resourceSpans');
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('resourceSpans.0.scopeSpans.0.spans.0.traceId');
  });
  await test.step('export it as a trace to the chosen folder', async () => {
    const folder = path.join(workspace, 'traces');
    await app.evaluate(({ dialog }, filePath) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
    }, folder);
    await choose('Run 1', 'Export as trace folder…');
    const told = page.getByRole('region', { name: /^Notifications/ });
    await expect(told).toContainText(path.join(folder, '_workspace'));
    const [runId = ''] = await readdir(path.join(folder, '_workspace'));
    const events = await readFile(path.join(folder, '_workspace', runId, 'runtime', 'events.jsonl'), 'utf8');
    expect(events.split('\n').map((line) => line && JSON.parse(line).kind)).toContain('run_completed');
  });
  await test.step('delete it after confirmation', async () => {
    const refused = await answerQuestions(app, 'Cancel');
    await choose('Run 2', 'Delete…');
    await expect.poll(refused).toEqual([expect.stringContaining('Delete run 2 of Echo?')]);
    await expectRun(page, 'completed');
    await answerQuestions(app, 'Delete Run');
    await choose('Run 2', 'Delete…');
    await expect(runs.getByRole('button', { name: /Run 2/ })).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Run', exact: true })).toHaveCount(0);
    await expect(runs.getByRole('button', { name: /Run 1/ })).toBeVisible();
  });
  await test.step('delete old runs by a rule, after confirmation', async () => {
    await run(page);
    await expectRun(page, 'completed');
    await runCommand(page, 'Open history settings');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('switch', { name: 'Delete runs by number' }).click();
    await settings.getByLabel('Runs of each flow').fill('1');
    await expect(settings.getByText('Deletes 1 run now')).toBeVisible();
    const asked = await answerQuestions(app, 'Delete Old Runs');
    const form = settings.getByRole('form', { name: 'Automatic deletion' });
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(settings.getByText('Deletes no runs now.')).toBeVisible();
    expect(await asked()).toEqual([expect.stringContaining('All but the newest run of each flow')]);
    await page.keyboard.press('Escape');
    await expect(runs.getByRole('button', { name: /Run 1/ })).toHaveCount(0);
    await expect(runs.getByRole('button', { name: /Run 3/ })).toBeVisible();
  });
});

test('shows one run live in two windows on the same workspace', { tag: '@thorough' }, async ({ program }) => {
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
  await expectRun(page, 'canceled');
  await expectRun(second, 'canceled');
});

test('keeps the history outside the repository and marks files that differ from HEAD', async ({ program }) => {
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
