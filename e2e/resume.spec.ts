/**
 * Tests that runs which stopped halfway can be resumed from the window: after a crash, and when they need an answer
 * first.
 */
import { expect, type Page } from '@playwright/test';
import { echoFlow, pausingFlow } from './flows.ts';
import { killEngine } from './main-process.ts';
import { type Files, test } from './program.ts';
import { startSilentServer } from './silent-server.ts';
import { card, expectRun, openFile, openFlow, run, runHeader, runList } from './window.ts';

/** Returns a flow with two requests that must not be repeated without consent. */
function sendingFlow(url: string): string {
  return `flow: { name: Sending, policy: { maxParallel: 2, failFast: false } }
nodes:
  - { id: order, type: http.request, input: { url: "${url}/order", method: POST } }
  - { id: invoice, type: http.request, input: { url: "${url}/invoice", method: POST } }
  - { id: done, type: echo, input: { text: "{{order.status}}" } }
edges:
  - { from: order, to: done }
`;
}

function logLine(page: Page, node: string, text: string) {
  return page.locator('.run-log-line').filter({ hasText: node }).filter({ hasText: text });
}

async function openLog(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Log/ }).click();
}

test('an interrupted run resumes from the window without repeating completed nodes', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'pausing.flow.yaml': pausingFlow });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'pausing');
  await run(page);
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  await killEngine(app);
  await expectRun(page, 'interrupted');

  await runHeader(page).getByRole('button', { name: 'Resume' }).click();
  await expect(card(page, 'pause')).toHaveAccessibleName(/running/);
  await expectRun(page, 'completed');
  await openLog(page);
  await expect(logLine(page, 'first', 'started')).toHaveCount(1);
  await expect(logLine(page, 'pause', 'started again')).toHaveCount(1);
  await expect(logLine(page, 'last', 'completed')).toContainText('after kept');
});

test('after a kill, the program reports its run at the next start and waits for the user to resume it', {
  tag: '@thorough',
}, async ({ program }) => {
  const files = { 'pausing.flow.yaml': pausingFlow, 'echo.flow.yaml': echoFlow('other') };
  const workspace = await program.makeWorkspace(files);
  const first = await program.start(['--workspace', workspace]);
  await openFlow(first.page, 'pausing');
  await run(first.page);
  await expect(card(first.page, 'pause')).toHaveAccessibleName(/running/);
  const gone = first.app.waitForEvent('close');
  first.app.process().kill('SIGKILL');
  await gone;

  const { page } = await program.start(['--workspace', workspace]);
  await page.getByRole('button', { name: 'Runs, 1 interrupted' }).click();
  await runList(page).getByRole('radio', { name: 'All' }).click();
  await expect(runList(page)).toContainText('A run was interrupted when the engine stopped');
  await expect(runList(page).getByRole('img', { name: 'interrupted' })).toBeVisible();
  await runList(page).getByRole('button', { name: 'Resume' }).click();
  await expectRun(page, 'completed');
  await expect(runList(page).getByRole('button', { name: 'Resume' })).toHaveCount(0);
});

