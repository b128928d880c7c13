/** Tests a window that shows the runs of other machines in PostgreSQL, and answers, pauses and cancels them. */
import { expect, type Page } from '@playwright/test';
import { echoFlow } from './flows.ts';
import { answerQuestions } from './main-process.ts';
import { test } from './program.ts';
import { type RemoteServer, startRemoteServer } from './remote-server.ts';
import { expectNoTrace } from './traces.ts';
import { card, expectRun, inspector, runHeader, runList, showRuns } from './window.ts';

const orders = `flow: { name: Orders }
nodes:
  - { id: read, type: echo, input: { text: "12 chairs" } }
  - { id: check, type: human_approval, input: { title: "Order {{read.text}}?" } }
  - { id: order, type: echo, input: { text: "Ordered {{read.text}}" } }
edges:
  - { from: read, to: check }
  - { from: check, to: order, when: { equals: { var: check.route, value: approved } } }
`;

/** The wait leaves enough time to pause the run before the second node. */
const shipping = `flow: { name: Shipping }
nodes:
  - { id: pack, type: control.wait, input: { ms: 8000 } }
  - { id: label, type: echo, input: { text: label } }
  - { id: send, type: echo, input: { text: sent } }
edges: [{ from: pack, to: label }, { from: label, to: send }]
`;

let server: RemoteServer | undefined;
test.afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Adds the connection in the settings, and opens a workspace of the history. */
async function openRemote(page: Page, url: URL, workspace: string): Promise<void> {
  await page.getByRole('button', { name: 'Open settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('tab', { name: 'Remote' }).click();
  await settings.getByRole('button', { name: 'Add connection' }).click();
  const form = settings.getByRole('form', { name: 'New connection' });
  const values = {
    ...{ Name: 'Production', Host: url.hostname, Port: url.port, Database: url.pathname.slice(1) },
    ...{ User: url.username, Password: url.password },
  };
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label).first().fill(value);
  await form.getByRole('combobox', { name: 'Encryption' }).click();
  await page.getByRole('option', { name: 'None' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(settings.getByRole('status')).toContainText('Connected.');
  await settings.getByRole('button', { name: `Open ${workspace}` }).click();
  await expect(page.getByRole('button', { name: `${workspace} (remote)` })).toBeVisible();
}

async function startServer(): Promise<RemoteServer> {
  const started = await startRemoteServer();
  // biome-ignore lint/suspicious/noSkippedTests: not every machine has a server.
  test.skip(typeof started === 'string', String(started));
  if (typeof started === 'string') throw new Error(started);
  server = started;
  return started;
}

test('13.11 runs of other machines are watched, approved and canceled, also while their worker is down', async ({
  program,
}) => {
  const server = await startServer();
  const folder = await program.makeWorkspace({ 'orders.flow.yaml': orders });
  const local = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hello') });
  const worker = server.startWorker('orders', folder);
  await worker.run('orders.flow.yaml');
  const { app, page } = await program.start(['--workspace', local]);
  const questions = await answerQuestions(app, 'Connect to This Server');
  await openRemote(page, server.url, 'orders');
  expect((await questions()).join()).toContain(server.url.port);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle())).toBe(
    'orders (remote) - Millrace',
  );
  await expect(page.getByRole('main', { name: 'orders.flow.yaml' })).toContainText('latest run in the remote history');
  await expect(page.getByRole('button', { name: /^Run / })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New…' })).toHaveCount(0);
  const bar = page.getByRole('toolbar', { name: 'Canvas' });
  await expect(bar.getByRole('button', { name: 'Fit the flow in view' })).toBeVisible();
  await expect(bar.getByRole('button', { name: /palette|note|Undo|Lay out/i })).toHaveCount(0);

  // The first run waits already. It is approved with the mouse.
  await showRuns(page);
  await runList(page)
    .getByRole('button', { name: /Run 1 / })
    .first()
    .click();
  await expectRun(page, 'waiting for you');
  const requests = page.getByRole('region', { name: 'Waiting for you' });
  await requests.getByRole('button', { name: /^Approve/ }).click();
  await expectRun(page, 'completed');
  await expect(runHeader(page).getByRole('button', { name: /^Run again/ })).toHaveCount(0);
  await expect(card(page, 'order')).toHaveAccessibleName(/completed/);
  await card(page, 'order').click();
  await expect(inspector(page)).toContainText('Ordered 12 chairs');

  // The second run starts while the window looks. It is approved by keyboard.
  await worker.run('orders.flow.yaml');
  await page.getByRole('button', { name: 'Waiting for you: 1' }).press('Enter');
  const inbox = page.getByRole('list', { name: 'Waiting for you' });
  await inbox.getByRole('button', { name: /check/ }).press('Enter');
  await inspector(page)
    .getByRole('button', { name: /^Approve/ })
    .press('Enter');
  await expectRun(page, 'completed');
  await expect(inbox.getByRole('button')).toHaveCount(0);

  // The third run is canceled while its worker is down. Another one continues.
  await worker.run('orders.flow.yaml');
  await inbox.getByRole('button', { name: /check/ }).press('Enter');
  await expectRun(page, 'waiting for you');
  await worker.kill();
  await runHeader(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await expectRun(page, 'canceling');
  const next = server.startWorker('orders', folder);
  await expectRun(page, 'canceled');

  // The server is restarted. The window reports that, and shows the next run without being reloaded.
  await next.kill();
  if (server.outage !== undefined) {
    await server.outage.kill();
    const lost = page.getByRole('main').getByText('Millrace reconnects automatically');
    await expect(lost).toBeVisible();
    await server.outage.start();
    await expect(lost).toHaveCount(0);
  }
  await server.startWorker('orders', folder).run('orders.flow.yaml');
  await expect(inbox.getByRole('button', { name: /check/ })).toBeVisible();

  await app.close();
  await expectNoTrace(server.url.password, [program.folders.userData, program.folders.home, local]);
});

test('13.5 a run of another machine is paused, takes a step and continues, by mouse and by keyboard', async ({
  program,
}) => {
  const { url, startWorker } = await startServer();
  const folder = await program.makeWorkspace({ 'shipping.flow.yaml': shipping });
  const local = await program.makeWorkspace({ 'echo.flow.yaml': echoFlow('hello') });
  const worker = startWorker('shipping', folder);
  await worker.run('shipping.flow.yaml');
  const { app, page } = await program.start(['--workspace', local]);
  await answerQuestions(app, 'Connect to This Server');
  await openRemote(page, url, 'shipping');
  await showRuns(page);

  await worker.run('shipping.flow.yaml');
  await runList(page)
    .getByRole('button', { name: /Run 2 / })
    .first()
    .click();
  await runHeader(page)
    .getByRole('button', { name: /^Pause or continue/ })
    .click();
  await expectRun(page, 'paused before label');
  // The values of the worker's run cannot be changed here.
  await expect(runHeader(page).getByRole('button', { name: /^(Edit|Skip)/ })).toHaveCount(0);
  await page.keyboard.press('F10');
  await expectRun(page, 'paused before send');
  await expect(card(page, 'label')).toHaveAccessibleName(/completed/);
  await runHeader(page)
    .getByRole('button', { name: /^Continue/ })
    .click();
  await expectRun(page, 'completed');
});
