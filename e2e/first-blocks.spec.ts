/**
 * Tests the most used nodes besides models and files: a line of code, another flow, a program, a branch, a loop, and an
 * agent as a node type. Each flow is built and run by mouse and by keyboard.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { openPalette } from './hand.ts';
import { middleOf } from './pointer.ts';
import { type Program, test } from './program.ts';
import { card, expectRun, inspector, openFlow, run } from './window.ts';

const files = {
  'mine.flow.yaml': 'flow: { name: Mine }\nnodes: []\nedges: []\n',
  'greet.flow.yaml': `flow:
  name: Greet
  input: { who: nobody }
  outputs: { text: "{{hello.text}}" }
nodes:
  - { id: hello, type: template, input: { who: "{{flow.input.who}}" }, config: { template: "Hello {{who}}" } }
edges: []
`,
  'count.aip':
    '# Options\n\n```toml\n[node]\ntitle = "Letters"\n\n[node.input]\nrequired = ["text"]\nproperties.text = { type = "string" }\n```\n\n# Output\n\n```lua\nreturn { letters = #input.text }\n```\n',
};

/** Expects the final files, which are the same for mouse and keyboard. */
async function expectBuilt(workspace: string): Promise<void> {
  const text = () => readFile(path.join(workspace, 'mine.flow.yaml'), 'utf8');
  await expect.poll(text).toContain('type: ./count.aip');
  const types = (await text()).match(/^ {4}type: .*$/gm)?.map((line) => line.trim().slice('type: '.length));
  expect(types?.sort()).toEqual([
    './count.aip',
    'command.run',
    'control.if',
    'control.loop',
    'echo',
    'flow',
    'script.js',
  ]);
}

async function start(program: Program): Promise<{ page: Page; workspace: string }> {
  const workspace = await program.makeTrustedWorkspace(files);
  const { page } = await program.start(['--workspace', workspace]);
  await openFlow(page, 'mine');
  return { page, workspace };
}

function fieldOf(page: Page, name: string): Locator {
  const [text, choice] = (['textbox', 'combobox'] as const).map((role) =>
    inspector(page).getByRole(role, { name, exact: true }),
  );
  return text!.or(choice!).first();
}

test('by mouse', { tag: '@thorough' }, async ({ program }) => {
  const { page, workspace } = await start(program);
  const form = inspector(page);
  const add = async ([way, node]: readonly [string, string?], words: string, type: string): Promise<void> => {
    await openPalette(page, way, node);
    await page.getByRole('combobox', { name: 'Search node types' }).fill(words);
    await page.locator(`.node-palette-row[data-type="${type}"]`).last().click();
  };
  const behind = (id: string, words: string, type: string): Promise<void> =>
    add([`Add a node after ${id}`, id], words, type);
  const fill = async (name: string, text: string): Promise<void> => {
    const field = fieldOf(page, name);
    await field.fill(text);
    await field.press('Tab');
  };
  await add(['Add the first node'], 'function', 'script.js');
  await form.locator('.monaco-editor .view-lines').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type("return { text: input.value + ' ' + [1, 2].length };");
  await behind('script_js', 'sub-workflow', 'flow');
  await fill('Flow', 'greet.flow.yaml');
  await fill('Who', '{{script_js.text}}');
  await behind('call', 'execute command', 'command.run');
  await fill('Program', 'echo');
  await fill('Arg 1', '{{call.outputs.text}} & more');
  await behind('command_run', 'if', 'control.if');
  await add(['Add a node after true of if', 'if'], 'repeat', 'control.loop');
  await add(['Add a node to the body of repeat'], 'echo', 'echo');
  await behind('repeat', 'letters', './count.aip');
  await page.keyboard.press('Control+s');
  await expectBuilt(workspace);
  await extractTwo(page);
  await run(page);
  await expectRun(page, 'completed');
  await lookIntoCall(page);
});

/** Extracts the call and the program into a new flow by mouse. */
async function extractTwo(page: Page): Promise<void> {
  await page.getByRole('toolbar', { name: 'Canvas' }).getByRole('button', { name: 'Fit the flow in view' }).click();
  await middleOf(card(page, 'call'));
  await card(page, 'call').click();
  await card(page, 'command_run').click({ modifiers: ['Shift'] });
  await card(page, 'command_run').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Extract to a flow…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Extract 2 nodes to a flow' });
  await expect(dialog).toContainText('script_js_text');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Greet loudly');
  await dialog.getByRole('button', { name: 'Extract' }).click();
  await expect(card(page, 'Greet loudly')).toBeVisible();
  await expect(card(page, 'command_run')).toHaveCount(0);
}

/** Goes from the card into the child run and the run below it, and back by click and by key. */
async function lookIntoCall(page: Page): Promise<void> {
  const active = (name: string) => expect(page.getByRole('main', { name: `${name}.flow.yaml` })).toBeVisible();
  await middleOf(card(page, 'Greet loudly'));
  await card(page, 'Greet loudly').dblclick();
  await active('greet-loudly');
  await expectRun(page, 'completed');
  await card(page, 'call').click();
  await page.keyboard.press('Control+ArrowDown');
  await active('greet');
  const way = page.getByRole('navigation', { name: 'Called by' });
  await expect(way).toHaveText('minegreet-loudlygreet');
  await page.keyboard.press('Control+ArrowUp');
  await active('greet-loudly');
  await way.getByRole('button', { name: 'mine' }).click();
  await active('mine');
}

test('by keyboard', { tag: '@thorough' }, async ({ program }) => {
  const { page, workspace } = await start(program);
  const form = inspector(page);
  const outline = page.getByRole('tree', { name: 'Outline of the flow' });
  const node = (id: string): Locator => outline.getByRole('treeitem', { name: new RegExp(`^${id} ?,`) });
  const add = async (words: string, id: string): Promise<void> => {
    await page.keyboard.press('n');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await expect(node(id)).toHaveAttribute('aria-selected', 'true');
  };
  const fill = async (name: string, text: string): Promise<void> => {
    await page.keyboard.press('Enter');
    await expect(form.getByRole('tab', { name: 'Configure' })).toBeVisible();
    const field = fieldOf(page, name);
    const isThere = (): Promise<boolean> => field.evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 40 && !(await isThere()); presses++) await page.keyboard.press('Tab');
    await expect(field).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
    await page.keyboard.press('Control+Shift+o');
    await expect(outline).toBeFocused();
  };
  await page.keyboard.press('Control+Shift+o');
  await expect(outline).toBeFocused();
  await add('function', 'script_js');
  await fill('Code', "return { text: input.value + ' ' + [1, 2].length };");
  await add('sub-workflow', 'call');
  await fill('Flow', 'greet.flow.yaml');
  await fill('Who', '{{script_js.text}}');
  await add('execute command', 'command_run');
  await fill('Program', 'echo');
  await fill('Arg 1', '{{call.outputs.text}} & more');
  await add('if', 'if');
  await add('repeat', 'repeat');
  await add('echo', 'echo');
  await page.keyboard.press('ArrowUp');
  await expect(node('repeat')).toHaveAttribute('aria-selected', 'true');
  await add('letters', 'count');
  await page.keyboard.press('Control+s');
  await expectBuilt(workspace);
  await page.keyboard.press('Control+Enter');
  await expectRun(page, 'completed');
});