test('interrupted requests ask what to do and are answered one by one by keyboard alone', async ({ program }) => {
  const server = await startSilentServer();
  const workspace = await program.makeTrustedWorkspace({ 'sending.flow.yaml': sendingFlow(server.url) });
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'sending');
  await run(page);
  await expect.poll(() => server.requests).toHaveLength(2);
  await killEngine(app);
  await expectRun(page, 'interrupted');
  server.speak();

  await runHeader(page).getByRole('button', { name: 'Resume' }).press('Enter');
  await expectRun(page, 'waiting for you');
  const questions = page.getByRole('region', { name: 'Waiting for you' });
  await expect(questions).toContainText('2 nodes wait for you');
  await expect(card(page, 'order')).toHaveAccessibleName(/waiting for you/);
  expect(server.requests).toHaveLength(2);

  await page.keyboard.press('w');
  await expect(questions.getByLabel('Comment: all 2 nodes')).toBeFocused();
  for (let tab = 0; tab < 4; tab++) await page.keyboard.press('Tab');
  await expect(questions.getByLabel('Comment: order')).toBeFocused();
  await page.keyboard.type('I looked: it was not sent');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(card(page, 'order')).toHaveAccessibleName(/completed/);
  await expect(questions.getByLabel('Comment: invoice')).toBeVisible();
  expect(server.requests.slice(2)).toEqual(['/order']);

  await page.getByRole('button', { name: 'Waiting for you: 1' }).press('Enter');
  const inbox = page.getByRole('list', { name: 'Waiting for you' });
  await inbox.getByRole('button', { name: /invoice/ }).press('r');
  await expectRun(page, 'completed');
  await expect(inbox).toHaveCount(0);
  await expect(card(page, 'invoice')).toHaveAccessibleName(/failed, tolerated/);
  await expect(card(page, 'done')).toHaveAccessibleName(/completed/);
  await openLog(page);
  await expect(logLine(page, 'order', 'approved: I looked: it was not sent')).toBeVisible();
  await server.close();
});

/** An agent that waits some seconds for each of its two inputs. */
const slowAgent: Files = {
  'slow.aip':
    '# Options\n\n```toml\nmodel = "scripted::model.yaml"\ninput_concurrency = 1\n```\n\n# Before All\n\n```lua\nreturn aip.flow.before_all_response({ inputs = { "mills", "flour" } })\n```\n\n# User\n\nSum up: {{input}}\n',
  'model.yaml':
    'paceMs: 250\nchunkChars: 1\nreplies:\n  - { match: mills, reply: Wheels turn }\n  - { match: flour, reply: White }\n',
  'digest.flow.yaml':
    'flow: { name: Digest }\nnodes:\n  - { id: sum, type: agent, input: { agent: slow.aip } }\nedges: []\n',
};

test('an interrupted agent input asks and is answered by keyboard, and completed inputs are kept', {
  tag: '@thorough',
}, async ({ program }) => {
  const { app, page } = await program.start(['--workspace', await program.makeWorkspace(slowAgent)]);
  await openFile(page, 'slow.aip');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Control+Enter');
  const inputs = page.getByRole('list', { name: 'Inputs' });
  await expect(inputs.getByRole('listitem')).toHaveCount(2);
  await killEngine(app);
  await expectRun(page, 'interrupted');

  await runHeader(page).getByRole('button', { name: 'Resume' }).press('Enter');
  await expectRun(page, 'waiting for you');
  const questions = page.getByRole('region', { name: 'Waiting for you' });
  await expect(questions.getByRole('button', { name: 'Approve: Input 2' })).toBeVisible();
  await expect(inputs.getByRole('img', { name: 'completed' })).toHaveCount(1);
  await questions.getByRole('button', { name: 'Approve: Input 2' }).press('Enter');
  await expectRun(page, 'completed');
  await expect(inputs.getByRole('img', { name: 'completed' })).toHaveCount(2);
});

test('a node with an interrupted agent shows the request of its run and forwards the answer', {
  tag: '@thorough',
}, async ({ program }) => {
  const { app, page } = await program.start(['--workspace', await program.makeWorkspace(slowAgent)]);
  await openFlow(page, 'digest');
  await run(page);
  await expect(card(page, 'sum')).toHaveAccessibleName(/running/);
  await openLog(page);
  await expect(logLine(page, 'input:0', 'started')).toBeVisible();
  await killEngine(app);
  await expectRun(page, 'interrupted');
  await runHeader(page).getByRole('button', { name: 'Resume' }).click();
  await expectRun(page, 'waiting for you');
  await expect(card(page, 'sum')).toHaveAccessibleName(/waiting for you/);
  const questions = page.getByRole('region', { name: 'Waiting for you' });
  await questions.getByRole('button', { name: 'Reject: sum: Input 1' }).click();
  await expectRun(page, 'failed');
  await expect(card(page, 'sum')).toHaveAccessibleName(/failed/);
});
