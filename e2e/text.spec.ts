/** Tests editing flows as text next to the canvas, with completion, leaving all other bytes of the file unchanged. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test } from './program.ts';
import { card } from './window.ts';

const flow = `flow:
  name: Greetings
nodes:
  - id: first
    type: constant
    input: { value: Hello }
  - id: second # says it
    type: echo
    input:
      text: "{{first.value}}"
edges:
  - { from: first, to: second }
`;

/** Shows the workspace's only flow, which opens at startup, next to its text. */
async function openText(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('main', { name: `${name}.flow.yaml` })).toBeVisible();
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Greetings');
}

/** Moves the cursor to a line and column. */
async function putCursor(page: Page, line: number, column: number): Promise<void> {
  await page.locator('.monaco-editor .native-edit-context, .monaco-editor textarea').first().focus();
  await page.keyboard.press('Control+Home');
  for (let step = 1; step < line; step++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await page.keyboard.press('Home');
  for (let step = 1; step < column; step++) await page.keyboard.press('ArrowRight');
}

function shownText(page: Page) {
  return page.locator('.monaco-editor .view-lines').first();
}

/** Returns the visible lines in order, with spaces preserved. */
async function lines(page: Page): Promise<string[]> {
  return shownText(page)
    .locator('.view-line')
    .evaluateAll((found) =>
      found
        .map((line) => ({
          top: line.getBoundingClientRect().top,
          text: line.textContent?.replaceAll('\u00a0', ' ') ?? '',
        }))
        .sort((left, right) => left.top - right.top)
        .map(({ text }) => text),
    );
}

test('typed text appears on the canvas at once, and undo reverts text and canvas together', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'greetings.flow.yaml': flow });
  const { page } = await program.open(workspace);
  await openText(page, 'greetings');
  await putCursor(page, 6, 1);
  await page.keyboard.press('End');
  await page.keyboard.type('\nname: Opening');
  await expect(card(page, 'Opening')).toBeVisible();

  await page.keyboard.press('Control+Z');
  await page.keyboard.press('Control+Z');
  await expect(card(page, 'Opening')).toHaveCount(0);
  await expect.poll(async () => (await lines(page)).join('\n')).not.toContain('name: O');
  await page.keyboard.press('Control+Shift+Z');
  await page.keyboard.press('Control+Shift+Z');
  await expect(card(page, 'Opening')).toBeVisible();
});

test('the canvas stays while the text is not a valid flow, and updates when it is valid again', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'greetings.flow.yaml': flow });
  const { page } = await program.open(workspace);
  await openText(page, 'greetings');
  await putCursor(page, 3, 1);
  await page.keyboard.type('  broken: [');
  await expect(page.locator('.squiggly-error').first()).toBeVisible();
  await expect(card(page, 'second')).toBeVisible();
  for (let step = 0; step < 11; step++) await page.keyboard.press('Backspace');
  await expect(page.locator('.squiggly-error')).toHaveCount(0);
});

test('a file keeps its line endings, comments and everything that was not edited', { tag: '@thorough' }, async ({
  program,
}) => {
  const crlf = `\uFEFF${flow.replaceAll('\n', '\r\n')}# end`;
  const workspace = await program.makeWorkspace({ 'greetings.flow.yaml': crlf });
  const { page } = await program.open(workspace);
  await openText(page, 'greetings');
  await putCursor(page, 2, 1);
  await page.keyboard.press('End');
  await page.keyboard.type('!\nversion: 1');
  await page.keyboard.press('Control+S');
  const file = path.join(workspace, 'greetings.flow.yaml');
  await expect
    .poll(() => readFile(file, 'utf8'))
    .toBe(crlf.replace('name: Greetings', 'name: Greetings!\r\n  version: 1'));
});

test('suggests keys of a node by its type, and paths from earlier nodes', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'greetings.flow.yaml': flow });
  const { page } = await program.open(workspace);
  await openText(page, 'greetings');
  const list = page.locator('.suggest-widget.visible');
  await putCursor(page, 5, 1);
  await page.keyboard.press('End');
  await page.keyboard.type('\nna');
  await expect(list.getByRole('option', { name: /^name/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('One');
  await expect(card(page, 'One')).toBeVisible();

  await putCursor(page, 11, 1);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(' {{fi');
  await expect(list.getByRole('option', { name: /^first/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type('.');
  await expect(list.getByRole('option', { name: /^value/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect.poll(() => lines(page)).toContain('      text: "{{first.value}} {{first.value}}"');
});

test('F12 goes to the node under the cursor, and F2 renames it everywhere', { tag: '@thorough' }, async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'greetings.flow.yaml': flow });
  const { page } = await program.open(workspace);
  await openText(page, 'greetings');
  await putCursor(page, 10, 18);
  await page.keyboard.press('F12');
  await expect(page.locator('.monaco-editor .line-numbers.active-line-number')).toHaveText('4');

  await page.keyboard.press('F2');
  await expect(page.locator('.rename-box input')).toBeFocused();
  await page.keyboard.type('opening');
  await page.keyboard.press('Enter');
  await expect.poll(() => lines(page)).toEqual(flow.replaceAll('first', 'opening').split('\n'));
  await expect(card(page, 'opening')).toBeVisible();
});

test('the cursor selects the node or edge on the canvas', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'greetings.flow.yaml': flow });
  const { page } = await program.open(workspace);
  await openText(page, 'greetings');
  await putCursor(page, 8, 1);
  await expect(page.locator('.react-flow__node.selected')).toContainText('second');
  const selected = page.locator('.text-view-selected');
  await expect(selected).toHaveCount(4);
  await putCursor(page, 12, 1);
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(0);
  await expect(selected).toHaveCount(1);
});
