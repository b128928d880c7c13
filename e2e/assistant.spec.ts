/** Asks the assistant for changes, with a local model server, and decides about its proposals. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type ModelServer, type Plan, startModelServer } from '../engine/testing/model-server.ts';
import { type Program, test } from './program.ts';
import { card, expectRun, inspector, run, runCommand, runHeader } from './window.ts';

const flow = `# Greets
flow: { name: Greeting }
nodes:
  - { id: hello, type: echo, input: { text: Hello } }   # first
edges: []
`;

let server: ModelServer;
test.beforeEach(async () => {
  server = await startModelServer('openai-compatible');
});
test.afterEach(() => server.close());

/** Starts the program with the server as its model, in a workspace with these files. */
async function startWithModel(program: Program, files: Record<string, string>) {
  const provider = `kind = "openai-compatible"\nbase_url = "${server.baseUrl}"\n`;
  const settings = `[options]\nmodel = "local::tiny"\n[providers.local]\n${provider}`;
  await writeFile(path.join(program.folders.home, 'config-user.toml'), settings);
  const workspace = await program.makeWorkspace(files);
  const { page } = await program.start(['--workspace', workspace]);
  return { workspace, page, panel: page.getByRole('complementary', { name: 'Ask Millrace' }) };
}

function proposal(input: Record<string, unknown>): Plan {
  const text = JSON.stringify(input);
  return { pieces: [], calls: [{ id: 'c1', name: 'propose_changes', text }], finish: 'calls' };
}

const reviewOf = (page: Page) => page.getByRole('region', { name: 'Review' });

