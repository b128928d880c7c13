/**
 * Tests building a first flow: a model sorts mails, a person edits a reply, a server receives it, and a report is
 * written.
 */
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

/** Returns the model's response to a mail. */
function answerTo(prompt: string): string {
  const kind = /refund for/.test(prompt) ? 'refund' : /broken/.test(prompt) ? 'bug' : 'other';
  return JSON.stringify({ kind, reply: `About your ${kind}.` });
}

/** Starts a server that is both a model provider and a ticket system. */
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

/** Chooses a node type in the open palette and waits for its card. */
async function choose(page: Page, hand: Hand, [words, id]: readonly [string, string]): Promise<void> {
  await expect(page.getByRole('combobox', { name: /^(?:Search node types|Add a node: .*)$/ })).toBeFocused();
  await hand.type(words);
  await hand.press('Enter');
  await expect(inspector(page).getByRole('heading', { name: id, exact: true })).toBeVisible();
}

async function setUpModel(page: Page, hand: Hand, host: string): Promise<void> {
  await hand.click(inspector(page).getByRole('combobox', { name: 'Model', exact: true }));
  await hand.click(page.getByText('Set up a model…'));
  const dialog = page.getByRole('dialog', { name: 'Set up a model' });
  await hand.click(dialog.getByRole('radio', { name: /^Another provider/ }));
  await hand.fill(dialog.getByRole('textbox', { name: /^Name/ }), 'local');
  await hand.fill(dialog.getByRole('textbox', { name: /^Base URL/ }), `http://${host}/v1`);
  await hand.click(dialog.getByRole('button', { name: 'Save and test' }));
  // Counts the answer to the system dialog.
  hand.actions++;
  await hand.click(dialog.getByRole('button', { name: 'Use tiny-chat' }));
  await expect(dialog).toBeHidden();
}

/** Sets up the model from the focused field by keyboard alone. */
async function setUpModelByKeys(page: Page, hand: Hand, host: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Set up a model' });
  await hand.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Find a model' })).toBeFocused();
  await hand.press('Enter');
  await expect(dialog.getByRole('radio').first()).toBeFocused();
  // From the first provider, ArrowUp wraps to the last one, which is for all other providers.
  await hand.press('ArrowUp');
  await expect(dialog.getByRole('textbox', { name: /^Name/ })).toBeVisible();
  await hand.press('Tab');
  await hand.type('local');
  await hand.press('Tab');
  await hand.press('Tab');
  await hand.type(`http://${host}/v1`);
  await hand.press('Enter');
  hand.actions++;
  await expect(dialog.getByRole('button', { name: 'Use tiny-chat' })).toBeFocused();
  await hand.press('Enter');
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
  await hand.click(page.getByRole('dialog', { name: 'Add the request' }).getByRole('button', { name: 'Save and add' }));
  await expect(card(page, 'http_request')).toBeVisible();
  await hand.fill(
    inspector(page).getByRole('textbox', { name: 'Body', exact: true }),
    '{"reply":"{{human_approval.params.draft}}"}',
  );
}

/** The text written after the prompt: its schema, a branch for each category, an approval, a request and a report. */
const writtenRest = (host: string): string => `body: [prompt, sort, approve, send]

  - id: prompt
    type: prompt
    input:
      prompt: |-
        What kind of mail is this? Draft a reply.

        {{item}}
    config:
      model: local::tiny-chat
      output:
        schema:
          type: object
          properties:
            kind: { type: string, enum: [refund, bug, other] }
            reply: { type: string }
          required: [kind, reply]

  - id: sort
    type: control.switch
    input:
      value: "{{prompt.value.kind}}"
      cases:
        - { when: { equals: { var: value, value: refund } }, route: refund }

  - id: approve
    type: human_approval
    input:
      title: Send this reply?
      params: { draft: "{{prompt.value.reply}}" }

  - id: send
    type: http.request
    input:
      url: http://${host}/tickets
      method: POST
      headers: { Authorization: "Bearer {{secret.API_TOKEN}}" }
      body: { reply: "{{approve.params.draft}}" }

  - id: report
    type: file.write
    input: { path: out/result.txt, text: "{{foreach.iterations}}" }

edges:
  - { from: constant, to: foreach }
  - { from: foreach, to: report }
  - { from: prompt, to: sort }
  - { from: sort, to: approve, when: { equals: { var: sort.route, value: refund } } }
  - { from: approve, to: send, when: { equals: { var: approve.route, value: approved } } }
`;

