/** Answers the question of an MCP server in the window, while the server waits for it. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { test } from './program.ts';
import { card, expectRun, openFlow, run } from './window.ts';

const flow = `flow: { name: Asks }
nodes:
  - { id: ask, type: tool, config: { tool: shop.trigger-elicitation-request }, input: {} }
  - { id: after, type: echo, input: { text: done } }
edges: [{ from: ask, to: after }]
`;

test('13.10 the question of a server is answered or declined in the window', async ({ program }) => {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json');
  const args = [path.join(path.dirname(manifest), 'dist/index.js')];
  const workspace = await program.makeTrustedWorkspace({
    'asks.flow.yaml': flow,
    '.mcp.json': JSON.stringify({ mcpServers: { shop: { command: 'node', args } } }),
  });
  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'asks');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const ask = inspector.getByRole('region', { name: /^The MCP server shop asks/ });

  const startAndAllow = async (): Promise<void> => {
    await run(page);
    await expectRun(page, 'waiting for you');
    await card(page, 'ask').click();
    await inspector.getByRole('button', { name: /^Approve/ }).click();
    await expect(ask).toBeVisible();
  };

  await test.step('the form has the fields of the server, and the call goes on with the answer', async () => {
    await startAndAllow();
    await expect(ask).toContainText('shop.trigger-elicitation-request');
    await expect(card(page, 'ask')).toHaveAttribute('data-state', 'suspended');
    await expect(page.getByRole('button', { name: 'Waiting for you: 1' })).toBeVisible();
    await expectNoneInBothThemes(page, 'the question of a server', '.inspector');
    await ask.getByRole('textbox', { name: /^name/ }).fill('Ann');
    await ask.getByRole('button', { name: 'Send' }).click();
    await expectRun(page, 'completed');
    await expect(inspector).toContainText('Ann');
  });

  await test.step('a question is declined by keyboard', async () => {
    await startAndAllow();
    await ask.getByRole('button', { name: 'Decline' }).focus();
    await page.keyboard.press('Enter');
    await expectRun(page, 'completed');
    await expect(inspector).toContainText(/declined/i);
  });
});