test('13.7 a sentence becomes a proposal, and accepted nodes, by keyboard', async ({ program }, { outputDir }) => {
  const nodes = [{ id: 'check', type: 'human_approval', input: { message: 'Send this?' } }];
  const changes = [{ do: 'add', nodes, edges: [{ from: 'hello', to: 'check' }], after: 'hello' }];
  server.plan(proposal({ title: 'Ask before sending', changes }), {
    pieces: ['`check` now asks you ', 'before anything is sent.'],
  });
  const { page, panel, workspace } = await startWithModel(program, { 'greeting.flow.yaml': flow });
  await expect(card(page, 'hello')).toBeVisible();
  await page.keyboard.press('Control+i');
  await expect(panel.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await page.keyboard.type('Ask me before it is sent');
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('sent to local::tiny');
  await expect(panel.getByText('Send', { exact: true })).toBeFocused();
  expect(server.received).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('check now asks you before anything is sent.');
  await expect(reviewOf(page)).toContainText('Ask before sending');
  await page.screenshot({ path: path.join(outputDir, 'assistant.png') });
  const file = path.join(workspace, 'greeting.flow.yaml');
  expect(await readFile(file, 'utf8')).toBe(flow);
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).focus();
  await page.keyboard.press('Enter');
  await expect(card(page, 'check')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toContain('id: check');
  expect(await readFile(file, 'utf8')).toContain('# first');
});

const described = `flow:
  name: New flow
  version: 1

nodes:
  - { id: hello, type: echo, input: { text: Hello } }
  - { id: note, type: file.write, input: { path: note.txt, text: "{{hello.text}}" } }

edges:
  - { from: hello, to: note }
`;

test('13.7 a description becomes a new flow, which is on disk once it is saved, by mouse', async ({ program }) => {
  server.plan(proposal({ title: 'Write a greeting', text: described }), { pieces: ['`note` writes the greeting.'] });
  const { page, panel, workspace } = await startWithModel(program, {});
  const file = path.join(workspace, 'new-flow.flow.yaml');
  await page.getByRole('button', { name: 'Describe your flow' }).click();
  await page.getByRole('textbox', { name: 'What should the flow do?' }).fill('Write a greeting to note.txt');
  await page.getByRole('button', { name: 'Continue' }).click();
  await panel.locator('.assistant-decision').getByRole('button', { name: 'Send' }).click();
  await expect(reviewOf(page)).toContainText('Write a greeting');
  await expect(card(page, 'note')).toBeVisible();
  await expect(page.getByText('This flow has no nodes yet')).toBeHidden();
  await reviewOf(page).getByRole('button', { name: 'Accept all' }).click();
  await expect(page.getByText('It becomes a file when you save it')).toBeVisible();
  expect(existsSync(file)).toBe(false);
  await page.keyboard.press('Control+s');
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(await readFile(file, 'utf8')).toBe(described);
});

const failing = `flow: { name: Parse }
nodes:
  - { id: get, type: echo, input: { text: "no JSON" } }
  - { id: parse, type: json.parse, input: { text: "{{get.text}}" } }
edges:
  - { from: get, to: parse }
`;

test('13.7 a failed node is explained and fixed, with two of three changes, and undo', async ({ program }) => {
  const text = failing
    .replace('"no JSON"', "'[1]'")
    .replace('name: Parse', 'name: Parse numbers')
    .replace('\nedges:', '\n  - { id: note, type: echo, input: { text: done } }\nedges:');
  server.plan(proposal({ title: 'Give it JSON', text }), { pieces: ['`get` now returns JSON.'] });
  const { page, panel, workspace } = await startWithModel(program, { 'parse.flow.yaml': failing });
  await card(page, 'parse').click();
  await page.keyboard.press('Control+Enter');
  const why = page.locator('.node-why');
  await why.getByRole('button', { name: 'Explain' }).click();
  await expect(panel.locator('.assistant-facts')).toContainText('get completed before it.');
  await panel.locator('.assistant-node[title="get"]').click();
  await expect(page.locator('.inspector').getByRole('heading', { name: 'get' })).toBeVisible();
  await card(page, 'parse').click();
  await why.getByRole('button', { name: 'Fix this' }).click();
  const field = panel.getByRole('textbox', { name: 'Message' });
  await expect(field).toHaveValue('Find out why `parse` failed in the shown run, and fix it.');
  await expect(field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('last failure');
  expect(server.received).toEqual([]);
  await page.keyboard.press('Enter');
  const rows = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  expect(JSON.stringify(server.received[0]?.body)).toContain('last failure');
  // The line with the output of the run does not cover the buttons of the card.
  await page.locator('.react-flow__node').getByRole('button', { name: 'Accept: get' }).click({ trial: true });
  await rows
    .filter({ hasText: 'note' })
    .getByRole('button', { name: /^Reject/ })
    .click();
  await reviewOf(page).getByRole('button', { name: 'Accept the rest' }).click();
  await expect(reviewOf(page)).toContainText('2 accepted, 1 rejected');
  const file = path.join(workspace, 'parse.flow.yaml');
  expect(await readFile(file, 'utf8')).toBe(failing);
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toContain('"[1]"');
  const saved = await readFile(file, 'utf8');
  expect([saved.includes('Parse numbers'), saved.includes('id: note')]).toEqual([true, false]);
  await page.keyboard.press('Control+z');
  await expect(reviewOf(page)).toContainText('1 rejected, 2 to review');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toBe(failing);
});

const countries = Array.from({ length: 60 }, (_, index) =>
  index === 23 || index === 41 ? 'DE ' : index % 3 === 0 ? 'DE' : 'FR',
);

const orders = `flow: { name: Orders }
nodes:
  - { id: each, type: control.foreach, input: { items: ${JSON.stringify(countries)}, body: [route, home, export] } }
  - id: route
    type: control.switch
    input: { value: "{{item}}", cases: [{ when: { equals: { var: value, value: DE } }, route: DE }] }
  - { id: home, type: echo, input: { text: home } }
  - { id: export, type: echo, input: { text: export } }
edges:
  - { from: route, to: home, when: { equals: { var: route.route, value: DE } } }
  - { from: route, to: export, when: { equals: { var: route.route, value: default } } }
`;

const longFlow = `flow: { name: Long }
nodes:
${Array.from({ length: 60 }, (_, index) => `  - { id: n${index}, type: echo, input: { text: Hello } }`).join('\n')}
edges: []
`;

/** Checks that nothing has moved the window: its title bar is at the top, and the panel is inside it. */
async function expectWholeWindow(page: Page): Promise<void> {
  const places = await page.evaluate(() => {
    const top = document.querySelector('.title-bar')?.getBoundingClientRect().y;
    const end = document.querySelector('.assistant-panel')?.getBoundingClientRect().bottom ?? Infinity;
    return { top, isInside: end <= innerHeight, scrolled: document.documentElement.scrollTop };
  });
  expect(places).toEqual({ top: 0, isInside: true, scrolled: 0 });
}

test('a long explanation scrolls in its panel, and the window stays in place', async ({ program }) => {
  const { app, page } = await program.open(await program.makeWorkspace({ 'long.flow.yaml': longFlow }));
  const panel = page.getByRole('complementary', { name: 'Ask Millrace' });
  await expect(card(page, 'n0')).toBeVisible();
  for (const [width, height] of [
    [1440, 900],
    [1024, 700],
  ] as const) {
    await app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
      { width, height },
    );
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
    await runCommand(page, 'Explain this flow');
    await expect(panel.locator('.assistant-facts').last()).toContainText('n59');
    await expectWholeWindow(page);
    await panel.locator('.assistant-node').last().focus();
    await expect(panel.locator('.assistant-node').last()).toBeInViewport();
    await expectWholeWindow(page);
  }
});

test('a run with a loop is explained in a few sentences, and their numbers select items', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace({ 'orders.flow.yaml': orders }));
  await run(page);
  await expectRun(page, 'completed');
  await runHeader(page).getByRole('button', { name: 'Explain' }).click();
  const facts = page.locator('.assistant-facts li');
  await expect(facts.nth(1)).toHaveText(
    'route compared "DE " with "DE": they differ only by white space (items 24, 42).',
  );
  await expect(page.locator('.assistant-facts')).toContainText('export: 20 of 60 items skipped, because route was DE');
  await expectWholeWindow(page);
  await facts.nth(1).getByRole('button', { name: '42' }).click();
  await expect(inspector(page).getByRole('heading', { name: 'route' })).toBeVisible();
  await expect(inspector(page)).toContainText('Item 42 of 60');
  // By keyboard.
  await facts.nth(1).getByRole('button', { name: '24' }).focus();
  await page.keyboard.press('Enter');
  await expect(inspector(page)).toContainText('Item 24 of 60');
});
