/** Tests triggers on the canvas: adding, editing, switching on and confirming. Each test checks the saved file. */
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { openCanvas, saved } from './edited-flow.ts';
import { answerQuestions } from './main-process.ts';
import { test } from './program.ts';
import { openFlow } from './window.ts';

const text = `# Mail of the day.
flow:
  name: Mail
nodes:
  - { id: read, type: echo, input: { text: hello } } # the start
edges: []
`;

function withoutTriggers(flow: string): string {
  return flow.replace(/ {2}triggers:\n(?: {4}.*\n)+/, '');
}

test('a schedule that is added by mouse is on only after a person has switched it on, and after changes waits again', async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'hand.flow.yaml': text });
  const { app, page } = await program.open(workspace);
  await openFlow(page, 'hand');
  const canvas = { page, workspace, file: `${workspace}/hand.flow.yaml` };
  await page.locator('.react-flow__pane').click({ button: 'right', position: { x: 60, y: 60 } });
  await page.getByRole('menuitem', { name: 'Add a trigger' }).click();
  const card = page.locator('[data-trigger="schedule"]');
  const inspector = page.locator('.inspector');
  await inspector.getByRole('button', { name: 'Monday' }).click();
  await inspector.getByRole('textbox', { name: 'At', exact: true }).fill('7:30');
  await expect(card).toHaveAccessibleName(/Tuesday to Friday at 07:30/);
  await expect(inspector.getByRole('listitem').filter({ hasText: ', 07:30' })).toHaveCount(9);
  const written = await saved(canvas, (now) => now.includes('30 7 * * 2-5'));
  expect(withoutTriggers(written)).toBe(text);
  await expectNoSeriousProblem(page, 'a trigger and its form');

  const onCard = page.getByRole('switch', { name: 'Trigger schedule is on' });
  await expect(onCard).toBeDisabled();
  await page.locator('.trigger-card').getByRole('button', { name: 'Trust this workspace…' }).click();
  await answerQuestions(app, 'Trust This Folder');
  await page.getByRole('switch', { name: 'Trust this workspace' }).click();
  await page.getByRole('button', { name: 'Close' }).click();
  const declined = await answerQuestions(app, 'Cancel');
  await onCard.click();
  await expect.poll(async () => (await declined()).length).toBe(1);
  await expect(onCard).not.toBeChecked();
  const asked = await answerQuestions(app, 'Switch On');
  await onCard.click();
  await expect(onCard).toBeChecked();
  expect((await asked())[0]).toMatch(/^Switch on the trigger schedule of hand\.flow\.yaml\? Starts at: 30 7 \* \* 2-5/);
  await expect(page.getByRole('contentinfo')).toContainText('1 trigger on');
  expect(await readFile(canvas.file, 'utf8')).toBe(written);

  await page.locator('[data-card="read"]').click();
  await inspector.getByRole('textbox', { name: 'Text' }).fill('changed');
  await saved(canvas, (now) => now.includes('changed'));
  await expect(card).toHaveAccessibleName(/flow changed/);
  await expect(page.getByRole('contentinfo')).toContainText('1 trigger to confirm');
  await answerQuestions(app, 'Keep On');
  await page.getByRole('button', { name: 'Confirm the trigger schedule' }).click();
  await expect(card).toHaveAccessibleName(/On, next/);
  await expect(page.getByRole('contentinfo')).toContainText('1 trigger on');
});

test('a trigger is added, edited, deleted and restored by keyboard, and the text agrees', async ({ program }) => {
  const canvas = await openCanvas(program, text);
  const { page } = canvas;
  await page.keyboard.press('Shift+T');
  const card = page.locator('[data-trigger="schedule"]');
  await expect(card).toHaveAccessibleName(/^Trigger schedule, schedule\. Monday to Friday at 09:00/);
  const added = await saved(canvas, (now) => now !== text);
  expect(withoutTriggers(added)).toBe(text);
  await card.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('[data-card="read"]')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(card).toBeFocused();
  // Enter leads to the form.
  await page.keyboard.press('Enter');
  await expect(page.locator('.inspector').getByRole('combobox', { name: 'Starts the flow' })).toBeFocused();
  await card.focus();
  await page.keyboard.press('Delete');
  await expect(card).toHaveCount(0);
  await saved(canvas, (now) => now === text);
  await page.keyboard.press('Control+z');
  await expect(card).toBeVisible();
  await saved(canvas, (now) => now === added);
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor').first()).toContainText('0 9 * * 1-5');
});
