/** Tests creating, running and saving a flow by keyboard alone. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoSeriousProblem } from './axe.ts';
import { test } from './program.ts';
import { expectRun, inspector } from './window.ts';

function outline(page: Page): Locator {
  return page.getByRole('tree', { name: 'Outline of the flow' });
}

function node(page: Page, id: string): Locator {
  return outline(page).getByRole('treeitem', { name: new RegExp(`^${id} ?,`) });
}

/** Expects that the selected node, which keys act on, is `id`. */
async function expectSelected(page: Page, id: string): Promise<void> {
  await expect(outline(page)).toBeFocused();
  await expect(node(page, id)).toHaveAttribute('aria-selected', 'true');
}

/** Adds a node after the selected one. */
async function add(page: Page, type: string, id: string): Promise<void> {
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type(type);
  await page.keyboard.press('Enter');
  await expectSelected(page, id);
}

/** Moves to a row above or below. */
async function goTo(page: Page, id: string): Promise<void> {
  await page.keyboard.press('Home');
  for (let presses = 0; presses < 20; presses++) {
    if ((await node(page, id).getAttribute('aria-selected')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await expectSelected(page, id);
}

async function rename(page: Page, to: string): Promise<void> {
  await page.keyboard.press('F2');
  await expect(outline(page).getByRole('textbox')).toBeFocused();
  await page.keyboard.type(to);
  await page.keyboard.press('Enter');
  await expectSelected(page, to);
}

/** Moves to the inspector, tabs to a field, sets it, and returns. */
async function setField(page: Page, name: string, text: string): Promise<void> {
  await page.keyboard.press('Enter');
  const field = inspector(page).getByRole('textbox', { name, exact: true });
  for (let presses = 0; presses < 30; presses++) {
    if (await field.evaluate((element) => element.contains(document.activeElement))) break;
    await page.keyboard.press('Tab');
  }
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Shift+o');
  await expect(outline(page)).toBeFocused();
}

/** The file as a person would have written it. */
const written = `flow:
  name: Daily page
  version: 1

nodes:
  - id: begin
    type: echo
    input:
      text: Mills turn.

  - id: list_map
    type: list.map
    input:
      items: ["{{begin.text}}"]
    config:
      template: "{{item}}"

  - id: json_query
    type: json.query
    input:
      value: "{{list_map.items}}"
    config:
      path: $

  - id: noop
    type: control.noop
    input: {}

  - id: template
    type: template
    input:
      value: "{{begin.text}}"
    config:
      template: "Hello {{value}}"

  - id: file_write
    type: file.write
    input:
      path: out/result.txt
      text: "{{template.text}}"

  - id: file_read
    type: file.read
    input:
      globs: ["*.md"]

  - id: constant
    type: constant
    input:
      value: Hello

edges:
  - { from: begin, to: template }
  - { from: template, to: file_write }
  - { from: file_write, to: file_read }
  - { from: file_read, to: constant }
  - { from: begin, to: list_map }
  - { from: list_map, to: json_query }
  - { from: json_query, to: noop }
  - { from: constant, to: noop }
`;

test('builds, runs and saves a flow of eight nodes by keyboard alone', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'README.md': 'Nothing yet.\n' });
  const { page } = await program.open(workspace);
  await expect(page.getByRole('heading', { name: 'What do you want to build?' })).toBeVisible();
  await page.keyboard.press('Control+n');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expectNoSeriousProblem(page, 'the dialog for new things');
  await page.keyboard.type('Daily page');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main', { name: 'daily-page.flow.yaml' })).toBeVisible();

  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(outline(page)).toBeVisible();
  await page.keyboard.press('Control+Shift+o');
  await expect(outline(page)).toBeFocused();
  await add(page, 'echo', 'echo');
  await setField(page, 'Text', 'Mills turn.');
  await rename(page, 'begin');
  await add(page, 'template', 'template');
  await add(page, 'file.write', 'file_write');
  await add(page, 'file.read', 'file_read');
  await add(page, 'constant', 'constant');
  await goTo(page, 'begin');
  await add(page, 'list.map', 'list_map');
  await add(page, 'json.query', 'json_query');
  await add(page, 'noop', 'noop');
  await expectNoSeriousProblem(page, 'the outline');
  await goTo(page, 'constant');
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog').getByRole('option', { name: /^begin/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expectNoSeriousProblem(page, 'the dialog that connects');
  await page.keyboard.type('noop');
  await page.keyboard.press('Enter');
  await expectSelected(page, 'constant');
  await expect(page.getByRole('status').filter({ hasText: /connect/i })).toHaveCount(1);

  await page.keyboard.press('F6');
  await expect(page.locator('.flow-canvas :focus')).toHaveCount(1);
  await page.keyboard.press('F6');
  await expect(inspector(page).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Shift+F6');
  await page.keyboard.press('Shift+F6');
  await expectSelected(page, 'constant');

  await page.keyboard.press('Control+Enter');
  await expectRun(page, 'completed');
  await expect(node(page, 'noop')).toHaveAccessibleName(/completed/);
  // F6 must also pass the node output that the inspector now shows.
  await goTo(page, 'list_map');
  for (const pane of ['.flow-canvas', '.inspector', '.run-dock']) {
    await page.keyboard.press('F6');
    await expect(page.locator(`${pane} :focus`)).toHaveCount(1);
  }
  await page.keyboard.press('Control+s');
  const file = path.join(workspace, 'daily-page.flow.yaml');
  await expect.poll(() => readFile(file, 'utf8')).toBe(written);
  expect(await readFile(path.join(workspace, 'out/result.txt'), 'utf8')).toBe('Hello Mills turn.');
});

const loopText = `# Kept.
flow: { name: Loops }

nodes:
  # First of all
  - id: list
    type: constant
    input: { value: [1, 2] } # two

  - { id: each, type: control.foreach, input: { items: "{{list.value}}", as: item, body: [show] } }

  # Inside
  - { id: show, type: echo, input: { text: "{{item}}" } }

  # Alone
  - { id: alone, type: echo, input: { text: hi } }

edges:
  - { from: list, to: each }
`;

test('moves nodes in the file, into a loop and out of it, by keyboard alone', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'loops.flow.yaml': loopText });
  const { page } = await program.open(workspace);
  await expect(outline(page)).toBeVisible();
  await page.keyboard.press('Control+Shift+o');
  await expect(outline(page)).toBeFocused();
  await goTo(page, 'alone');
  const saved = async (): Promise<string> => {
    await page.keyboard.press('Control+s');
    return readFile(path.join(workspace, 'loops.flow.yaml'), 'utf8');
  };

  await page.keyboard.press('Alt+ArrowUp');
  const alone = '  # Alone\n  - { id: alone, type: echo, input: { text: hi } }\n\n';
  const without = loopText.replace(`\n${alone.slice(0, -1)}`, '');
  await expect.poll(saved).toBe(without.replace('  - { id: each', `${alone}  - { id: each`));
  await expectSelected(page, 'alone');
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(saved).toBe(loopText);

  await page.keyboard.press('Alt+ArrowRight');
  await expect(page.getByRole('dialog', { name: 'Move alone into the body of…' })).toBeVisible();
  await expectNoSeriousProblem(page, 'the dialog that moves nodes');
  await page.keyboard.type('each');
  await page.keyboard.press('Enter');
  await expectSelected(page, 'alone');
  await expect(node(page, 'alone')).toHaveAccessibleName(/2 of 2 in each/);
  await expect.poll(saved).toBe(loopText.replace('body: [show]', 'body: [show, alone]'));
  await page.keyboard.press('Alt+ArrowUp');
  await expect(node(page, 'alone')).toHaveAccessibleName(/1 of 2 in each/);
  await expect.poll(saved).toContain('body: [alone, show]');
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(saved).toContain('body: [show]');
  await page.keyboard.press('Shift+F10');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: /^Move into loop…/ })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: /^Move out of loop/ })).toBeDisabled();
  await page.keyboard.press('Escape');
});
