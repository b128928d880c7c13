/** Tests decisions that a page cannot make: each opens a system dialog and changes nothing if the user declines. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { answerQuestions } from './main-process.ts';
import { test } from './program.ts';
import { expectNoTrace } from './traces.ts';
import { card, expectRun, inspector, openFlow, run } from './window.ts';

/** Calls main as a compromised page could. Returns the result or the error code. */
function callMain(page: Page, name: string, params: unknown): Promise<unknown> {
  return page.evaluate(
    async ([called, given]) => {
      const reply = await Reflect.get(window, 'bridge').call(called, [given]);
      return reply.ok ? reply.result : reply.error.code;
    },
    [name, params] as const,
  );
}

/** Returns the content of a file in the user's folder, or an empty string if it does not exist. */
async function readHome(home: string, file: string): Promise<string> {
  return readFile(path.join(home, file), 'utf8').catch(() => '');
}

const evil = 'http://127.0.0.1:9';
const refused = { isDone: false };

test("trust, hosts, keys and folders do not change without the user's consent", async ({ program }) => {
  const [workspace, other] = await Promise.all([
    program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hello') }),
    program.makeWorkspace({ 'secret.flow.yaml': echoFlow('secret') }),
  ]);
  const { home } = program.folders;
  const env = { OPENAI_API_KEY: 'sk-of-the-environment' };
  const { app, page } = await program.start(['--workspace', workspace], { env });
  await openFlow(page, 'echo');
  const allowed = await answerQuestions(app, 'Allow This Host and Key');
  const mine = {
    name: 'mine',
    kind: 'openai-compatible',
    baseUrl: 'https://mine.example.org/v1',
    keyVariable: 'MINE_KEY',
  };
  expect(await callMain(page, 'models.saveProvider', mine)).toEqual({ isDone: true });
  expect(await callMain(page, 'vault.set', { variable: 'MINE_KEY', value: 'sk-mine' })).toEqual({ isDone: true });
  expect(await allowed()).toHaveLength(1);
  const before = await readHome(home, 'config-user.toml');

  const asked = await answerQuestions(app, 'Cancel');
  const wishes: readonly [name: string, params: unknown, result: unknown, question: string][] = [
    ['trust.set', { isTrusted: true }, refused, path.basename(workspace)],
    // Keys of another provider's settings, of the environment, and one that does not exist yet.
    ['models.saveProvider', { ...mine, baseUrl: evil }, refused, evil],
    ['models.saveProvider', { ...mine, baseUrl: 'http://mine.example.org/v1' }, refused, 'http://mine.example.org'],
    ['models.saveProvider', { ...mine, baseUrl: 'https://mine.example.org:444/v1' }, refused, ':444'],
    ['models.saveProvider', { ...mine, name: 'b', keyVariable: 'OPENAI_API_KEY' }, refused, 'OPENAI_API_KEY'],
    ['models.saveProvider', { name: 'openai', kind: 'openai', baseUrl: evil }, refused, 'OPENAI_API_KEY'],
    ['models.saveProvider', { ...mine, name: 'b', keyVariable: 'LATER_KEY' }, refused, 'LATER_KEY'],
    ['models.saveProvider', { name: 'b', kind: 'ollama', baseUrl: evil }, refused, evil],
    ['vault.set', { variable: 'MINE_KEY', value: 'sk-other' }, refused, 'MINE_KEY'],
    ['vault.set', { variable: 'OPENAI_API_KEY', value: 'sk-other' }, refused, 'OPENAI_API_KEY'],
    ['workspace.open', { path: other }, { opened: false }, path.basename(other)],
    ['workspace.open', { path: path.dirname(workspace) }, { opened: false }, path.basename(path.dirname(workspace))],
    ['workspace.open', { path: '/' }, { opened: false }, '/'],
    ['packs.install', { uri: `${evil}/a.aipack` }, { change: null }, `${evil}/a.aipack`],
  ];
  for (const [name, params, result] of wishes) expect(await callMain(page, name, params)).toEqual(result);
  expect(await asked()).toEqual(wishes.map(([, , , question]) => expect.stringContaining(question)));
  expect(await readHome(home, 'config-user.toml')).toBe(before);
  expect(await readHome(home, 'millrace/trusted.json')).toBe('');

  await expect(page.getByRole('main', { name: 'echo.flow.yaml' })).toBeVisible();

  // Removing a key first does not bypass the question.
  await callMain(page, 'vault.remove', { variable: 'MINE_KEY' });
  expect(await callMain(page, 'vault.set', { variable: 'MINE_KEY', value: 'sk-other' })).toEqual(refused);
  // Harmless changes need no confirmation.
  const further = await answerQuestions(app, 'Cancel');
  expect(await callMain(page, 'models.saveProvider', mine)).toEqual({ isDone: true });
  expect(await callMain(page, 'vault.set', { variable: 'NEW_KEY', value: 'sk-new' })).toEqual({ isDone: true });
  expect(await callMain(page, 'trust.set', { isTrusted: false })).toEqual({ isDone: true });
  expect(await callMain(page, 'models.removeProvider', { name: 'mine' })).toEqual({ isDone: true });
  expect(await further()).toEqual([]);
});

