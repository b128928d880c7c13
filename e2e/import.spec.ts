/** Tests imports of files of other programs in the window. */
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { echoFlow } from './flows.ts';
import { answerQuestions, chooseInMenu } from './main-process.ts';
import { dropFromSystem } from './pointer.ts';
import { test } from './program.ts';
import { card, fileRow, inspector } from './window.ts';

const toNode = (node: string) => [{ node, type: 'main', index: 0 }];
const orders = {
  name: 'Large orders',
  nodes: [
    { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
    {
      ...{ name: 'Fetch', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, position: [220, 0] },
      parameters: { url: 'https://shop.example/orders', authentication: 'genericCredentialType', options: {} },
      credentials: { httpHeaderAuth: { id: '7', name: 'Shop key' } },
    },
    {
      ...{ name: 'Post it', type: 'n8n-nodes-base.slack', typeVersion: 2, position: [440, 0] },
      parameters: { text: '={{ $json.line }}' },
    },
  ],
  connections: { Start: { main: [toNode('Fetch')] }, Fetch: { main: [toNode('Post it')] } },
};

const desk = `version: 4
data:
  metadata: { id: p, title: Desk, mainGraphId: main }
  graphs:
    main:
      metadata: { id: main, name: Answer }
      nodes:
        '[a]:subGraph "Ask"':
          data: { graphId: ask }
          visualData: 0/0/200
    ask:
      metadata: { id: ask, name: Ask }
      nodes:
        '[b]:text "Words"':
          data: { text: Hello }
          visualData: 0/0/200
`;

test('a dropped n8n workflow opens as an unsaved flow with its report, survives a restart, and is saved', async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hi') });
  const outside = await program.makeWorkspace({ 'orders.json': JSON.stringify(orders) });
  const { app, page } = await program.start(['--workspace', workspace]);
  await fileRow(page, 'echo.flow.yaml').waitFor();
  await dropFromSystem(page, path.join(outside, 'orders.json'));

  await expect(page.getByRole('main', { name: 'orders.flow.yaml' })).toBeVisible();
  await expect(page.getByText('orders.flow.yaml is new.')).toBeVisible();
  const report = page.getByRole('tabpanel', { name: /^Import/ });
  await expect(report).toContainText('From orders.json: 1 mapped, 1 partly, 1 placeholder');
  await expectNoSeriousProblem(page, 'the report of an import');
  await report.getByRole('button', { name: /Post it/ }).click();
  await expect(inspector(page)).toContainText('Post it');
  expect(existsSync(path.join(workspace, 'orders.flow.yaml'))).toBe(false);

  const drafts = path.join(program.folders.userData, 'drafts');
  const readKept = async (): Promise<string> => {
    const names = await readdir(drafts, { recursive: true });
    const journals = names.filter((name) => name.endsWith('.jsonl')).map((name) => readFile(path.join(drafts, name)));
    return (await Promise.all(journals)).join('');
  };
  await expect.poll(readKept).toContain('Large orders');
  const closed = app.waitForEvent('close');
  app.process().kill('SIGKILL');
  await closed;
  const again = await program.start(['--workspace', workspace]);
  await answerQuestions(again.app, "Don't Save");
  await expect(again.page.getByRole('main', { name: 'orders.flow.yaml' })).toBeVisible();
  await expect(card(again.page, 'Post it')).toBeVisible();
  await chooseInMenu(again.app, 'File', 'Save');
  await expect(fileRow(again.page, 'orders.flow.yaml')).toBeVisible();
  const text = await readFile(path.join(workspace, 'orders.flow.yaml'), 'utf8');
  expect(text).toContain('name: Large orders');
  expect(text).toContain('x-n8n:');
});

test('File > Import Flows lists the flows of a Rivet project, and never replaces a file', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'desk.flow.yaml': echoFlow('mine') });
  const outside = await program.makeWorkspace({ 'desk.rivet-project': desk, 'notes.json': '{ "todo": [] }' });
  const { app, page } = await program.start(['--workspace', workspace]);
  await fileRow(page, 'desk.flow.yaml').waitFor();
  await chooseInMenu(app, 'File', 'Import Flows…');
  const dialog = page.getByRole('dialog', { name: 'Import flows' });
  await dialog.getByLabel('File to import').setInputFiles(path.join(outside, 'notes.json'));
  await expect(dialog.getByRole('alert')).toContainText('not an n8n workflow (JSON), a Rivet project');

  await dialog.getByLabel('File to import').setInputFiles(path.join(outside, 'desk.rivet-project'));
  await expect(dialog.getByRole('list', { name: 'Flows in the file' }).getByRole('listitem')).toHaveCount(2);
  await expectNoSeriousProblem(page, 'the flows of an imported file');
  await dialog.getByRole('button', { name: 'Open 2 flows' }).click();
  // The first flow comes to the front when all are open.
  await expect(page.getByRole('button', { name: 'desk-2-ask', exact: true })).toBeVisible();
  await expect(page.getByRole('main', { name: 'desk-2.flow.yaml' })).toBeVisible();
  await expect(page.getByText('desk-2.flow.yaml is new.')).toBeVisible();

  // Another program creates the file before it is saved. Saving then merges the two texts instead of replacing the file.
  await writeFile(path.join(workspace, 'desk-2.flow.yaml'), echoFlow('theirs'));
  await expect(page.getByText('Another program changed the file, and you have unsaved changes.')).toBeVisible();
  await page.keyboard.press('Control+s');
  const review = page.getByRole('region', { name: 'Review' });
  await expect(review).toContainText('3 conflicts to resolve');
  expect(await readFile(path.join(workspace, 'desk-2.flow.yaml'), 'utf8')).toBe(echoFlow('theirs'));
  expect(await readFile(path.join(workspace, 'desk.flow.yaml'), 'utf8')).toBe(echoFlow('mine'));
  await review.getByRole('button', { name: 'Use all theirs' }).click();
  await page.keyboard.press('Control+Alt+s');
  await expect(fileRow(page, 'desk-2-ask.flow.yaml')).toBeVisible();
});
