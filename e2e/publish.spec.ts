/** Tests the Publish tab: a flow that is published there is called by a program, through the service of this program. */
import { expect, type Locator } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { saved } from './edited-flow.ts';
import { answerQuestions } from './main-process.ts';
import { test } from './program.ts';
import { inspector, openFlow } from './window.ts';

const flow = `flow:
  name: Greeting
  inputs: { who: { type: string, required: true } }
  outputs: { text: "{{say.text}}" }
nodes:
  - { id: say, type: echo, input: { text: "Hello {{flow.input.who}}" } }
edges: []
`;

interface Answer {
  readonly status: number;
  readonly body: { readonly outputs?: unknown; readonly error?: { readonly code: string } };
}

async function call(origin: string, key: string, who: string): Promise<Answer> {
  const response = await fetch(`${origin}/flows/hello/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify({ who }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** Returns the row of a key. */
function keyRow(tab: Locator, name: string): Locator {
  return tab.getByRole('list', { name: 'Keys' }).getByRole('listitem').filter({ hasText: name });
}

test('a flow is published, called with a key, changed, confirmed and unpublished', async ({ program }) => {
  const workspace = await program.makeTrustedWorkspace({ 'hand.flow.yaml': flow, 'other.flow.yaml': flow });
  // Another service on this machine may use the usual port.
  const { app, page } = await program.start(['--workspace', workspace], { env: { MILLRACE_PORT: '0' } });
  await openFlow(page, 'hand');
  await inspector(page).getByRole('tab', { name: 'Publish' }).click();
  const tab = inspector(page).getByRole('tabpanel', { name: 'Publish' });

  // The switch stays off without the person's consent. Then the service starts too.
  const published = tab.getByRole('switch', { name: 'Published' });
  await tab.getByRole('textbox', { name: 'Name in the address' }).fill('hello');
  const declined = await answerQuestions(app, 'Cancel');
  await published.click();
  await expect.poll(async () => (await declined()).length).toBe(1);
  await expect(published).not.toBeChecked();
  const buttons = ['Publish', 'Keep Running', 'Create Key', 'Change', 'Keep Published'];
  const asked = await answerQuestions(app, ...buttons);
  await published.click();
  await expect(published).toBeChecked();
  expect((await asked())[0]).toContain('For programs with a key: POST /flows/hello/runs');
  await expect(tab).toContainText(/127\.0\.0\.1:\d+, this computer only/);
  const origin = `http://${/127\.0\.0\.1:\d+/.exec((await tab.textContent()) ?? '')?.[0]}`;
  await expect(tab).toContainText('No calls yet.');

  // The text of a key is shown once, and works until the key is revoked.
  await tab.getByRole('button', { name: 'New key…' }).click();
  await tab.getByRole('textbox', { name: 'What the key is for' }).fill('shop backend');
  await tab.getByRole('button', { name: 'Create…' }).click();
  const shownKey = tab.locator('code').filter({ hasText: /^mk_[\w-]{43}$/ });
  const key = (await shownKey.textContent()) ?? '';
  await tab.getByRole('button', { name: 'Done' }).click();
  await expect(shownKey).toHaveCount(0);
  await expect(keyRow(tab, 'shop backend')).toContainText('never used');
  await expectNoSeriousProblem(page, 'a published flow');
  expect(await call(origin, key, 'Ada')).toMatchObject({ status: 200, body: { outputs: { text: 'Hello Ada' } } });
  await expect(tab.getByRole('button', { name: 'shop backend, run 1' })).toBeVisible();
  await expect(keyRow(tab, 'shop backend')).toContainText(/used \d/);

  const runsAtOnce = tab.getByRole('textbox', { name: 'Runs at once' });
  await runsAtOnce.fill('7');
  await tab.getByRole('button', { name: 'Change…' }).click();
  await expect(tab.getByRole('button', { name: 'Change…' })).toHaveCount(0);
  await expect(runsAtOnce).toHaveValue('7');
  expect((await asked()).at(-1)).toContain('Limits: 7 unfinished runs');

  // An edit makes the service refuse calls until the person confirms the flow.
  await page.locator('[data-card="say"]').click();
  await inspector(page).getByRole('textbox', { name: 'Text' }).fill('Goodbye {{flow.input.who}}');
  await saved({ page, workspace, file: `${workspace}/hand.flow.yaml` }, (text) => text.includes('Goodbye'));
  expect(await call(origin, key, 'Ada')).toMatchObject({ status: 409, body: { error: { code: 'flow.changed' } } });
  await page.locator('.react-flow__pane').click({ position: { x: 30, y: 30 } });
  await inspector(page).getByRole('tab', { name: 'Publish' }).click();
  await tab.getByRole('button', { name: 'Confirm…' }).click();
  await expect(tab).not.toContainText('Calls are refused');
  expect((await asked()).at(-1)).toContain('Keep hand.flow.yaml published after its changes?');
  expect(await call(origin, key, 'Ada')).toMatchObject({ status: 200, body: { outputs: { text: 'Goodbye Ada' } } });

  await tab.getByRole('button', { name: 'Revoke shop backend' }).click();
  await tab.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(keyRow(tab, 'shop backend')).toContainText('revoked');
  expect(await call(origin, key, 'Ada')).toMatchObject({ status: 401 });

  // The service runs as long as something is published.
  await page.evaluate(() => Reflect.get(window, 'bridge').call('publish.flow', [{ flow: 'other.flow.yaml' }]));
  const statusOf = async (path: string): Promise<number> => (await fetch(origin + path)).status;
  expect(await statusOf('/f/hello')).toBe(200);
  await published.click();
  await expect(published).not.toBeChecked();
  expect([await statusOf('/f/hello'), await statusOf('/f/other')]).toEqual([404, 200]);
  expect(await call(origin, key, 'Ada')).toMatchObject({ status: 401 });
});
