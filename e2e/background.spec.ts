/** Tests a program that keeps running without a window: its service starts flows, and a later window shows their runs. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { answerQuestions, chooseInMenu } from './main-process.ts';
import { test } from './program.ts';
import { openFlow, runList, showRuns } from './window.ts';

const flow = `flow:
  name: Import
  inputs: { file: { type: string } }
  triggers:
    - { id: new_file, files: { glob: "inbox/*.txt", debounce: 1s }, inputs: { file: "{{event.path}}" } }
nodes: [{ id: say, type: echo, input: { text: "{{flow.input.file}}" } }]
edges: []
`;

test('starts a flow for a new file while no window is open, and shows the run in the next window', async ({
  program,
}) => {
  const workspace = await program.makeTrustedWorkspace({ 'import.flow.yaml': flow });
  await mkdir(path.join(workspace, 'inbox'));
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'import');
  await answerQuestions(app, 'Switch On');
  const trigger = { flow: 'import.flow.yaml', trigger: 'new_file' };
  await page.evaluate((wanted) => Reflect.get(window, 'bridge').call('triggers.switchOn', [wanted]), trigger);
  await chooseInMenu(app, 'File', 'Keep Running in the Background');
  await page.getByRole('contentinfo').getByRole('button', { name: 'Keeps running in the background' }).click();
  await expect(page.getByRole('dialog', { name: 'Settings' })).toContainText('1 trigger on');

  const closed = page.waitForEvent('close');
  await chooseInMenu(app, 'File', 'Close Window').catch(() => undefined);
  await closed;
  expect(app.windows()).toHaveLength(0);
  await writeFile(path.join(workspace, 'inbox', 'first.txt'), 'hello');

  const [next] = await Promise.all([app.waitForEvent('window'), program.startBeside(['--workspace', workspace])]);
  await showRuns(next);
  await expect(runList(next).getByRole('button', { name: /completed/i })).toContainText('Run 1');

  await chooseInMenu(app, 'File', 'Keep Running in the Background');
  await expect(next.getByRole('contentinfo')).not.toContainText('Keeps running in the background');
  const ended = app.waitForEvent('close');
  await next.close();
  await ended;
});
