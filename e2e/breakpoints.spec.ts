/**
 * Tests breakpoints from the window: set by keyboard and by mouse, listed, hit in an item of a loop, and answered with
 * another input or an output.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runHeader, runList, showRuns } from './window.ts';

const mailsFlow = `flow: { name: Mails }
nodes:
  - { id: rules, type: echo, input: { text: be kind } }
  - { id: each, type: control.foreach, input: { items: [ann, ben, cem], as: mail, body: [draft, send] } }
  - { id: draft, type: echo, input: { text: "Dear {{mail}}, {{rules.text}}" } }
  - { id: send, type: echo, input: { text: "{{draft.text}}" } }
  - { id: report, type: echo, input: { text: done } }
edges:
  - { from: rules, to: each }
  - { from: draft, to: send }
  - { from: each, to: report }
`;
const files = { 'mails.flow.yaml': mailsFlow };

const reportLine = 7;

/** Returns the position of a line in the margin of the text, where breakpoints are. */
function inMargin(line: number): { x: number; y: number } {
  return { x: 10, y: 8 + (line - 0.5) * 20 };
}

/** Returns the breakpoints in the dock. */
function breakpoints(page: Page): Locator {
  return page.getByRole('tabpanel', { name: /^Breakpoints/ }).getByRole('list', { name: 'Breakpoints' });
}

test('a breakpoint with a condition is set by keyboard, and the run continues with another input', async ({
  program,
}) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await openFlow(page, 'mails');
  await page.getByRole('tree', { name: 'Outline of the flow' }).focus();
  for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'F9']) await page.keyboard.press(key);
  await expect(card(page, 'send')).toHaveAccessibleDescription(/breakpoint/);
  await page.getByRole('button', { name: 'Show or hide the dock' }).press('Enter');
  await page.getByRole('tab', { name: /^Breakpoints/ }).click();
  await breakpoints(page).getByRole('button', { name: /^send/ }).focus();
  await page.keyboard.press('F2');
  await page.keyboard.type('draft.te');
  await page.keyboard.press('Enter');
  await page.keyboard.type(' contains "ben"');
  await page.keyboard.press('Enter');
  await expect(breakpoints(page)).toContainText('if draft.text contains "ben"');

  await page.keyboard.press('Control+Enter');
  await expectRun(page, 'paused before send');
  await expect(page.locator('.next-mark')).toHaveText(/^stopped here, mail 2/);
  await expect(inspector(page)).toContainText('Nothing has been sent yet');
  await expect(inspector(page)).toContainText('Dear ben, be kind');
  await inspector(page).getByRole('button', { name: 'Edit inputs…' }).press('Enter');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Dear Benjamin');
  await page.keyboard.press('Control+Enter');
  await expectRun(page, 'completed');
  await expect(inspector(page)).toContainText(/Input edited by/);
  await inspector(page).getByRole('tab', { name: 'Output' }).click();
  await expect(inspector(page)).toContainText('Dear Benjamin');
});

test('breakpoints are set by mouse, survive closing the program, and a node is skipped', async ({ program }) => {
  const workspace = await program.makeWorkspace(files);
  const before = await program.start(['--workspace', workspace]);
  await openFlow(before.page, 'mails');
  await card(before.page, 'send').click({ button: 'right' });
  await before.page.getByRole('menuitem', { name: /breakpoint/ }).click();
  await before.page.getByRole('radio', { name: 'Text', exact: true }).click();
  await before.page
    .locator('.monaco-editor .margin')
    .first()
    .click({ position: inMargin(reportLine) });
  await expect(before.page.locator('.text-breakpoint:not(.text-breakpoint-offer)')).toHaveCount(2);
  await before.page.getByRole('radio', { name: 'Canvas', exact: true }).click();
  await run(before.page);
  await expectRun(before.page, 'paused before send');
  await before.app.close();

  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'mails');
  await showRuns(page);
  await runList(page).getByRole('list', { name: 'Runs' }).getByRole('button').first().click();
  await expectRun(page, 'paused before send');
  await runHeader(page).getByRole('button', { name: /^Skip/ }).click();
  await inspector(page).getByRole('textbox', { name: /text/i }).fill('not sent');
  await inspector(page).getByRole('button', { name: 'Skip with this output' }).click();
  await expectRun(page, 'paused before send');
  await expect(page.locator('.next-mark')).toHaveText(/mail 2/);

  // Off from now on, so that the run stops only before the report.
  const side = runList(page).getByRole('list', { name: 'Breakpoints' });
  await side.getByRole('switch', { name: /send/ }).click();
  await runHeader(page)
    .getByRole('button', { name: /^Continue/ })
    .click();
  await expectRun(page, 'paused before report');
  await card(page, 'each').click();
  await inspector(page).getByRole('tab', { name: 'Output' }).click();
  await expect(inspector(page)).toContainText('not sent');
  await runHeader(page)
    .getByRole('button', { name: /^Continue/ })
    .click();
  await expectRun(page, 'completed');
});
