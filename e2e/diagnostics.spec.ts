/** Tests troubleshooting: logs, diagnostics, safe mode, and resetting settings. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { answerQuestions, chooseInMenu } from './main-process.ts';
import { test } from './program.ts';
import { fileTree } from './window.ts';

test('copies diagnostics with the log and without secrets', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('x') });
  const env = { OPENAI_API_KEY: 'quite-secret-4711' };
  const { app, page } = await program.start(['--workspace', workspace], { env });
  await fileTree(page).waitFor();
  const home = await app.evaluate(({ app: electronApp }) => {
    process.stderr.write(`millrace: a note about quite-secret-4711 in ${electronApp.getPath('home')}/notes\n`);
    return electronApp.getPath('home');
  });
  const told = await answerQuestions(app, 'OK');
  await chooseInMenu(app, 'Help', 'Copy Diagnostics');
  await expect.poll(told).toEqual([expect.stringContaining('The diagnostics are copied.')]);
  const text = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(text).toMatch(/^Millrace: \d+\.\d+\.\d+ \(tar\.gz\)\nelectron: \d+/);
  expect(text).toContain(' main millrace: a note about [redacted] in ~/notes\n');
  expect(text).not.toContain('quite-secret-4711');
  expect(text).not.toContain(`${home}/`);
  expect(text).not.toContain(workspace);
  const logs = path.join(program.folders.userData, 'logs');
  expect(await readdir(logs)).toEqual(['millrace.log']);
  expect(await readFile(path.join(logs, 'millrace.log'), 'utf8')).not.toContain('quite-secret-4711');
});

test("safe mode neither uses nor changes the user's settings, packs and trust", {
  tag: '@thorough',
}, async ({ program }) => {
  const workspace = await program.makeTrustedWorkspace({ 'echo.flow.yaml': echoFlow('x') });
  const { userData, home } = program.folders;
  const settings = JSON.stringify({ theme: 'dark', recentWorkspaces: ['/nowhere'] });
  await mkdir(userData, { recursive: true });
  await writeFile(path.join(userData, 'settings.json'), settings);
  const before = await readdir(home, { recursive: true });
  const { app, page } = await program.start(['--safe-mode', '--workspace', workspace]);
  await fileTree(page).waitFor();
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())).toBe(
    `${path.basename(workspace)} - Millrace (safe mode)`,
  );
  expect(await app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('system');
  await page.getByRole('navigation', { name: 'Side panel' }).getByRole('button', { name: 'Packs' }).click();
  await expect(page.getByRole('complementary', { name: 'Packs' })).toContainText(/no pack/i);
  await app.close();
  expect(await readFile(path.join(userData, 'settings.json'), 'utf8')).toBe(settings);
  expect(await readdir(home, { recursive: true })).toEqual(before);
});

test('settings are reset after a confirmation, and a copy is kept', { tag: '@thorough' }, async ({ program }) => {
  const { userData } = program.folders;
  await mkdir(userData, { recursive: true });
  await writeFile(path.join(userData, 'settings.json'), JSON.stringify({ theme: 'dark' }));
  const { app, page } = await program.start();
  await page.getByRole('main').waitFor();
  const refused = await answerQuestions(app, 'Cancel');
  await chooseInMenu(app, 'Help', 'Reset Settings…');
  await expect.poll(refused).toHaveLength(1);
  expect(await app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
  await answerQuestions(app, 'Reset Settings');
  await chooseInMenu(app, 'Help', 'Reset Settings…');
  await expect.poll(() => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('system');
  const read = async (name: string) => JSON.parse(await readFile(path.join(userData, name), 'utf8'));
  expect(await read('settings.json')).toMatchObject({ theme: 'system' });
  expect(await read('settings.json.before-reset')).toMatchObject({ theme: 'dark' });
});
