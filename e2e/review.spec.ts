/** Reviews what another program changed in the open flow, by mouse and keyboard. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { type Program, test } from './program.ts';
import { card } from './window.ts';

const before = `# Answers mails
flow: { name: Mail }
nodes:
  - id: read   # all mails
    type: echo
    input: { text: mail }
  - id: draft
    type: prompt
    input: { prompt: "Answer in a friendly tone: {{read.output}}" }
    config: { temperature: 0.7 }
  - id: log
    type: echo
    input: { text: "{{read.output}}" }
edges:
  - { from: read, to: draft }
  - { from: read, to: log }
`;
const after = before
  .replace('0.7', '0.2')
  .replace('  - id: log\n    type: echo\n    input: { text: "{{read.output}}" }\n', '')
  .replace('  - { from: read, to: log }\n', '  - { from: draft, to: check }\n')
  .replace('edges:\n', '  - { id: check, type: human_approval, input: { message: "Send this reply?" } }\nedges:\n');

async function openChanged(program: Program): Promise<{ page: Page; file: string }> {
  const workspace = await program.makeWorkspace({ 'mail.flow.yaml': before });
  const { page } = await program.open(workspace);
  const file = path.join(workspace, 'mail.flow.yaml');
  await expect(card(page, 'draft')).toBeVisible();
  await writeFile(file, after);
  return { page, file };
}

function row(page: Page, text: string | RegExp) {
  return page.getByRole('list', { name: 'Changes' }).getByRole('listitem').filter({ hasText: text });
}

test('13.7 a file that another program changed is reviewed by mouse, and rejecting is an edit', async ({ program }) => {
  const { page, file } = await openChanged(program);
  await page.getByRole('button', { name: 'Review 3 changes' }).click();
  const bar = page.getByRole('region', { name: 'Review' });
  await expect(bar).toContainText('3 to review');
  await expect(row(page, /./)).toHaveCount(3);
  await expect(card(page, 'log')).toBeVisible();
  await expectNoSeriousProblem(page, 'a review');
  await row(page, 'Removes log').getByRole('button', { name: 'Reject: Removes log (echo)' }).click();
  await expect(bar).toContainText('1 rejected, 2 to review');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readFile(file, 'utf8')).toContain('- id: log');
  await expect(page.getByRole('treeitem', { name: /^check .*added/ })).toBeVisible();
  await bar.getByRole('button', { name: 'Accept the rest' }).click();
  await bar.getByRole('button', { name: 'Done' }).click();
  await expect(bar).toBeHidden();
  await expect(card(page, 'log')).toBeVisible();
});

test('13.7 changes are reviewed by keyboard, and undo takes a decision back', async ({ program }) => {
  const { page, file } = await openChanged(program);
  const button = page.getByRole('button', { name: 'Review 3 changes' });
  await button.focus();
  await page.keyboard.press('Enter');
  const bar = page.getByRole('region', { name: 'Review' });
  await expect(row(page, /./).first().getByRole('button').first()).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await expect(bar).toContainText('1 rejected, 2 to review');
  await page.keyboard.press('u');
  await expect(bar).toContainText('3 to review');
  await page.keyboard.press('r');
  await expect(bar).toContainText('1 rejected');
  await page.keyboard.press('Control+z');
  await expect(bar).toContainText('3 to review');
  await page.keyboard.press('Control+Enter');
  await expect(bar).toContainText('3 accepted, 0 to review');
  expect(await readFile(file, 'utf8')).toBe(after);
});

test('13.7 opening a review shows all changes, and its keys work on the canvas and in the outline', async ({
  program,
}) => {
  const { page } = await openChanged(program);
  await page.getByRole('button', { name: 'Review 3 changes' }).click();
  const bar = page.getByRole('region', { name: 'Review' });
  await expect(row(page, /./).first().getByRole('button').first()).toBeFocused();
  const canvas = page.locator('.flow-canvas');
  for (const name of ['draft', 'check', 'log'])
    await expect(canvas.getByRole('button', { name: `Accept: ${name}` })).toBeInViewport({ ratio: 1 });
  // The card of a removed node is selected like any other.
  await card(page, 'log').click();
  await expect(row(page, 'Removes log')).toHaveAttribute('aria-current', 'true');
  await card(page, 'log').focus();
  await page.keyboard.press('r');
  await expect(bar).toContainText('1 rejected, 2 to review');
  await page.keyboard.press('u');
  await expect(bar).toContainText('3 to review');
  const outline = page.getByRole('tree', { name: 'Outline of the flow' });
  await outline.getByRole('treeitem', { name: /^draft/ }).click();
  await expect(row(page, 'Changes temperature')).toHaveAttribute('aria-current', 'true');
  await outline.getByRole('treeitem', { name: /^log .*removed/ }).click();
  await expect(row(page, 'Removes log')).toHaveAttribute('aria-current', 'true');
  await outline.focus();
  await page.keyboard.press('a');
  await expect(bar).toContainText('1 accepted, 2 to review');
  await expect(outline.getByRole('treeitem', { name: /^log/ })).toBeHidden();
  await page.keyboard.press('Control+Enter');
  await expect(bar).toContainText('3 accepted, 0 to review');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(bar).toBeHidden();
});

test('13.7 the text shows the same changes, and each of them can be decided there', async ({ program }) => {
  const { page } = await openChanged(program);
  await page.getByRole('button', { name: 'Review 3 changes' }).click();
  const bar = page.getByRole('region', { name: 'Review' });
  await page.getByRole('radio', { name: 'Text' }).click();
  const hunk = (name: string) => page.getByRole('region', { name: `Change: ${name}` }).first();
  await expect(hunk('Changes temperature of draft from 0.7 to 0.2')).toContainText('1 line added, 1 line removed');
  await expect(page.locator('.hunk-lines.hunk-removed').first()).toContainText('config: { temperature: 0.7 }');
  await expectNoSeriousProblem(page, 'the text of a review');
  await hunk('Removes log (echo)').getByRole('button', { name: 'Removes log (echo)', exact: true }).click();
  await expect(row(page, 'Removes log')).toHaveAttribute('aria-current', 'true');
  await hunk('Removes log (echo)').getByRole('button', { name: 'Reject: Removes log (echo)' }).click();
  await expect(bar).toContainText('1 rejected, 2 to review');
  await expect(hunk('Removes log (echo)')).toBeHidden();
  await expect(page.locator('.view-lines')).toContainText('id: log');
  await hunk('Changes temperature')
    .getByRole('button', { name: /^Accept: / })
    .press('Enter');
  await expect(bar).toContainText('1 accepted, 1 rejected, 1 to review');
  await expect(hunk('Changes temperature')).toBeHidden();
});

test('13.7 a review shows invisible characters in values and comments', async ({ program }) => {
  const { page, file } = await openChanged(program);
  await writeFile(file, before.replace('text: mail', 'text: "ma\u2060il"').replace('# all mails', '# all\u200B mails'));
  await page.getByRole('button', { name: 'Review 2 changes' }).click();
  await row(page, 'Changes text of read from "mail" to "ma[U+2060]il"').getByRole('button').first().click();
  await expect(page.locator('.inspector')).toContainText('ma[U+2060]il');
  await page.getByRole('radio', { name: 'Text', exact: true }).click();
  await expect(page.locator('.unicode-highlight')).toHaveCount(2);
});
