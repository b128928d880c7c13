/** Tests a node's form by keyboard, the text it writes, and its accessibility. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoneInBothThemes } from './axe.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow } from './window.ts';

const text = `# Made by hand.
flow:
  name: Forms
  input: { topic: bees } # default

nodes:
  - id: read
    type: file.read
    input: { globs: [notes/*.md] } # all of them

  - id: ask # who answers
    type: prompt
    input:
      prompt: 'About bees'
    config: { temperature: 0.3 }

  - id: each
    type: control.foreach
    input: { items: "{{read.files}}", body: [sort] }
  - id: sort
    type: control.switch
    input:
      value: "{{item}}"
      cases:
        - { when: { equals: { var: value.path, value: a } }, route: first }

edges:
  - { from: read, to: ask }
  - { from: read, to: each }
`;

/** What a person would have written for the edits of the test. */
const edited = text
  .replace('globs: [notes/*.md]', 'globs: [notes/*.md, more/*.md]')
  .replace("prompt: 'About bees'", "prompt: 'About {{read.text}}'")
  .replace('{ temperature: 0.3 }', '{ temperature: 0.7 }');

function outline(page: Page): Locator {
  return page.getByRole('tree', { name: 'Outline of the flow' });
}

/** Selects a node in the outline with the arrow keys alone and moves into its form. */
async function select(page: Page, id: string): Promise<void> {
  await outline(page).focus();
  await page.keyboard.press('Home');
  const row = outline(page).getByRole('treeitem', { name: new RegExp(`^${id} ?,`) });
  for (let presses = 0; presses < 20 && (await row.getAttribute('aria-selected')) !== 'true'; presses++)
    await page.keyboard.press('ArrowDown');
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(inspector(page).getByRole('tab', { name: 'Configure' })).toBeVisible();
}

/**
 * Presses Tab or Shift+Tab until the target has the focus. Enter moves to the first field of the form; the controls
 * above it are reached with Shift+Tab.
 */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const isThere = (): Promise<boolean> => target.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let presses = 0; presses < 60 && !(await isThere()); presses++) await page.keyboard.press(key);
  await expect(target).toBeFocused();
}

