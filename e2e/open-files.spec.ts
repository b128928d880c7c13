/** Tests requests from the desktop: double-clicked files and links on web pages. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { answerQuestions, chooseInMenu } from './main-process.ts';
import { test } from './program.ts';
import { card, fileRow, openFlow } from './window.ts';

test('opens a file in its workspace, at the first start and from a second start in the same window', {
  tag: '@thorough',
}, async ({ program }) => {
  const workspace = await program.makeWorkspace({
    'one.flow.yaml': echoFlow('one'),
    'sub/two.flow.yaml': echoFlow('two'),
    '.millrace/note': '',
  });
  const { app, page } = await program.start([path.join(workspace, 'sub', 'two.flow.yaml')]);
  await expect(page.getByRole('main', { name: 'sub/two.flow.yaml' })).toBeVisible();
  await expect(card(page, 'say')).toBeVisible();

  await program.startBeside([path.join(workspace, 'one.flow.yaml')]);
  await expect(page.getByRole('main', { name: 'one.flow.yaml' })).toBeVisible();
  expect(app.windows()).toHaveLength(1);
});

test('a link asks before opening its folder, only offers its pack, and is refused if it contains anything else', async ({
  program,
}) => {
  const first = await program.makeWorkspace({ 'one.flow.yaml': echoFlow('one') });
  const linked = await program.makeWorkspace({ 'two.flow.yaml': echoFlow('two') });
  const { app, page } = await program.start(['--workspace', first]);
  await page.getByRole('main').waitFor();
  const link = `millrace://workspace?path=${encodeURIComponent(linked)}`;
  const asked = await answerQuestions(app, 'Cancel');
  await program.startBeside(['--', link]);
  await expect.poll(asked).toEqual([expect.stringContaining(`Open the folder that a link names? ${linked}`)]);
  for (const hostile of [`${link}&no-sandbox=1`, 'millrace://pack?uri=file:///etc/passwd', 'millrace://run?flow=one']) {
    await program.startBeside(['--', hostile]);
  }
  await program.startBeside(['--', 'millrace://pack?uri=acme@tools']);
  await expect(page.getByRole('dialog', { name: 'Install a pack' }).getByRole('textbox')).toHaveValue('acme@tools');
  expect(await asked()).toHaveLength(1);
  expect(app.windows().length).toBe(1);

  await answerQuestions(app, 'Open Folder');
  const [second] = await Promise.all([app.waitForEvent('window'), program.startBeside(['--', link])]);
  await expect(fileRow(second, 'two.flow.yaml')).toBeVisible();
});

test('another folder in the same window shows its own tabs, and the first folder keeps its tabs', async ({
  program,
}) => {
  const first = await realpath(
    await program.makeWorkspace({ 'one.flow.yaml': echoFlow('one'), 'two.flow.yaml': echoFlow('two') }),
  );
  const other = await program.makeWorkspace({ 'three.flow.yaml': echoFlow('three') });
  const { app, page } = await program.start([first]);
  await openFlow(page, 'one');
  await openFlow(page, 'two');
  const tabs = page.getByRole('navigation', { name: 'Open files' }).locator('.flow-tab');
  await expect(tabs).toHaveCount(2);

  await app.evaluate(({ dialog }, folder) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, other);
  await page.keyboard.press('Control+o');
  await expect(page.getByRole('main', { name: 'three.flow.yaml' })).toBeVisible();
  await expect(tabs).toHaveCount(1);

  await chooseInMenu(app, 'File', 'Open Recent', first);
  await expect(page.getByRole('main', { name: 'two.flow.yaml' })).toBeVisible();
  await expect(tabs).toHaveCount(2);
});
