/** Asks the assistant for a change, with a local model server, and accepts the proposal. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { startModelServer } from '../engine/testing/model-server.ts';
import { test } from './program.ts';
import { card } from './window.ts';

const flow = `# Greets
flow: { name: Greeting }
nodes:
  - { id: hello, type: echo, input: { text: Hello } }   # first
edges: []
`;
const changes = [
  {
    do: 'add',
    nodes: [{ id: 'check', type: 'human_approval', input: { message: 'Send this?' } }],
    edges: [{ from: 'hello', to: 'check' }],
    after: 'hello',
  },
];

test('13.7 a sentence becomes a proposal, and accepted nodes, by keyboard', async ({ program }, { outputDir }) => {
  const server = await startModelServer('openai-compatible');
  const text = JSON.stringify({ title: 'Ask before sending', changes });
  server.plan(
    { pieces: [], calls: [{ id: 'c1', name: 'propose_changes', text }], finish: 'calls' },
    { pieces: ['`check` now asks you ', 'before anything is sent.'] },
  );
  const provider = `kind = "openai-compatible"\nbase_url = "${server.baseUrl}"\n`;
  const settings = `[options]\nmodel = "local::tiny"\n[providers.local]\n${provider}`;
  await writeFile(path.join(program.folders.home, 'config-user.toml'), settings);
  const workspace = await program.makeWorkspace({ 'greeting.flow.yaml': flow });
  const { page } = await program.start(['--workspace', workspace]);
  await expect(card(page, 'hello')).toBeVisible();
  await page.keyboard.press('Control+i');
  const panel = page.getByRole('complementary', { name: 'Ask Millrace' });
  const field = panel.getByRole('textbox', { name: 'Message' });
  await expect(field).toBeFocused();
  await page.keyboard.type('Ask me before it is sent');
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('sent to local::tiny');
  await expect(panel.getByText('Send', { exact: true })).toBeFocused();
  expect(server.received).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('check now asks you before anything is sent.');
  const bar = page.getByRole('region', { name: 'Review' });
  await expect(bar).toContainText('Ask before sending');
  await page.screenshot({ path: path.join(outputDir, 'assistant.png') });
  const file = path.join(workspace, 'greeting.flow.yaml');
  expect(await readFile(file, 'utf8')).toBe(flow);
  await bar.getByRole('button', { name: 'Accept all' }).focus();
  await page.keyboard.press('Enter');
  await expect(card(page, 'check')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toContain('id: check');
  expect(await readFile(file, 'utf8')).toContain('# first');
  await server.close();
});
