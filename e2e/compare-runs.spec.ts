/** Tests that two runs are compared on the canvas of their flow, by mouse and by keyboard. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow, run, runCommand, runList, showRuns } from './window.ts';

/** A flow with a loop over mails: a version that is announced, and one that is logged. */
function mails({ rule, last }: { readonly rule: string; readonly last: 'announce' | 'log_raw' }): string {
  return `flow:
  name: Mails
  input: { mails: [Amina, Bo, Chen] }
nodes:
  - { id: rules, type: echo, input: { text: ${JSON.stringify(rule)} } }
  - { id: orders, type: echo, input: { text: 34 orders } }
  - id: per_mail
    type: control.foreach
    input: { items: "{{flow.input.mails}}", as: mail, body: [draft, send] }
  - { id: draft, type: echo, input: { text: "Hello {{mail}}, {{rules.text}}." } }
  - { id: send, type: echo, input: { text: "{{mail}}" } }
  - { id: ${last}, type: echo, input: { text: done } }
edges:
  - { from: rules, to: per_mail }
  - { from: orders, to: per_mail }
  - { from: draft, to: send }
  - { from: per_mail, to: ${last} }
`;
}

test('two runs share a canvas that says what differs and why', async ({ program }) => {
  const workspace = await program.makeWorkspace({
    'mails.flow.yaml': mails({ rule: 'we are terribly sorry', last: 'log_raw' }),
  });
  const { page } = await program.open(workspace);
  await openFlow(page, 'mails');
  await run(page);
  await expectRun(page, 'completed');
  await writeFile(path.join(workspace, 'mails.flow.yaml'), mails({ rule: 'we are truly sorry', last: 'announce' }));
  await expect(card(page, 'announce')).toBeVisible();
  await run(page);
  await expectRun(page, 'completed');
  const header = page.getByRole('region', { name: 'Comparison of two runs' });
  const dock = page.getByRole('region', { name: 'Run details' });

  await test.step('a Ctrl+click in the list compares a run with the one on screen', async () => {
    await showRuns(page);
    await runList(page)
      .getByRole('button', { name: /Run 1/ })
      .click({ modifiers: ['Control'] });
    await expect(header).toContainText('Run 1');
    await expect(header).toContainText('1 of 4 differences');
    await expect(
      runList(page).getByRole('button', { name: /Run 1/ }).getByRole('img', { name: 'run A' }),
    ).toBeVisible();
  });
  await test.step('cards say what differs, and draw the nodes of both flows', async () => {
    await expect(card(page, 'orders')).toHaveAccessibleName('orders, echo, same');
    await expect(card(page, 'rules')).toHaveAccessibleName('rules, echo, output differs');
    await expect(card(page, 'draft')).toHaveAccessibleName('draft, echo, 3 of 3 differ');
    await expect(card(page, 'draft')).toHaveAccessibleDescription(/^A: 3 of 3.*; B: 3 of 3/);
    await expect(card(page, 'log_raw')).toHaveAccessibleName('log_raw, echo, only in A');
    await expect(card(page, 'announce')).toHaveAccessibleName('announce, echo, only in B');
  });
  await test.step('the inspector explains the selected node, and the dock shows its values', async () => {
    await expect(inspector(page)).toContainText('text we are terribly sorry → we are truly sorry');
    await expect(dock.locator('del')).toHaveText('terribly');
    await expect(dock.locator('ins')).toHaveText('truly');
  });
  await test.step('keys go from difference to difference, and from item to item', async () => {
    await page.keyboard.press('F7');
    await expect(header).toContainText('2 of 4 differences');
    await expect(inspector(page)).toContainText('rules.text we are terribly sorry → we are truly sorry');
    await expect(dock).toContainText('Hello Amina');
    await inspector(page).getByRole('button', { name: 'Item 1, output differs' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(dock).toContainText('Hello Bo');
    await dock.getByRole('button', { name: 'Next item' }).click();
    await expect(dock).toContainText('Hello Chen');
    await page.keyboard.press('Shift+F7');
    await expect(header).toContainText('1 of 4 differences');
  });
  await test.step('a value of the first run is taken over as one edit', async () => {
    await inspector(page).getByRole('button', { name: 'Use text of A again' }).click();
    await expect(header).toHaveCount(0);
    await expect(card(page, 'rules')).toContainText('terribly');
    await page.keyboard.press('Control+Z');
    await expect(card(page, 'rules')).toContainText('truly');
  });
  await test.step('the palette and Space choose runs without a mouse, and swap turns them around', async () => {
    await runCommand(page, 'Compare with another run');
    await expect(runList(page)).toContainText('Choose the run to compare with run 2.');
    await runList(page).getByRole('button', { name: /Run 1/ }).focus();
    await page.keyboard.press('Space');
    await expect(header).toContainText('4 differences');
    await header.getByRole('button', { name: 'Swap' }).click();
    await expect(card(page, 'log_raw')).toHaveAccessibleName('log_raw, echo, only in B');
    await runCommand(page, 'End the comparison');
    await expect(header).toHaveCount(0);
  });
  await test.step('three runs are shown as a table, and its rows open on the canvas', async () => {
    await run(page);
    await expectRun(page, 'completed');
    // Only a run that has ended, also in the list, can be compared.
    await expect(
      runList(page).getByRole('button', { name: /Run 3/ }).getByRole('img', { name: 'completed' }),
    ).toBeVisible();
    for (const number of [1, 2])
      await runList(page)
        .getByRole('button', { name: new RegExp(`Run ${number}`) })
        .click({ modifiers: ['Control'] });
    const table = page.getByRole('region', { name: 'Runs of the flow' });
    await expect(table.getByRole('row')).toHaveCount(4);
    await table.getByRole('radio', { name: 'Compare the others with run 2' }).check();
    await expect(table.getByRole('row', { name: /Run 3/ })).toContainText('as in A');
    await table.getByRole('button', { name: 'Compare run 2 with run 3' }).click();
    await expect(header).toContainText('No difference');
    await header.getByRole('button', { name: 'End the comparison' }).click();
    await table.getByRole('button', { name: 'Close the table' }).click();
    await expect(card(page, 'draft')).toBeVisible();
  });
});
