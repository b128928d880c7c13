/** Tests that a run is sent without private values, opened elsewhere, and replayed: by mouse and by keyboard. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ElectronApplication, expect } from '@playwright/test';
import { dropFromSystem } from './pointer.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runCommand, runHeader, runList, showRuns } from './window.ts';

const flow = `flow: { name: Orders }
nodes:
  - { id: read, type: echo, input: { text: "12 chairs for kim@mail.example.org, Operation Teapot" } }
  - { id: save, type: file.write, input: { path: order.txt, text: "Ordered {{read.text}}" } }
  - { id: order, type: file.read, input: { path: order.txt } }
edges: [{ from: read, to: save }, { from: save, to: order }]
`;

/** Answers the system's dialogs for files with this file. */
async function chooseFile(app: ElectronApplication, file: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [filePath] });
  }, file);
}

test('a run is sent in the window, and opened and replayed without its workspace', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'orders.flow.yaml': flow });
  const empty = await program.makeWorkspace({});
  const file = path.join(empty, 'run.json');
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'orders');
  await run(page);
  await expectRun(page, 'completed');
  const dialog = page.getByRole('dialog', { name: 'Send run 1' });

  await test.step('send it by mouse, with an additional word and one value kept', async () => {
    await chooseFile(app, file);
    await showRuns(page);
    await runList(page).getByRole('button', { name: /Run 1/ }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Send…' }).click();
    await expect(dialog).toContainText('1 of 1 private value will be replaced');
    await expect(dialog).not.toContainText('kim@mail');
    await dialog.getByLabel('Also replace').fill('Operation Teapot');
    await dialog
      .getByText('Private values')
      .or(dialog.getByRole('heading', { level: 3 }))
      .first()
      .click();
    await expect(dialog).toContainText('2 of 2 private values will be replaced');
    await dialog.getByRole('switch', { name: /^Replace Email/ }).click();
    await expect(dialog).toContainText('1 private value stays in the file');
    await dialog.getByRole('button', { name: 'Save…' }).click();
    await expect(dialog).toHaveCount(0);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('kim@mail.example.org, [redacted]');
    expect(text).not.toContain('Teapot');
  });

  await test.step('drop it on a window, look at it, and replay it by mouse', async () => {
    const [sent] = await Promise.all([app.waitForEvent('window'), dropFromSystem(page, file)]);
    await expect(sent.getByText('Sent run from run.json · read-only')).toBeVisible();
    await expectRun(sent, 'completed');
    await expect(runHeader(sent).getByRole('button', { name: /^Run again/ })).toHaveCount(0);
    await card(sent, 'order').click();
    await expect(inspector(sent)).toContainText('Ordered 12 chairs for kim@mail.example.org, [redacted]');
    await sent.getByRole('button', { name: 'Replay' }).click();
    await expect(runHeader(sent)).toContainText('Run 2');
    await expectRun(sent, 'completed');
    await expect(inspector(sent)).toContainText('Ordered 12 chairs');
    await sent.getByRole('button', { name: 'Close', exact: true }).click();
    await expect.poll(() => app.windows().length).toBe(1);
  });

  await test.step('send it as a page, open the file and replay it by keyboard', async () => {
    await chooseFile(app, path.join(empty, 'run.html'));
    await runCommand(page, 'Send run…');
    await expect(dialog).toContainText('1 of 1 private value will be replaced');
    await dialog.getByRole('radio', { name: 'Run file' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: 'Save…' }).press('Enter');
    await expect(dialog).toHaveCount(0);
    expect(await readFile(path.join(empty, 'run.html'), 'utf8')).toContain('[email], Operation Teapot');
    await chooseFile(app, file);
    const [sent] = await Promise.all([app.waitForEvent('window'), runCommand(page, 'Open sent run…')]);
    await expectRun(sent, 'completed');
    await runCommand(sent, 'Replay the sent run');
    await expect(runHeader(sent)).toContainText('Run 2');
    await expectRun(sent, 'completed');
    await sent.getByRole('button', { name: 'Close', exact: true }).focus();
    // The window may close before the key is released.
    await Promise.all([sent.waitForEvent('close'), sent.keyboard.press('Enter').catch(() => undefined)]);
    await expect.poll(() => app.windows().length).toBe(1);
  });
});

test('a sent run that waited for a person is shown, and cannot be answered', async ({ program }) => {
  const asking = `flow: { name: Ask }
nodes:
  - { id: ask, type: human_approval, input: { title: "Order 12 chairs?" } }
  - { id: order, type: echo, input: { text: ordered } }
edges: [{ from: ask, to: order }]
`;
  const workspace = await program.makeWorkspace({ 'ask.flow.yaml': asking });
  const file = path.join(await program.makeWorkspace({}), 'run.json');
  const { app, page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'ask');
  await run(page);
  await expectRun(page, 'waiting for you');
  await chooseFile(app, file);
  await runCommand(page, 'Send run…');
  const dialog = page.getByRole('dialog', { name: 'Send run 1' });
  await dialog.getByRole('button', { name: 'Save…' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  const [sent] = await Promise.all([app.waitForEvent('window'), dropFromSystem(page, file)]);
  await expect(sent.getByText('Sent run from run.json · read-only')).toBeVisible();
  await expect(card(sent, 'ask')).toHaveAccessibleName(/waiting/);
  await expect(runHeader(sent).getByRole('button', { name: /^(Cancel|Pause|Step|Continue)/ })).toHaveCount(0);
  await card(sent, 'ask').click();
  await expect(inspector(sent)).toContainText('Order 12 chairs?');
  await expect(sent.getByRole('button', { name: /^(Approve|Reject)/ })).toHaveCount(0);
});
