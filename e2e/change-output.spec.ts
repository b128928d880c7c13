/**
 * Tests changing the output of a node from the window: in a paused run, and in a rerun of an ended one.
 */
import { expect } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runHeader } from './window.ts';

const flow = `flow: { name: Letters }
nodes:
  - { id: rules, type: echo, input: { text: be kind } }
  - { id: draft, type: echo, input: { text: "Dear Ann, {{rules.text}}" } }
  - { id: send, type: echo, input: { text: "{{draft.text}}!" } }
edges:
  - { from: rules, to: draft }
  - { from: draft, to: send }
`;
const files = { 'letters.flow.yaml': flow };

test('by mouse, the output of a node of a paused run is changed, and refused once it was used', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await openFlow(page, 'letters');
  await card(page, 'send').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /breakpoint/ }).click();
  await run(page);
  await expectRun(page, 'paused before send');
  await card(page, 'draft').click();
  await inspector(page).getByRole('tab', { name: 'Output' }).click();
  await inspector(page).getByRole('button', { name: 'Change output…' }).click();
  await inspector(page).getByRole('textbox', { name: /text/i }).fill('Dear Ben');
  await inspector(page).getByRole('button', { name: 'Change output', exact: true }).click();
  // At once, and not only when the run continues.
  await expect(card(page, 'draft')).toHaveAccessibleName(/output changed by/);
  await expect(inspector(page)).toContainText('Dear Ben');

  await card(page, 'rules').click();
  await inspector(page).getByRole('tab', { name: 'Output' }).click();
  await inspector(page).getByRole('button', { name: 'Change output…' }).click();
  await inspector(page).getByRole('textbox', { name: /text/i }).fill('be brief');
  await inspector(page).getByRole('button', { name: 'Change output', exact: true }).click();
  await expect(inspector(page).getByRole('alert')).toContainText('already used by draft');
  await expect(inspector(page).getByRole('button', { name: 'Run again with this output' })).toBeVisible();

  await runHeader(page)
    .getByRole('button', { name: /^Continue/ })
    .click();
  await expectRun(page, 'completed');
  await expect(card(page, 'draft')).toHaveAccessibleName(/output changed by/);
  await card(page, 'send').click();
  await inspector(page).getByRole('tab', { name: 'Output' }).click();
  await expect(inspector(page)).toContainText('Dear Ben!');
});

test('by keyboard, an ended run is run again with another output', async ({ program }) => {
  const { page } = await program.open(await program.makeWorkspace(files));
  await openFlow(page, 'letters');
  await run(page);
  await expectRun(page, 'completed');
  const outline = page.getByRole('tree', { name: 'Outline of the flow' });
  await outline.focus();
  for (const key of ['Home', 'Enter']) await page.keyboard.press(key);
  await inspector(page).getByRole('tab', { name: 'Output' }).press('Enter');
  await inspector(page).getByRole('button', { name: 'Change output…' }).press('Enter');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('be brief');
  await page.keyboard.press('Control+Enter');
  const plan = page.getByRole('dialog');
  await expect(plan).toContainText('1 gets another output.');
  await page.keyboard.press('Enter');
  await expect(plan).toBeHidden();
  await expect(card(page, 'rules')).toHaveAccessibleName(/output changed by/);
  await expectRun(page, 'completed');
  await expect(inspector(page)).toContainText(/Output changed by/);
  await inspector(page).getByText('Show the change').press('Enter');
  await expect(inspector(page)).toContainText('be kind');
  await outline.focus();
  for (const key of ['End', 'Enter']) await page.keyboard.press(key);
  await expect(inspector(page)).toContainText('Dear Ann, be brief!');
});