test('builds a mail triage by keyboard, forms and text, in at most 60 actions and with no failed run', async ({
  program,
}) => {
  const server = await startServer();
  const workspace = await program.makeWorkspace({});
  const { app, page } = await program.start(['--workspace', workspace]);
  const hand = new Hand(page);
  const form = inspector(page);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await hand.press(key);
  };
  const add = async (words: string, id: string): Promise<void> => {
    await hand.press('n');
    await choose(page, hand, [words, id]);
    await expect(page.getByRole('application')).toBeFocused();
  };
  const write = async (field: string, text: string): Promise<void> => {
    await press('Enter');
    await expect(form.getByRole('textbox', { name: field, exact: true })).toBeFocused();
    await press('Control+a');
    await hand.type(text);
  };
  await expect(page.getByRole('heading', { name: 'What do you want to build?' })).toBeVisible();
  await test.step('read mails and sort each with a model, in forms', async () => {
    await press('Control+n');
    await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
    await hand.type('Triage');
    await press('Enter');
    await expect(page.getByRole('application')).toBeFocused();
    await add('constant', 'constant');
    await write('Value', mails);
    await press('Escape');
    await expect(page.getByRole('application')).toBeFocused();
    await add('for each', 'foreach');
    await add('ask for json', 'prompt');
    await write('Prompt', 'What kind of mail is this? Draft a reply.\n\n{{item}}');
    await press('Tab', 'Tab', 'Tab', 'Tab');
    await expect(form.getByRole('combobox', { name: 'Model', exact: true })).toBeFocused();
    await answerQuestions(app, 'Allow This Host');
    await setUpModelByKeys(page, hand, server.host);
    await expect(form.getByRole('combobox', { name: 'Model', exact: true })).toBeFocused();
    await press('Escape');
    await expect(page.getByRole('application')).toBeFocused();
  });
  await test.step('write the rest as text', async () => {
    await press('F4');
    await expect(page.getByRole('textbox', { name: 'Text of triage.flow.yaml' })).toBeFocused();
    await press('Control+f');
    await expect(page.getByRole('textbox', { name: 'Find' })).toBeFocused();
    await hand.type('body: [prompt]');
    await expect(page.locator('.find-widget .matchesCount')).toHaveText('1 of 1');
    await press('Escape', 'Control+Shift+End');
    await app.evaluate(({ clipboard }, text) => clipboard.writeText(text), writtenRest(server.host));
    await press('Control+v');
    await expect(page.locator('.status-bar')).toContainText('7 nodes, 5 edges');
  });
  await test.step('run it: grant permissions and the secret once, then edit and send the draft', async () => {
    const asked = await answerQuestions(app, 'Allow 3');
    await press('Control+Enter');
    await expect(page.getByRole('button', { name: 'Allow 3 and run' })).toBeFocused();
    await press('Enter');
    hand.actions++;
    await expect(page.getByRole('dialog', { name: 'Settings' }).getByLabel('Value')).toBeFocused();
    expect(await asked()).toEqual([expect.stringContaining('API_TOKEN')]);
    await hand.type(token);
    await press('Enter');
    await expect(page.getByRole('list', { name: 'Secrets' })).toContainText('API_TOKEN');
    await press('Escape', 'Control+Enter');
    await expectRun(page, 'waiting for you');
    await press('F4');
    await expect(page.getByRole('application')).toBeFocused();
    await press('w', 'Enter');
    await expect(form.getByRole('textbox', { name: 'draft text' })).toBeFocused();
    await press('Control+a');
    await hand.type('Your money is on its way.');
    await press('Control+Enter');
    await expectRun(page, 'completed');
  });
  expect(server.tickets).toEqual([`Bearer ${token} {"reply":"Your money is on its way."}`]);
  expect(await readFile(path.join(workspace, 'out/result.txt'), 'utf8')).toContain('refund');
  expect(hand.actions).toBeLessThanOrEqual(60);
  server.end();
});

test('builds a mail triage by mouse, in at most 60 actions and with no failed run', async ({ program }) => {
  const server = await startServer();
  const workspace = await program.makeWorkspace({});
  const { app, page } = await program.start(['--workspace', workspace]);
  const hand = new Hand(page);
  const form = inspector(page);
  await test.step('read mails and sort each with a model', async () => {
    await hand.click(page.getByRole('button', { name: /^Draw it/ }));
    const dialog = page.getByRole('dialog', { name: 'New' });
    await hand.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Triage');
    await hand.click(dialog.getByRole('button', { name: 'Create' }));
    await hand.click(page.getByRole('button', { name: 'Add the first node' }));
    await choose(page, hand, ['constant', 'constant']);
    await hand.fill(form.getByRole('textbox', { name: 'Value' }), mails);
    await hand.plus('constant');
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
  await test.step('add a case for each category, and an approval with a draft', async () => {
    await hand.plus('prompt');
    await choose(page, hand, ['switch', 'switch']);
    await hand.plus('switch', 'refund of switch');
    await choose(page, hand, ['approval', 'human_approval']);
    await hand.click(form.getByRole('button', { name: 'Editable values' }));
    await hand.click(form.getByRole('button', { name: 'Add to editable values' }));
    await hand.type('draft');
    await hand.press('Enter');
    await expect(form.getByRole('textbox', { name: 'draft', exact: true })).toBeFocused();
    await hand.type('{{prompt.value.reply}}');
  });
  await test.step('add a request with a secret, and a report', async () => {
    await hand.plus('human_approval', 'approved of human_approval');
    await pasteRequest(app, page, hand, server.host);
    await hand.click(page.getByRole('treeitem', { name: /^foreach ?,/ }));
    await hand.press('n');
    await choose(page, hand, ['write file', 'file_write']);
  });
  await test.step('run it: grant permissions once, then edit and send the draft', async () => {
    const asked = await answerQuestions(app, 'Allow 3');
    await hand.click(page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first());
    const permissions = page.getByRole('dialog', { name: 'This flow needs your permission' });
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
