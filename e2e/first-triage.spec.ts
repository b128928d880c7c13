/** A first flow of one's own: mails are sorted by a model, a person edits a reply, a server gets it, and a report is written. */
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { Hand } from './hand.ts';
import { answerQuestions } from './main-process.ts';
import { test } from './program.ts';
import { card, expectRun, inspector } from './window.ts';

const token = 'sk-tickets-0123456789';
const mails = '["I want a refund for AB-12", "The lamp is broken", "Hello, when do you open?"]';

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** What the model answers to a mail. */
function answerTo(prompt: string): string {
  const kind = /refund for/.test(prompt) ? 'refund' : /broken/.test(prompt) ? 'bug' : 'other';
  return JSON.stringify({ kind, reply: `About your ${kind}.` });
}

/** A provider of models and a server that takes tickets, in one. */
async function startServer() {
  const tickets: string[] = [];
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    if (request.url === '/tickets') {
      tickets.push(`${request.headers.authorization} ${text}`);
      response.setHeader('content-type', 'application/json').end('{"ok":true}');
    } else if (request.url === '/v1/models') {
      response.setHeader('content-type', 'application/json').end('{"data":[{"id":"tiny-chat"}]}');
    } else {
      const chunk = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ id: '1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.setHeader('content-type', 'text/event-stream');
      response.end(`${chunk({ content: answerTo(text) }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { tickets, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, end: () => server.close() };
}

/** Chooses a type of nodes in the open palette, and waits for its card. */
async function choose(page: Page, hand: Hand, [words, id]: readonly [string, string]): Promise<void> {
  await expect(page.getByRole('combobox', { name: /^(?:Search node types|Add a node: .*)$/ })).toBeFocused();
  await hand.type(words);
  await hand.press('Enter');
  await expect(inspector(page).getByRole('heading', { name: id, exact: true })).toBeVisible();
}

async function addBehind(page: Page, hand: Hand, [from, way]: readonly [string, string]): Promise<void> {
  const plus = page.getByRole('button', { name: `Add a node behind ${way}` });
  // A card that was just added may still move away from the pointer.
  await expect(async () => {
    await card(page, from).hover();
    await plus.click({ timeout: 2000 });
    await expect(page.getByRole('combobox', { name: 'Search node types' })).toBeVisible({ timeout: 2000 });
  }).toPass();
  hand.actions++;
}

async function setUpModel(page: Page, hand: Hand, host: string): Promise<void> {
  await hand.click(inspector(page).getByRole('combobox', { name: 'Model', exact: true }));
  await hand.click(page.getByText('Set up a model…'));
  const dialog = page.getByRole('dialog', { name: 'Set up a model' });
  await hand.click(dialog.getByRole('radio', { name: /^Another provider/ }));
  await hand.fill(dialog.getByRole('textbox', { name: /^Name/ }), 'local');
  await hand.fill(dialog.getByRole('textbox', { name: /^Base URL/ }), `http://${host}/v1`);
  await hand.click(dialog.getByRole('button', { name: 'Save and test' }));
  // The answer to the dialog of the system.
  hand.actions++;
  await hand.click(dialog.getByRole('button', { name: 'Use tiny-chat' }));
  await expect(dialog).toBeHidden();
}

async function writeSchema(page: Page, hand: Hand): Promise<void> {
  const form = inspector(page);
  await hand.fill(form.getByRole('textbox', { name: 'Name of label' }), 'kind');
  await hand.click(form.getByRole('button', { name: 'Remove choice yes' }));
  await hand.click(form.getByRole('button', { name: 'Remove choice no' }));
  await hand.click(form.getByRole('textbox', { name: 'Add a choice' }));
  for (const kind of ['refund', 'bug', 'other']) {
    await hand.type(kind);
    await hand.press('Enter');
    await expect(form.getByRole('button', { name: `Remove choice ${kind}` })).toBeVisible();
  }
  await hand.fill(form.getByRole('textbox', { name: 'Name of reason' }), 'reply');
}

async function pasteRequest(app: ElectronApplication, page: Page, hand: Hand, host: string): Promise<void> {
  const curl = `curl http://${host}/tickets -H 'Authorization: Bearer ${token}' --json '{"reply":"a text"}'`;
  await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), curl);
  await expect(page.getByRole('combobox', { name: 'Search node types' })).toBeFocused();
  await hand.press('Control+v');
  await hand.click(page.getByRole('dialog', { name: 'Add the request' }).getByRole('button', { name: 'Keep and add' }));
  await expect(card(page, 'http_request')).toBeVisible();
  await hand.fill(
    inspector(page).getByRole('textbox', { name: 'Body', exact: true }),
    '{"reply":"{{human_approval.params.draft}}"}',
  );
}