test('a page cannot open two dialogs at once', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hello') });
  const other = await program.makeWorkspace({});
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'echo');
  await app.evaluate(({ dialog }) => {
    const shown: Electron.MessageBoxOptions[] = [];
    Reflect.set(globalThis, 'shown', shown);
    dialog.showMessageBox = async (...args: unknown[]) => {
      shown.push(args.at(-1) as Electron.MessageBoxOptions);
      await new Promise((resolve) => Reflect.set(globalThis, 'answer', resolve));
      return { response: 0, checkboxChecked: false };
    };
  });
  const first = callMain(page, 'trust.set', { isTrusted: true });
  const shown = () => app.evaluate(() => Reflect.get(globalThis, 'shown') as Electron.MessageBoxOptions[]);
  await expect.poll(async () => (await shown()).length).toBe(1);
  expect(await callMain(page, 'trust.set', { isTrusted: true })).toEqual(refused);
  expect(await callMain(page, 'workspace.open', { path: other })).toEqual({ opened: false });
  expect(await shown()).toMatchObject([{ defaultId: 1, cancelId: 1, buttons: ['Trust This Folder', 'Cancel'] }]);
  await app.evaluate(() => Reflect.get(globalThis, 'answer')());
  expect(await first).toEqual({ isDone: true });
});

test('the engine does not expose these functions to a page', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hello') });
  const { page } = await program.open(workspace);
  await openFlow(page, 'echo');
  const codes = await page.evaluate(async () => {
    const taken = new Promise<MessagePort>((resolve) => {
      window.addEventListener('message', ({ ports: [port] }) => port && resolve(port), { once: true });
    });
    await Reflect.get(window, 'bridge').call('engine.connect', []);
    const port = await taken;
    const calls = [
      ['setTrust', [true]],
      ['saveProvider', [{ name: 'openai', kind: 'openai', baseUrl: 'http://127.0.0.1:9' }]],
      ['removeProvider', ['openai']],
      ['allowKey', ['openai']],
      ['findNewHost', [{ use: 'openai' }]],
      ['installPack', [{ uri: 'a@b' }]],
      ['setSecret', [{ name: 'A', value: 'b' }]],
      ['removeSecret', [{ name: 'A' }]],
      ['allowSecretHost', [{ name: 'A', host: 'example.com' }]],
      ['grantPermissions', [[{ kind: 'private-address', host: '127.0.0.1' }]]],
      ['allowWaiting', [{ runId: 'r', needs: [] }]],
      ['removeTeamPackage', []],
      ['forgetSecretHost', [{ name: 'A', host: 'example.com' }]],
      ['allowSecrets', [{ path: 'a.flow.yaml', definitionHash: 'a'.repeat(64), names: ['A'] }]],
    ];
    return Promise.all(
      calls.map(
        ([name, args], index) =>
          new Promise((resolve) => {
            const id = 2_000_000 + index;
            port.addEventListener('message', ({ data }) => void (data.id === id && resolve(data.reply.error?.code)));
            port.postMessage({ kind: 'call', id, name, args });
          }),
      ),
    );
  });
  expect(codes).toEqual(Array(14).fill('rpc.unknown-method'));
});

