/** A coding agent proposes changes over MCP while the window is open, and learns what the person decides. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from '@playwright/test';
import { packedScript } from './command-line.ts';
import { chainFlow } from './flows.ts';
import { test } from './program.ts';
import { card, runCommand } from './window.ts';

const flow = `# Answers mails
flow: { name: Mail }
nodes:
  - { id: read, type: echo, input: { text: mail } }   # all mails
  - { id: log, type: echo, input: { text: "{{read.text}}" } }
edges:
  - { from: read, to: log }
`;
const polite = flow
  .replace('text: mail', 'text: all mails')
  .replace('  - { id: log, type: echo, input: { text: "{{read.text}}" } }\n', '')
  .replace('{ from: read, to: log }', '{ from: read, to: check }')
  .replace('edges:\n', '  - { id: check, type: human_approval, input: { message: "Send this reply?" } }\nedges:\n');

/** Titles of the changes in their order, and the keys that decide about them. */
const decisions = [
  ['Changes text of read', 'a'],
  ['Removes log', 'r'],
  ['Adds', 'a'],
] as const;

// biome-ignore lint/suspicious/noSkippedTests: only the program for Linux contains the script.
test.skip(process.platform !== 'linux', 'Only the Linux package contains `bin/millrace`.');

interface Agent {
  readonly call: (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;
  readonly end: () => Promise<void>;
}

/** Connects a client to the MCP server of the packaged program. */
async function connect(workspace: string, home: string): Promise<Agent> {
  const client = new Client({ name: 'coding-agent', version: '1' });
  const args = ['mcp', '--workspace', workspace];
  await client.connect(new StdioClientTransport({ command: packedScript(), args, env: { MILLRACE_HOME: home } }));
  return {
    async call(name, given) {
      const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
      expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
      return (result.structuredContent ?? {}) as Record<string, unknown>;
    },
    end: () => client.close(),
  };
}

test('13.7 an MCP client proposes changes while the window is open, and learns what the person decided', async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'mail.flow.yaml': flow });
  const { page } = await program.open(workspace);
  await expect(card(page, 'log')).toBeVisible();
  const { call, end } = await connect(workspace, program.folders.home);
  const propose = async (file: string, title: string, text: string): Promise<unknown> => {
    const { proposalId, status } = await call('propose_edit', { file, title, text });
    expect(status).toBe('pending');
    return proposalId;
  };
  const expectStatus = async (proposalId: unknown, status: string): Promise<void> => {
    await expect.poll(async () => (await call('proposal_status', { proposalId }))['status']).toBe(status);
  };
  const bar = page.getByRole('region', { name: 'Review' });
  const waiting = page.getByRole('button', { name: '1 proposal', exact: true });
  const mail = path.join(workspace, 'mail.flow.yaml');
  const rows = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  const selected = rows.and(page.locator('[aria-current="true"]'));

  await test.step('accepts two of three changes by keyboard, and saves', async () => {
    const id = await propose('mail.flow.yaml', 'Ask before sending', polite);
    await expect(waiting).toBeVisible();
    await runCommand(page, 'Review the next proposal');
    await expect(bar).toContainText('Ask before sending');
    await expect(bar).toContainText('coding-agent');
    await expect(rows).toHaveCount(3);
    await expect(selected.getByRole('button').first()).toBeFocused();
    for (const [title, key] of decisions) {
      await expect(selected).toContainText(title);
      await page.keyboard.press(key);
      await expect(selected).toContainText(key === 'a' ? 'accepted' : 'rejected');
      await page.keyboard.press('j');
    }
    await expect(bar).toContainText('2 accepted, 1 rejected');
    await expectStatus(id, 'pending');
    expect(await readFile(mail, 'utf8')).toBe(flow);
    await page.keyboard.press('Control+s');
    await expectStatus(id, 'partly');
    const saved = await readFile(mail, 'utf8');
    for (const part of ['all mails', 'id: check', 'id: log', '# Answers mails']) expect(saved).toContain(part);
    await expect(waiting).toBeHidden();
  });

  await test.step('rejects another proposal by mouse', async () => {
    const saved = await readFile(mail, 'utf8');
    const id = await propose('mail.flow.yaml', 'Log less', saved.replace('{{read.text}}', 'read'));
    await waiting.click();
    await expect(bar).toContainText('Log less');
    await bar.getByRole('button', { name: 'Reject all' }).click();
    await expectStatus(id, 'rejected');
    expect(await readFile(mail, 'utf8')).toBe(saved);
    await expect(waiting).toBeHidden();
  });

  await test.step('accepts a new flow, which is on disk once it is saved', async () => {
    const text = flow.replace('name: Mail', 'name: Letters');
    const id = await propose('letters.flow.yaml', 'Answer letters', text);
    await waiting.click();
    await expect(page.getByRole('main', { name: 'letters.flow.yaml' })).toBeVisible();
    await expect(bar).toContainText('Answer letters');
    await page.keyboard.press('Control+Enter');
    await expect(bar).toContainText('0 to review');
    const letters = path.join(workspace, 'letters.flow.yaml');
    expect(existsSync(letters)).toBe(false);
    await page.keyboard.press('Control+s');
    await expectStatus(id, 'applied');
    expect(await readFile(letters, 'utf8')).toBe(text);
  });

  await test.step('accepts a new list of steps', async () => {
    const text = 'id: ask\nsteps:\n  - { id: may, type: human_approval, message: "Send it?" }\n';
    const id = await propose('ask.flow.yaml', 'Ask first', text);
    await waiting.click();
    await expect(page.getByRole('main', { name: 'ask.flow.yaml' })).toBeVisible();
    await expect(bar).toContainText('Ask first');
    await bar.getByRole('button', { name: 'Accept all' }).click();
    await expect(bar).toContainText('0 to review');
    await page.keyboard.press('Control+s');
    await expectStatus(id, 'applied');
    expect(await readFile(path.join(workspace, 'ask.flow.yaml'), 'utf8')).toBe(text);
  });
  await end();
});

test('13.7 a proposal that changes 5,000 nodes is reviewed in a list that draws few of them', {
  tag: '@thorough',
}, async ({ program }) => {
  const before = chainFlow(5_000);
  // Changes 4,000 nodes, and replaces 1,000 by new ones.
  const text = before.replaceAll('text: "', 'text: "Changed. ').replaceAll(/\bn(4\d{3})\b/g, 'm$1');
  const workspace = await program.makeWorkspace({ 'chain.flow.yaml': before });
  const { page } = await program.open(workspace);
  await expect(page.getByRole('main', { name: 'chain.flow.yaml' })).toBeVisible();
  const { call, end } = await connect(workspace, program.folders.home);
  const { proposalId } = await call('propose_edit', { file: 'chain.flow.yaml', title: 'Change all', text });
  await page.getByRole('button', { name: '1 proposal', exact: true }).click();
  const bar = page.getByRole('region', { name: 'Review' });
  await expect(bar).toContainText(/\d,\d{3} to review/);
  const rows = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  await expect(rows.first()).toHaveAttribute('aria-setsize', /^\d{4}$/);
  expect(await rows.count()).toBeLessThan(100);
  await bar.getByRole('button', { name: 'Accept all' }).click();
  await expect(bar).toContainText('0 to review');
  await page.keyboard.press('Control+s');
  await expect.poll(async () => (await call('proposal_status', { proposalId }))['status']).toBe('applied');
  expect(await readFile(path.join(workspace, 'chain.flow.yaml'), 'utf8')).toBe(text);
  await end();
});