test('a triage of mails by mouse, in at most 60 actions and with no failed run', async ({ program }) => {
  const server = await startServer();
  const workspace = await program.makeWorkspace({});
  const { app, page } = await program.start(['--workspace', workspace]);
  const hand = new Hand(page);
  const form = inspector(page);
  await test.step('mails, each of which a model sorts', async () => {
    await hand.click(page.getByRole('button', { name: 'New flow…' }));
    const dialog = page.getByRole('dialog', { name: 'New' });
    await hand.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Triage');
    await hand.click(dialog.getByRole('button', { name: 'Create' }));
    await hand.click(page.getByRole('button', { name: 'Add the first node' }));
    await choose(page, hand, ['constant', 'constant']);
    await hand.fill(form.getByRole('textbox', { name: 'Value' }), mails);
    await addBehind(page, hand, ['constant', 'constant']);
    await choose(page, hand, ['for each', 'foreach']);
    await hand.click(page.getByRole('button', { name: 'Add a node to the body of foreach' }));
    await choose(page, hand, ['ask for json', 'prompt']);
    await hand.fill(
      form.getByRole('textbox', { name: 'Prompt', exact: true }),
      'What kind of mail is this? Draft a reply.\n\n{{item}}',
    );
    await answerQuestions(app, 'Allow This Host');
    await setUpModel(page, hand, server.host);
    await writeSchema(page, hand);
  });
  await test.step('a case for each kind, and an approval with a draft', async () => {
    await addBehind(page, hand, ['prompt', 'prompt']);
    await choose(page, hand, ['switch', 'switch']);
    await addBehind(page, hand, ['switch', 'refund of switch']);
    await choose(page, hand, ['approval', 'human_approval']);
    await hand.click(form.getByRole('button', { name: 'What the person may edit' }));
    await hand.click(form.getByRole('button', { name: 'Add to what the person may edit' }));
    await hand.type('draft');
    await hand.press('Enter');
    await expect(form.getByRole('textbox', { name: 'draft', exact: true })).toBeFocused();
    await hand.type('{{prompt.value.reply}}');
  });
  await test.step('a request with a secret, and a report', async () => {
    await addBehind(page, hand, ['human_approval', 'approved of human_approval']);
    await pasteRequest(app, page, hand, server.host);
    await hand.click(page.getByRole('treeitem', { name: /^foreach ?,/ }));
    await hand.press('n');
    await choose(page, hand, ['write file', 'file_write']);
  });
  await test.step('it runs: permissions once, the draft is edited and sent', async () => {
    const asked = await answerQuestions(app, 'Allow 3');
    await hand.click(page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first());
    const permissions = page.getByRole('dialog', { name: 'This flow needs your permission once' });
    await hand.click(permissions.getByRole('button', { name: 'Allow 3 and run' }));
    hand.actions++;
    await expectRun(page, 'waiting for you');
    expect(await asked()).toEqual([expect.stringContaining('API_TOKEN')]);
    await hand.click(page.getByRole('button', { name: /^Review: / }).first());
    await hand.fill(form.getByRole('textbox', { name: 'draft text' }), 'Your money is on its way.');
    await hand.click(form.getByRole('button', { name: 'Approve', exact: true }));
    await expectRun(page, 'completed');
  });
  expect(server.tickets).toEqual([`Bearer ${token} {"reply":"Your money is on its way."}`]);
  const files = await readFile(path.join(workspace, 'out/result.txt'), 'utf8');
  expect(files).toContain('refund');
  expect(hand.actions).toBeLessThanOrEqual(60);
  await page.keyboard.press('Control+s');
  await expect(page.locator('.status-bar').getByText('Saved', { exact: true })).toBeVisible();
  server.end();
});