test('a key is not sent to a provider from workspace settings, even a trusted one, until the user allows it', async ({
  program,
}) => {
  const seen: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(headers.authorization);
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"no"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const workspace = await program.makeWorkspace({
    'ask.flow.yaml':
      'flow: { name: Ask }\nnodes: [{ id: ask, type: prompt, config: { model: "openai::m" }, input: { prompt: "?" } }]\nedges: []\n',
  });
  const { app, page } = await program.start(['--workspace', workspace], { env: { OPENAI_API_KEY: 'sk-known' } });
  await openFlow(page, 'ask');
  await answerQuestions(app, 'Trust This Folder');
  expect(await callMain(page, 'trust.set', { isTrusted: true })).toEqual({ isDone: true });
  // A page could write this file too.
  await mkdir(path.join(workspace, '.aipack'));
  await writeFile(
    path.join(workspace, '.aipack', 'config.toml'),
    `[providers.openai]\nkind = "openai-compatible"\nbase_url = "${host}/v1"\napi_key_env = "OPENAI_API_KEY"\n`,
  );
  await run(page);
  await expectRun(page, 'failed');
  await expect(page.getByText(/is not sent to http:\/\/127\.0\.0\.1/).first()).toBeVisible();
  expect(seen).toEqual([]);

  const asked = await answerQuestions(app, 'Allow This Host and Key');
  await page.keyboard.press('Control+,');
  const openai = page.getByRole('dialog').getByRole('listitem', { name: 'openai', exact: true });
  await expect(openai).toContainText('key not allowed for this host');
  await openai.getByRole('button', { name: 'Allow the key of openai for this host' }).click();
  await expect(openai).toContainText('key set by the environment');
  expect(await asked()).toEqual([expect.stringContaining(`${host}, and with them the key OPENAI_API_KEY`)]);
  await page.keyboard.press('Escape');
  await run(page);
  await expect.poll(() => seen).toEqual(['Bearer sk-known']);
  server.close();
});

test('asks for a secret when a run needs it, sends it only to allowed hosts, and leaves no trace of it', async ({
  program,
}) => {
  const value = 'a secret with "quotes" 4711';
  const seen: (string | string[] | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(headers['x-token']);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ you: headers['x-token'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const workspace = await program.makeWorkspace({
    'call.flow.yaml': `flow: { name: Call }
nodes:
  - { id: call, type: http.request, input: { url: "http://${host}/", headers: { x-token: "{{secret.API_TOKEN}}" } } }
  - { id: save, type: file.write, input: { path: answer.txt, text: "{{call.body.you}}" } }
edges: [{ from: call, to: save }]
`,
  });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'call');
  await answerQuestions(app, 'Trust This Folder');
  expect(await callMain(page, 'trust.set', { isTrusted: true })).toEqual({ isDone: true });
  await run(page);
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings.getByText('The flow needs API_TOKEN.')).toBeVisible();
  await expect(settings.getByLabel('Name')).toHaveValue('API_TOKEN');
  await settings.getByLabel('Value').fill(value);
  await settings.getByRole('button', { name: 'Save secret' }).click();
  await expect(settings.getByRole('list', { name: 'Secrets' })).toContainText('API_TOKEN');
  await expect(settings.getByLabel('Value')).toHaveValue('');
  await page.keyboard.press('Escape');

  await run(page);
  const needed = page.getByRole('dialog', { name: 'This flow needs your permission' });
  await expect(needed).toContainText(`Send the secret API_TOKEN to ${host}`);
  // The test declines system dialogs by default.
  await needed.getByRole('button', { name: 'Allow 1 and run' }).click();
  await expect(needed.getByRole('alert')).toHaveText('Nothing was allowed.');
  await needed.getByRole('checkbox').uncheck();
  await needed.getByRole('button', { name: 'Run without' }).click();
  await expectRun(page, 'waiting for you');
  await card(page, 'call').click();
  const allow = inspector(page).getByRole('button', { name: 'Allow…' });
  await allow.click();
  await expect(inspector(page).getByText('Nothing was allowed. The run is still waiting.')).toBeVisible();
  expect(seen).toEqual([]);
  const asked = await answerQuestions(app, 'Allow');
  await allow.click();
  await expectRun(page, 'completed');
  expect(await asked()).toEqual([expect.stringContaining(`Send the secret API_TOKEN to ${host}`)]);
  expect(seen).toEqual([value]);
  expect(await readFile(path.join(workspace, 'answer.txt'), 'utf8')).toBe('•••API_TOKEN•••');
  expect(await page.content()).not.toContain('4711');
  await app.close();
  server.close();
  await expectNoTrace(value, [workspace, ...Object.values(program.folders)]);
});
