/**
 * Tests building a first flow by mouse and by keyboard: a model response as a value, a branch on one of its fields, a
 * request with a secret, an error branch, and a file.
 */
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type ElectronApplication, expect, type Locator, type Page } from '@playwright/test';
import { answerQuestions } from './main-process.ts';
import { expectSilence, recordMessages } from './messages.ts';
import { drag, middleOf } from './pointer.ts';
import { type Program, test } from './program.ts';
import { expectNoTrace, formsOf } from './traces.ts';
import { card, expectRun, inspector, openFlow, run } from './window.ts';

const token = 'sk-live-4711-0815-abcdef';
const empty = 'flow: { name: First }\nnodes: []\nedges: []\n';
const model = 'replies:\n  - match: earth\n    reply: \'Here: {"label": "yes", "reason": "It crashes"}\'\n';

/** Starts a server that receives a request and closes the connection without responding. */
async function startBrokenServer() {
  const heard: (string | undefined)[] = [];
  const server = createServer(({ headers, socket }) => {
    heard.push(headers.authorization);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { heard, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, end: () => server.close() };
}

async function start(program: Program) {
  const workspace = await program.makeTrustedWorkspace({ 'first.flow.yaml': empty, 'model.yaml': model });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'first');
  return { app, page, workspace };
}

async function copy(app: ElectronApplication, text: string): Promise<void> {
  await app.evaluate(({ clipboard }, words) => clipboard.writeText(words), text);
}

const command = (host: string): string =>
  `curl 'http://${host}/tickets' \\\n  -H 'Authorization: Bearer ${token}' \\\n  --json '{"urgent":true}'`;

/** Sets a field of the inspector and leaves it. */
async function setField(page: Page, role: 'textbox' | 'combobox', name: string, text: string): Promise<void> {
  const field = inspector(page).getByRole(role, { name, exact: true }).first();
  await field.click();
  await field.fill(text);
  await field.press('Tab');
}

interface Ready {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly workspace: string;
  readonly host: string;
}

/**
 * Runs the flow: the user allows the secret for the host, the request is received and fails, and the file is written
 * anyway.
 */
async function expectOtherWay({ app, page, workspace, host }: Ready): Promise<void> {
  const asked = await answerQuestions(app, 'Allow');
  await run(page);
  const needs = page.getByRole('dialog', { name: 'This flow needs your permission' });
  await expect(needs).toContainText(host);
  await needs.getByRole('button', { name: 'Allow 1 and run' }).click();
  await expectRun(page, 'completed');
  expect(await asked()).toEqual([expect.stringContaining(host)]);
  expect(await readFile(path.join(workspace, 'out.txt'), 'utf8')).toBe('It crashes');
}

test('by mouse', { tag: '@thorough' }, async ({ program }) => {
  const server = await startBrokenServer();
  const { app, page, workspace } = await start(program);
  const canvas = page.locator('.flow-canvas');
  await test.step('request JSON output', async () => {
    await page
      .getByRole('toolbar', { name: 'Canvas' })
      .getByRole('button', { name: 'Show or hide the node palette' })
      .click();
    await page.getByRole('combobox', { name: 'Search node types' }).fill('schema');
    await page.locator('.node-palette-row').first().click();
    await expect(card(page, 'prompt')).toBeVisible();
    await inspector(page).getByRole('combobox', { name: 'Model', exact: true }).click();
    await page.getByRole('combobox', { name: 'Find a model' }).fill('scripted::model.yaml');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close the palette' }).click();
  });
  await test.step('create a request from a curl command and store its token', async () => {
    await copy(app, command(server.host));
    await canvas.click({ button: 'right', position: { x: 560, y: 420 } });
    await page.getByRole('menuitem', { name: /^Paste(?! with)/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Add the request' });
    await expect(dialog).toContainText('Authorization');
    await dialog.getByRole('textbox').first().fill('TICKETS_TOKEN');
    await dialog.getByRole('button', { name: 'Save and add' }).click();
    await expect(card(page, 'http_request')).toBeVisible();
  });
  await test.step('add a branch on a field', async () => {
    const port = (id: string, kind: string) => page.locator(`[data-card="${id}"] > .react-flow__handle.${kind}`);
    await drag(page, [await middleOf(port('prompt', 'source')), await middleOf(port('http_request', 'target'))]);
    await expect(page.locator('.react-flow__edge[data-id="prompt->http_request"]')).toBeAttached();
    await card(page, 'http_request').click();
    await inspector(page).getByRole('button', { name: 'Condition', exact: true }).click();
    await setField(page, 'combobox', 'Path', 'prompt.value.label');
    await setField(page, 'textbox', 'Value', 'yes');
  });
  await test.step('add an error branch', async () => {
    await card(page, 'http_request').hover();
    await page.getByRole('button', { name: 'When http_request fails: drag from here, or click to add a node' }).click();
    await page.getByRole('combobox', { name: 'Search node types' }).fill('write file');
    await page.locator('.node-palette-row[data-type="file.write"]').last().click();
    await expect(card(page, 'file_write')).toBeVisible();
    await setField(page, 'combobox', 'Path', 'out.txt');
    await setField(page, 'textbox', 'Text', '{{prompt.value.reason}}');
  });
  await expectOtherWay({ app, page, workspace, host: server.host });
  await expect.poll(() => server.heard).toEqual([`Bearer ${token}`]);
  await expectRun(page, 'completed');
  await page.keyboard.press('Control+s');
  await expect(page.locator('.status-bar').getByText('Saved', { exact: true })).toBeVisible();
  await app.close();
  server.end();
  await expectNoTrace(token, [workspace, ...Object.values(program.folders)]);
});

/** Presses Tab or Shift+Tab until a control has the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement).catch(() => false)) break;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}

/** Moves from the outline to a field of the selected node, types, and returns. */
async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await page.keyboard.press('Enter');
  await expect(inspector(page).getByRole('tab', { name: 'Configure' })).toBeVisible();
  await tabTo(page, target);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Control+Shift+o');
  await expect(page.getByRole('tree', { name: 'Outline of the flow' })).toBeFocused();
}

test('by keyboard', { tag: '@thorough' }, async ({ program }) => {
  const server = await startBrokenServer();
  const { app, page, workspace } = await start(program);
  const form = inspector(page);
  const node = (id: string): Locator => page.getByRole('treeitem', { name: new RegExp(`^${id} ?,`) });
  const add = async (words: string, id: string): Promise<void> => {
    await page.keyboard.press('n');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await expect(node(id)).toHaveAttribute('aria-selected', 'true');
  };
  await test.step('request JSON output', async () => {
    await page.keyboard.press('Control+Shift+o');
    await add('schema', 'prompt');
    await typeInto(page, form.getByRole('combobox', { name: 'Model', exact: true }), 'scripted::model.yaml');
  });
  await test.step('create a request from a curl command pasted over a URL', async () => {
    await add('http request', 'http_request');
    await copy(app, command(server.host));
    await page.keyboard.press('Enter');
    await tabTo(page, form.getByRole('textbox', { name: 'Url', exact: true }));
    await page.keyboard.press('Control+v');
    const dialog = page.getByRole('dialog', { name: 'Add the request' });
    await expect(dialog.getByRole('textbox').first()).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('TICKETS_TOKEN');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await page.keyboard.press('Control+Shift+o');
  });
  await test.step('add a branch on a field', async () => {
    await page.keyboard.press('Enter');
    await tabTo(page, form.getByRole('button', { name: 'Condition', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, form.getByRole('combobox', { name: 'Path', exact: true }).first());
    await page.keyboard.type('prompt.value.label');
    await page.keyboard.press('Enter');
    await tabTo(page, form.getByRole('textbox', { name: 'Value', exact: true }).first());
    await page.keyboard.type('yes');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+Shift+o');
  });
  await test.step('add an error branch', async () => {
    await page.keyboard.press('Shift+F');
    await expect(page.getByRole('radio', { name: 'When it fails' })).toBeChecked();
    await page.keyboard.type('write file');
    await page.keyboard.press('Enter');
    await expect(node('file_write')).toHaveAttribute('aria-selected', 'true');
    await typeInto(page, form.getByRole('combobox', { name: 'Path', exact: true }).first(), 'out.txt');
    await typeInto(page, form.getByRole('textbox', { name: 'Text', exact: true }), '{{prompt.value.reason}}');
  });
  await page.keyboard.press('Control+s');
  await expect(page.locator('.status-bar').getByText('Saved', { exact: true })).toBeVisible();
  await test.step('allow the secret for the host', async () => {
    await answerQuestions(app, 'Allow');
    await page.keyboard.press('Control+Enter');
    const needs = page.getByRole('dialog', { name: 'This flow needs your permission' });
    await expect(needs.getByRole('button', { name: 'Allow 1 and run' })).toBeFocused();
    await page.keyboard.press('Enter');
  });
  await expect.poll(() => server.heard).toEqual([`Bearer ${token}`]);
  await expectRun(page, 'completed');
  expect(await readFile(path.join(workspace, 'out.txt'), 'utf8')).toBe('It crashes');
  await app.close();
  server.end();
  await expectNoTrace(token, [workspace, ...Object.values(program.folders)]);
});

/** Starts a server that echoes what it receives: in a header, in Base64, in a URL, and split across two chunks. */
async function startEcho() {
  const heard: string[] = [];
  const server = createServer(({ headers }, response) => {
    const said = headers.authorization ?? '';
    const bare = said.replace('Bearer ', '');
    heard.push(said);
    response.writeHead(200, { 'x-echo': bare, 'x-encoded': Buffer.from(`user:${bare}`).toString('base64') });
    response.write(`it was ${bare.slice(0, 7)}`);
    setTimeout(
      () => response.end(`${bare.slice(7)} and ?q=${encodeURIComponent(bare)}&j=${JSON.stringify(bare)}`),
      200,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { heard, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, end: () => server.close() };
}

test('a secret echoed by a server appears in no file and in no message between processes', async ({ program }) => {
  const value = 'sk "live"/4711+0815-abcdef';
  const server = await startEcho();
  const workspace = await program.makeTrustedWorkspace({
    'echo.flow.yaml': `flow: { name: Echo }
nodes:
  - { id: ask, type: http.request, input: { url: "http://${server.host}/", headers: { Authorization: "Bearer {{secret.API_TOKEN}}" } } }
  - { id: keep, type: file.write, input: { path: out.txt, text: "{{ask.body}} {{ask.headers}}" } }
edges: [{ from: ask, to: keep }]
`,
    '.millrace/.env': `API_TOKEN='${value}'\n`,
  });
  const { app, page } = await program.start(['--workspace', workspace]);
  const messages = await recordMessages({ app, page });
  await openFlow(page, 'echo');
  await answerQuestions(app, 'Allow This Host');
  await page.evaluate(
    (of) => Reflect.get(window, 'bridge').call('secrets.allowHost', [{ name: 'API_TOKEN', host: of }]),
    server.host,
  );
  await run(page);
  await expectRun(page, 'completed');
  expect(server.heard).toEqual([`Bearer ${value}`]);
  await card(page, 'ask').click();
  await expect(inspector(page)).toContainText('•••API_TOKEN•••');
  expect(await readFile(path.join(workspace, 'out.txt'), 'utf8')).toContain(
    'it was •••API_TOKEN••• and ?q=•••API_TOKEN•••',
  );
  const heard = await messages();
  expect(heard.port.some((message) => message.includes('•••API_TOKEN•••'))).toBe(true);
  expectSilence(heard, formsOf(value));
  await app.close();
  server.end();
  await rm(path.join(workspace, '.millrace/.env'));
  await expectNoTrace(value, [workspace, ...Object.values(program.folders)]);
});
