/**
 * Tests the first ten minutes with the program: an example, a change to it, and a new flow. Counts the user's actions.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { Hand, openPalette } from './hand.ts';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow } from './window.ts';

function runButton(page: Page): Locator {
  return page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first();
}

test('by mouse: run, change, run from here, compare; then build, save and reopen a flow of five nodes with a model', async ({
  program,
}) => {
  const { page } = await program.start();
  const hand = new Hand(page);
  const form = inspector(page);
  const add = async (way: string, type: string, node?: string): Promise<void> => {
    await openPalette(page, way, node);
    hand.actions++;
    await hand.click(page.locator(`.node-palette-row[data-type="${type}"]`).last());
  };

  await openFlow(page, 'feedback');
  await test.step('run an example, change it, and rerun only what depends on the change', async () => {
    await hand.click(runButton(page));
    await expectRun(page, 'completed');
    const outline = page.getByRole('tree', { name: 'Outline of the flow' });
    await hand.click(outline.getByRole('treeitem', { name: /^Page ,/ }));
    await hand.click(form.getByRole('tab', { name: 'Configure' }));
    await hand.fill(form.getByRole('textbox', { name: 'Template' }), '# All answers');
    await expect(card(page, 'Page')).toHaveAccessibleName(/stale/);
    await hand.click(form.getByRole('button', { name: /^Run again from here/ }));
    await expect(card(page, 'Messages')).toHaveAccessibleName(/reused/);
    await hand.click(form.getByRole('tab', { name: 'Output' }));
    await expect(
      form.getByRole('region', { name: 'Compared with the previous run' }).locator('ins').first(),
    ).toBeVisible();
  });
  expect(hand.actions).toBe(6);

  await test.step('build a flow of five nodes with a loop, a model and a branch', async () => {
    await hand.click(page.getByRole('button', { name: 'New…' }));
    const dialog = page.getByRole('dialog', { name: 'New' });
    await hand.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Mine');
    await hand.click(dialog.getByRole('button', { name: 'Create' }));
    await add('Add the first node', 'constant');
    // The node is approximately centered, because cards snap to the grid.
    const [node, canvas] = await Promise.all([
      card(page, 'constant').boundingBox(),
      page.locator('.react-flow').first().boundingBox(),
    ]);
    const middle = (box: typeof node): number => (box === null ? Number.NaN : box.x + box.width / 2);
    expect(Math.abs(middle(node) - middle(canvas))).toBeLessThan(60);
    await hand.fill(form.getByRole('textbox', { name: 'Value' }), '["plain words", "Any questions?"]');
    await add('Add a node after constant', 'control.foreach', 'constant');
    await add('Add a node to the body of foreach', 'prompt');
    await add('Add a node after prompt', 'control.switch', 'prompt');
    await add('Add a node after default of switch', 'echo', 'switch');
  });
  await test.step('run and save the flow, and see the same after reopening it', async () => {
    await hand.click(runButton(page));
    await expectRun(page, 'completed');
    await page.keyboard.press('Control+S');
    const close = page.getByRole('button', { name: 'Close mine' });
    await hand.click(close);
    // Closing waits for the pending save.
    await expect(close).toBeHidden();
    await openFlow(page, 'mine');
    await expect(card(page, 'echo')).toBeVisible();
  });
  expect(hand.actions).toBe(22);
  const text = await readFile(path.join(program.folders.scratch, 'examples', 'mine.flow.yaml'), 'utf8');
  expect(text.match(/^ {4}type: .*$/gm)?.map((line) => line.trim().slice('type: '.length))).toEqual([
    'constant',
    'control.foreach',
    'prompt',
    'control.switch',
    'echo',
  ]);
  expect(text).toContain('items: "{{constant.value}}"\n      body: [prompt, switch, echo]');
  expect(text).toContain('      model: scripted::scripted-model.yaml\n');
});

test('by keyboard: the same', { tag: '@thorough' }, async ({ program }) => {
  const { page } = await program.start();
  const form = inspector(page);
  const outline = page.getByRole('tree', { name: 'Outline of the flow' });
  let actions = 0;
  const press = async (key: string): Promise<void> => {
    actions++;
    await page.keyboard.press(key);
  };
  const type = async (text: string): Promise<void> => {
    actions++;
    await page.keyboard.type(text);
  };
  const goTo = async (target: Locator, key: string): Promise<void> => {
    // The key would reach another element while the panel is still opening.
    await expect(target).toBeVisible();
    const isThere = (): Promise<boolean> => target.evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 40 && !(await isThere()); presses++) await press(key);
    await expect(target).toBeFocused();
  };
  const add = async (name: string, id: string): Promise<void> => {
    await press('n');
    await expect(page.getByRole('dialog')).toBeVisible();
    await type(name);
    await press('Enter');
    await expect(outline.getByRole('treeitem', { name: new RegExp(`^${id} ?,`) })).toHaveAttribute(
      'aria-selected',
      'true',
    );
  };
  await openFlow(page, 'feedback');
  await expect(card(page, 'Messages')).toBeVisible();
  await press('Control+Enter');
  await expectRun(page, 'completed');
  await press('Control+Shift+o');
  await expect.poll(() => outline.evaluate((tree) => tree.contains(document.activeElement))).toBe(true);
  await press('End');
  await press('ArrowUp');
  await press('Enter');
  await goTo(form.getByRole('textbox', { name: 'Template' }), 'Tab');
  await press('Control+a');
  await type('# All answers');
  await expect(card(page, 'Page')).toHaveAccessibleName(/stale/);
  await press('Control+Shift+Enter');
  await expect(card(page, 'Messages')).toHaveAccessibleName(/reused/);
  const configure = form.getByRole('tab', { name: 'Configure' });
  await goTo(configure, 'Shift+Tab');
  await press('ArrowRight');
  // The next arrow key starts from the tab that has the focus then.
  await expect(configure).not.toBeFocused();
  await press('ArrowRight');
  await expect(
    form.getByRole('region', { name: 'Compared with the previous run' }).locator('ins').first(),
  ).toBeVisible();
  const ofExample = actions;
  await press('Control+n');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
  await type('Mine');
  await press('Enter');
  await expect(page.getByRole('main', { name: 'mine.flow.yaml' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // A key would reach the previous flow while it is still shown.
  await expect(page.getByRole('heading', { name: 'This flow has no nodes yet' })).toBeVisible();
  await expect(outline.getByRole('treeitem')).toHaveCount(0);
  await press('Control+Shift+o');
  await expect(outline).toBeFocused();
  await add('constant', 'constant');
  await press('Enter');
  // Keys would act on the outline while the form is still opening.
  await expect(form.getByRole('textbox', { name: 'Value' })).toBeFocused();
  await press('Control+a');
  await type('["plain words", "Any questions?"]');
  await press('Control+Shift+o');
  await add('foreach', 'foreach');
  await add('prompt', 'prompt');
  await add('switch', 'switch');
  await add('echo', 'echo');
  await press('Control+Enter');
  await expectRun(page, 'completed');
  await press('Control+s');
  const file = path.join(program.folders.scratch, 'examples', 'mine.flow.yaml');
  await expect.poll(() => readFile(file, 'utf8')).toContain('body: [prompt, switch, echo]');
  expect({ ofExample, actions }).toEqual({ ofExample: 26, actions: 51 });
});
