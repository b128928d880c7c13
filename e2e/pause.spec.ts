/**
 * Tests that runs are paused, take steps and continue from the window: by mouse, by keyboard, after the program was
 * closed, and for a run of the command line.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import { millrace } from './command-line.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runHeader, runList, showRuns } from './window.ts';

/** The wait leaves enough time to pause the run before the second node. */
const lineFlow = `flow: { name: Line }
nodes:
  - { id: first, type: control.wait, input: { ms: 8000 } }
  - { id: second, type: echo, input: { text: two } }
  - { id: third, type: echo, input: { text: three } }
  - { id: fourth, type: echo, input: { text: four } }
edges:
  - { from: first, to: second }
  - { from: second, to: third }
  - { from: third, to: fourth }
`;
const files = { 'line.flow.yaml': lineFlow };

function button(page: Page, name: string | RegExp): Locator {
  return runHeader(page).getByRole('button', { name });
}

/** Starts the flow and waits until its first node runs. */
async function startLine(page: Page): Promise<void> {
  await openFlow(page, 'line');
  await run(page);
  await expect(card(page, 'first')).toHaveAccessibleName(/running/);
}

test('a run is paused, takes a step and continues by mouse, and is not an open request', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await startLine(page);
  await button(page, /^Pause or continue/).click();
  await expectRun(page, 'pausing');
  await expect(card(page, 'first')).toHaveAccessibleName(/running/);

  await expectRun(page, 'paused before second');
  await expect(card(page, 'second')).toHaveAccessibleName(/paused/);
  await expect(card(page, 'third')).toHaveAccessibleName(/queued/);
  await expect(page.locator('.next-mark')).toHaveText('next');
  await showRuns(page);
  await expect(runList(page).getByRole('list', { name: 'Runs' })).toContainText('paused');
  await expect(page.getByRole('button', { name: 'Waiting for you', exact: true })).toBeVisible();
  await button(page, 'Paused before second').click();
  await expect(inspector(page)).toContainText('second');
  await expect(inspector(page)).toContainText('paused');

  await button(page, /^Step/).click();
  await expectRun(page, 'paused before third');
  await expect(card(page, 'second')).toHaveAccessibleName(/completed/);
  await button(page, /^Step/).click();
  await expectRun(page, 'paused before fourth');
  await button(page, /^Continue/).click();
  await expectRun(page, 'completed');
});

test('a run is paused, takes a step and continues by keyboard, and its log says so', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await startLine(page);
  await page.keyboard.press('F5');
  await expectRun(page, 'paused before second');
  await page.keyboard.press('F10');
  await expectRun(page, 'paused before third');
  await page.keyboard.press('F5');
  await expectRun(page, 'completed');
  await page.getByRole('tab', { name: /^Log/ }).click();
  const log = page.locator('.run-log-line');
  await expect(log.filter({ hasText: 'run paused before this node' })).toHaveCount(2);
  await expect(log.filter({ hasText: /step by / })).toHaveCount(1);
  await expect(log.filter({ hasText: /run continued by / })).toHaveCount(1);
});

test('a paused run is still paused after the program was closed, and continues', async ({ program }) => {
  const workspace = await program.makeWorkspace(files);
  const before = await program.start(['--workspace', workspace]);
  await startLine(before.page);
  await before.page.keyboard.press('F5');
  await expectRun(before.page, 'paused before second');
  await before.app.close();

  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'line');
  await showRuns(page);
  const row = runList(page).getByRole('list', { name: 'Runs' }).getByRole('button').first();
  await expect(row).toContainText('paused');
  await row.click();
  await expectRun(page, 'paused before second');
  await button(page, /^Continue/).click();
  await expectRun(page, 'completed');
  await expect(card(page, 'fourth')).toHaveAccessibleName(/completed/);
});

test('a run of the command line is paused and continued by the window', async ({ program }) => {
  const workspace = await program.makeWorkspace(files);
  const { page } = await program.open(workspace);
  await openFlow(page, 'line');
  const commandLine = millrace(workspace, ['run', 'line.flow.yaml']);
  await expect(card(page, 'first')).toHaveAccessibleName(/running/);
  await page.keyboard.press('F5');
  expect((await commandLine).code).toBe(3);
  await expectRun(page, 'paused before second');
  await page.keyboard.press('F5');
  await expectRun(page, 'completed');
});
