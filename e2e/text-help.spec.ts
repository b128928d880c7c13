/** Tests text editing aids for flows: formatting, the context menu, auto-closing braces, and delayed problems. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './program.ts';
import { showText } from './text-view.ts';

const untidy = `flow:
    name:   Greetings # kept


    input: {who: you}
nodes:
-   id: first
    type: echo
    input: {text: "Hello "}
edges: []
`;

const tidy = `flow:
  name: Greetings # kept

  input: { who: you }
nodes:
  - id: first
    type: echo
    input: { text: "Hello " }
edges: []
`;

function line(page: Page, text: string) {
  return page.locator('.monaco-editor .view-line', { hasText: text });
}

test('formats a file by keyboard in one undo step, and a selection from the menu', { tag: '@thorough' }, async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'greetings.flow.yaml': untidy });
  const { page } = await program.open(workspace);
  await showText(page, 'greetings');
  const saved = () => readFile(path.join(workspace, 'greetings.flow.yaml'), 'utf8');

  await line(page, 'edges').click();
  await page.keyboard.press('Shift+Alt+F');
  await expect(line(page, 'input: { who: you }')).toBeVisible();
  await page.keyboard.press('Control+S');
  await expect.poll(saved).toBe(tidy);
  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+S');
  await expect.poll(saved).toBe(untidy);

  await line(page, 'who').click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await line(page, 'who').click({ button: 'right', position: { x: 60, y: 8 } });
  await page.getByRole('menuitem', { name: 'Format selection' }).click();
  await page.keyboard.press('Control+S');
  await expect.poll(saved).toBe(untidy.replace('{who: you}', '{ who: you }'));

  await line(page, 'type').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Format node' }).click();
  await page.keyboard.press('Control+S');
  await expect.poll(saved).toContain('\n  - id: first\n    type: echo\n    input: { text: "Hello " }\n');
});

test('closes binding braces automatically and shows their problems only after typing stops', {
  tag: '@thorough',
}, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'greetings.flow.yaml': tidy });
  const { page } = await program.open(workspace);
  await showText(page, 'greetings');
  const top = async () => (await page.locator('.monaco-editor').boundingBox())?.y;
  const before = await top();
  const marks = page.locator('.monaco-editor :is(.squiggly-error, .squiggly-warning)');

  await line(page, 'Hello').click();
  await page.keyboard.press('End');
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('{{');
  await expect(line(page, 'Hello {{}}"')).toBeVisible();
  await expect(page.locator('.suggest-widget')).toContainText('flow');
  await page.keyboard.type('flow.input.who', { delay: 30 });
  expect(await marks.count()).toBe(0);
  await page.keyboard.type('}}!');
  await expect(line(page, 'Hello {{flow.input.who}}!" }')).toBeVisible();

  await page.keyboard.type(' {{');
  await expect(marks.first()).toBeVisible();
  await expect(page.getByText('1 error prevents this flow from running')).toBeVisible();
  expect(await top()).toBe(before);
});