test('edits nodes by keyboard as a person would write them, and undoes all of it', async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'forms.flow.yaml': text });
  const file = path.join(workspace, 'forms.flow.yaml');
  const { page } = await program.open(workspace);
  await openFlow(page, 'forms');
  const form = inspector(page);
  const save = async (expected: string): Promise<void> => {
    await page.keyboard.press('Control+S');
    await expect.poll(() => readFile(file, 'utf8')).toBe(expected);
  };

  await test.step('edit a text with a binding', async () => {
    await select(page, 'ask');
    await tabTo(page, form.getByLabel('Prompt', { exact: true }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('About {{read.');
    const options = form.getByRole('listbox', { name: 'Values to bind to' }).getByRole('option');
    await expect(options.first()).toBeVisible();
    const place = (await options.allTextContents()).findIndex((words) => words.startsWith('read.text'));
    for (let presses = 0; presses < place; presses++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(form.getByLabel('Prompt', { exact: true })).toHaveValue('About {{read.text}}');
  });
  await test.step('edit a number', async () => {
    await tabTo(page, form.getByRole('button', { name: 'Advanced' }));
    await page.keyboard.press('Enter');
    await tabTo(page, form.getByRole('textbox', { name: 'Temperature' }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0.7');
    await page.keyboard.press('Enter');
  });
  await test.step('edit a list item', async () => {
    await select(page, 'read');
    await tabTo(page, form.getByRole('button', { name: 'Add to globs' }));
    await page.keyboard.press('Enter');
    await expect(form.getByLabel('Glob 2')).toBeFocused();
    await page.keyboard.type('more/*.md');
    await page.keyboard.press('Enter');
  });
  await save(edited);

  const switched = edited.replace(
    '    config: { temperature: 0.7 }\n',
    '    config: { temperature: 0.7 }\n    disabled: true\n',
  );
  await test.step('edit a switch', async () => {
    await select(page, 'ask');
    await tabTo(page, form.getByRole('switch', { name: 'Enabled' }), 'Shift+Tab');
    await page.keyboard.press('Space');
    await save(switched);
    await page.keyboard.press('Space');
    await save(edited);
  });
  await test.step('edit a condition', async () => {
    await tabTo(page, form.getByRole('button', { name: 'Condition' }));
    await page.keyboard.press('Enter');
    await tabTo(page, form.getByRole('combobox', { name: 'Path' }));
    await page.keyboard.type('flow.input.topic');
    await tabTo(page, form.getByRole('textbox', { name: 'Value', exact: true }));
    await page.keyboard.type('bees');
    await page.keyboard.press('Enter');
    await save(
      edited.replace(
        '    config: { temperature: 0.7 }\n',
        '    config: { temperature: 0.7 }\n    when: { equals: { var: flow.input.topic, value: bees } }\n',
      ),
    );
  });
  await test.step('undo all edits', async () => {
    await outline(page).focus();
    // More often than there were edits: undo stops at the original text.
    for (let presses = 0; presses < 20; presses++) await page.keyboard.press('Control+Z');
    await save(text);
  });
});

test('sets a model and a new map entry by keyboard alone, and writes only what was chosen', async ({ program }) => {
  const workspace = await program.makeWorkspace({
    'keys.flow.yaml':
      'flow: { name: Keys }\nnodes:\n  - { id: ask, type: prompt, input: { prompt: hi } }\n  - { id: page, type: template, input: {}, config: { template: x } }\nedges: []\n',
    'talk.yaml': 'replies: []\n',
  });
  const { page } = await program.open(workspace);
  await openFlow(page, 'keys');
  const form = inspector(page);
  await card(page, 'ask').click();
  const model = form.getByRole('combobox', { name: 'Model', exact: true });
  await model.focus();
  await page.keyboard.type('quil');
  await expect(page.getByRole('option', { name: /^Use “quil” anyway/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(model).toBeFocused();
  await page.keyboard.type('talk');
  await expect(page.getByRole('option', { name: /scripted::talk.yaml/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(model).toBeFocused();
  await expect(model).toContainText('scripted::talk.yaml');
  await card(page, 'page').click();
  await form.getByRole('button', { name: 'Add to values' }).press('Enter');
  await page.keyboard.type('who');
  await page.keyboard.press('Enter');
  const value = form.getByRole('textbox', { name: 'who', exact: true });
  await expect(value).toBeFocused();
  await expect(value).toHaveValue('');
  await page.keyboard.type('Ada');
  await page.keyboard.press('Control+s');
  const saved = (): Promise<string> => readFile(path.join(workspace, 'keys.flow.yaml'), 'utf8');
  await expect.poll(saved).toContain('who: Ada');
  const text = await saved();
  expect(text).toContain('scripted::talk.yaml');
  expect(text).not.toContain('quil');
});

test('the forms have no serious accessibility problems', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'forms.flow.yaml': text });
  const { page } = await program.open(workspace);
  await openFlow(page, 'forms');
  for (const id of ['ask', 'sort', 'each']) {
    await card(page, id).click();
    await expect(inspector(page).getByRole('switch', { name: 'Enabled' })).toBeVisible();
    await expectNoneInBothThemes(page, id, '[aria-label="Inspector"]');
  }
  await card(page, 'ask').click();
  await inspector(page).getByRole('combobox', { name: 'Model' }).click();
  await expect(page.getByRole('listbox', { name: 'Models' })).toBeVisible();
  await expectNoneInBothThemes(page, 'a list of suggestions', '[aria-label="Inspector"]');
});

test('a suggestion list near the lower edge opens upwards and is fully visible', { tag: '@thorough' }, async ({
  program,
}) => {
  const workspace = await program.makeWorkspace({ 'forms.flow.yaml': text });
  const { app, page } = await program.open(workspace);
  await openFlow(page, 'forms');
  await card(page, 'ask').click();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1024, 560));
  const form = inspector(page);
  await form.getByRole('button', { name: 'Condition' }).click();
  const field = form.getByRole('combobox', { name: 'Path' });
  await field.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  await field.click();
  const list = page.getByRole('listbox', { name: 'Values to compare' });
  await expect(list).toBeVisible();
  const [listBox, fieldBox, height] = [
    await list.boundingBox(),
    await field.boundingBox(),
    await page.evaluate('innerHeight'),
  ];
  expect(listBox!.y).toBeGreaterThanOrEqual(0);
  expect(listBox!.y + listBox!.height).toBeLessThanOrEqual(Number(height));
  const isApart = listBox!.y + listBox!.height <= fieldBox!.y || listBox!.y >= fieldBox!.y + fieldBox!.height;
  expect(isApart).toBe(true);
});

test('code can be typed at any speed, is completed, shows its errors, and runs', async ({ program }) => {
  const code = `flow: { name: Code }
nodes:
  - id: words
    type: script.js
    input: { lines: [one, two three] }
    config:
      code: |
        return 1;
edges: []
`;
  const workspace = await program.makeWorkspace({ 'code.flow.yaml': code });
  const { page } = await program.open(workspace);
  await openFlow(page, 'code');
  await card(page, 'words').click();
  const form = inspector(page);
  const firstLine = form.locator('.monaco-editor .view-line').first();
  await expect(firstLine).toHaveText('return 1;');
  await firstLine.click();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.type('const all = input.');
  await expect(page.locator('.suggest-widget').getByRole('option', { name: /^lines/ })).toBeVisible();
  await expect(form.getByText(/JavaScript syntax error/)).toBeVisible();
  await page.keyboard.press('Enter');
  await page.keyboard.type(".join(' ').split(' '); return all.length;");
  await expect(form.getByText(/JavaScript syntax error/)).toHaveCount(0);
  await page.keyboard.press('Control+Enter');
  await expectRun(page, 'completed');
  await page.keyboard.press('Control+s');
  const written = code.replace('return 1;', "const all = input.lines.join(' ').split(' '); return all.length;");
  await expect.poll(() => readFile(path.join(workspace, 'code.flow.yaml'), 'utf8')).toBe(written);
  await form.getByRole('tab', { name: 'Output' }).click();
  await expect(form.getByRole('tabpanel', { name: 'Output' })).toContainText('3');
});
