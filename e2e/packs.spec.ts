/** Tests packs and settings, with the bundled packs, a test pack, and a provider played by the test. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { millrace } from './command-line.ts';
import { echoFlow } from './flows.ts';
import { answerQuestions, chooseInMenu } from './main-process.ts';
import { test } from './program.ts';
import { fileTree } from './window.ts';

const files = { 'echo.flow.yaml': echoFlow('hello') };

async function showPacks(page: Page): Promise<Locator> {
  await page.getByRole('navigation', { name: 'Side panel' }).getByRole('button', { name: 'Packs' }).click();
  return page.getByRole('complementary', { name: 'Packs' });
}

const packFiles = {
  'pack.toml': '[pack]\nnamespace = "acme"\nname = "mill"\nversion = "0.2.0"\n',
  'main.aip': '# Instruction\n\nSay hello.\n',
  'README.md': '# A mill of words\n\nSee [the site](https://example.org/) for **more**.\n\n<script>alert(1)</script>\n',
};

test('shows the bundled packs, installs one from a file, shows its readme and removes it', async ({ program }) => {
  const workspace = await program.makeWorkspace(files);
  const source = await program.makeWorkspace(packFiles);
  const { code, errors } = await millrace(source, ['pack', '.', '--output', source]);
  expect({ code, errors }).toMatchObject({ code: 0 });
  const archive = path.join(source, 'acme@mill-v0.2.0.aipack');

  const { app, page } = await program.start(['--workspace', workspace]);
  const asked = await answerQuestions(app, 'Install Pack');
  const panel = await showPacks(page);
  await expect(panel.getByRole('button', { name: /^core@ask/ })).toContainText('built-in');
  await expectNoSeriousProblem(page, 'the list of packs');
  await panel.getByRole('button', { name: /^core@ask/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^main/ }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main', { name: 'core@ask' })).toBeVisible();

  await panel.getByRole('button', { name: 'Install…' }).click();
  await dialog.getByRole('textbox', { name: /Pack/ }).fill('nobody');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: /Pack/ })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('Pack file').setInputFiles(archive);
  await expect(dialog.getByRole('textbox', { name: /Pack/ })).toHaveValue(archive);
  await expectNoSeriousProblem(page, 'a pack file that is chosen');
  await dialog.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(panel.getByRole('status')).toContainText('acme@mill 0.2.0 is installed.');
  expect((await asked()).at(-1)).toContain(archive);

  await panel.getByRole('button', { name: /^acme@mill/ }).click();
  await expect(dialog).toContainText(`Installed from ${archive}`);
  const readme = dialog.getByRole('region', { name: 'Readme' });
  await expect(readme.getByRole('heading')).toHaveText('A mill of words');
  await expect(readme.getByRole('link')).toHaveCount(0);
  await expect(readme).not.toContainText('alert');
  await expectNoSeriousProblem(page, 'a readme');

  const installed = path.join(program.folders.home, 'pack', 'installed', 'acme', 'mill');
  expect(existsSync(installed)).toBe(true);
  await dialog.getByRole('button', { name: 'Remove…' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(panel.getByRole('button', { name: /^acme@mill/ })).toBeHidden();
  expect(existsSync(installed)).toBe(false);
});

test('asks before it installs a file dropped on the window', async ({ program }) => {
  const workspace = await program.makeWorkspace({ ...files, 'some.aipack': 'no archive' });
  const { app, page } = await program.start(['--workspace', workspace]);
  await answerQuestions(app, 'Install Pack');
  await (await showPacks(page)).getByRole('button', { name: 'Install…' }).click();
  const dialog = page.getByRole('dialog');
  const chosen = path.join(workspace, 'some.aipack');
  // Only a file that Chromium itself provides has a path on disk.
  await dialog.getByLabel('Pack file').evaluate((input: HTMLInputElement) => {
    input.addEventListener('change', () => Reflect.set(window, 'handedOut', input.files?.[0]), { capture: true });
  });
  await dialog.getByLabel('Pack file').setInputFiles(chosen);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(Reflect.get(window, 'handedOut') as File);
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  });
  await expect(dialog.getByRole('textbox', { name: /Pack/ })).toHaveValue(chosen);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(/archive/).first()).toBeVisible();
});

/** Starts an OpenAI-compatible provider that accepts one key. */
async function startProvider(key: string) {
  const server = createServer(({ headers }, response) => {
    const isKnown = headers.authorization === `Bearer ${key}`;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    const refusal = { error: { message: 'unknown key' } };
    response.end(JSON.stringify(isKnown ? { object: 'list', data: [{ id: 'small-1', object: 'model' }] } : refusal));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => new Promise((resolve) => server.close(resolve)) };
}

test('saves a provider, stores its key in the vault and sends requests with that key', { tag: '@thorough' }, async ({
  program,
}) => {
  const key = 'sk-e2e-0123456789';
  const provider = await startProvider(key);
  const workspace = await program.makeWorkspace(files);
  const { app, page } = await program.start(['--workspace', workspace]);
  await fileTree(page).waitFor();
  const asked = await answerQuestions(app, 'Allow This Host and Key');
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add a provider' }).click();
  const form = dialog.getByRole('form', { name: 'New provider' });
  await form.getByRole('textbox', { name: 'Name' }).fill('mine');
  await form.getByRole('textbox', { name: 'Base URL' }).fill(provider.url);
  await form.getByRole('textbox', { name: 'Key variable' }).fill('MINE_KEY');
  await form.getByRole('button', { name: 'Save' }).click();
  const mine = dialog.getByRole('listitem', { name: 'mine' });
  await expect(mine).toContainText('no key');
  expect(await asked()).toEqual([
    expect.stringContaining(`${new URL(provider.url).origin}, and with them the key MINE_KEY`),
  ]);

  await mine.getByRole('button', { name: 'Edit mine' }).click();
  await mine.getByLabel(/^Key(?! variable)/).fill(key);
  await expectNoSeriousProblem(page, 'a provider');
  await page.keyboard.press('Enter');
  await expect(mine).toContainText('key set');
  await mine.getByRole('button', { name: 'Test the connection to mine' }).click();
  await expect(mine).toContainText('1 model');
  expect(await page.content()).not.toContain(key);
  const settings = await readFile(path.join(program.folders.home, 'config-user.toml'), 'utf8');
  expect(settings).toContain('MINE_KEY');
  const vault = await readFile(path.join(program.folders.userData, 'keys.json'), 'utf8');
  expect(vault).toContain('MINE_KEY');
  expect(settings + vault).not.toContain(key);

  await mine.getByRole('button', { name: 'Edit mine' }).click();
  await mine.getByRole('button', { name: 'Remove the key' }).click();
  await expect(mine).toContainText('no key');
  // The first key is stored from the form without a confirmation.
  expect(await asked()).toHaveLength(1);
  await provider.close();
});

test('trusts the workspace after the user agrees in a system dialog, until the user revokes it', {
  tag: '@thorough',
}, async ({ program }) => {
  const workspace = await program.makeWorkspace(files);
  const { app, page } = await program.start(['--workspace', workspace]);
  await fileTree(page).waitFor();
  await chooseInMenu(app, 'File', 'Settings');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'Trust' }).click();
  const trust = dialog.getByRole('switch', { name: 'Trust this workspace' });
  const refused = await answerQuestions(app, 'Cancel');
  await trust.click();
  await expect(dialog.getByRole('alert')).toHaveText('Nothing was changed: you did not allow it.');
  await expect(trust).not.toBeChecked();
  expect(await refused()).toEqual([expect.stringContaining(path.basename(workspace))]);
  await expectNoSeriousProblem(page, 'trust that was not given');
  await answerQuestions(app, 'Trust This Folder');
  await trust.click();
  await expect(trust).toBeChecked();
  const list = path.join(program.folders.home, 'millrace', 'trusted.json');
  expect(await readFile(list, 'utf8')).toContain(path.basename(workspace));
  const asked = await answerQuestions(app, 'Cancel');
  await trust.click();
  await expect(trust).not.toBeChecked();
  expect(await asked()).toEqual([]);
  expect(await readFile(list, 'utf8')).not.toContain(path.basename(workspace));
});
