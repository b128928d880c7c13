/** Flows as text: written beside the canvas, with help, and to the byte what the file was before. */
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

/** Shows the workspace's only flow, with which a window begins, beside its text. */
async function openText(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('main', { name: `${name}.flow.yaml` })).toBeVisible();
  await page.getByRole('radio', { name: 'Split' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('Greetings');
}

/** Puts the cursor into a line, before the first place of `part`. */
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

/** The lines that are shown, in their order; blanks as they are. */
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

test('what is typed is on the canvas at once, and undo goes back through text and canvas alike', async ({
  program,
}) => {
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

test('a text that is no flow keeps the canvas, and a text that is one again goes on', async ({ program }) => {
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

test('a file keeps its line ends, comments and everything that was not touched', { tag: '@thorough' }, async ({
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

test('keys of a node are suggested by its type, and paths by what runs before', { tag: '@thorough' }, async ({
  program,
}) => {
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

test('F12 goes to the node that is named, and F2 renames it wherever it is', { tag: '@thorough' }, async ({
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

test('the cursor selects node and edge on the canvas', { tag: '@thorough' }, async ({ program }) => {
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
