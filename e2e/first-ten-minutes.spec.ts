/** The first ten minutes with the program: the example, a change of it, and a flow of one's own; counted in what a hand does. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from './program.ts';
import { card, expectRun, inspector, openFlow } from './window.ts';

/** Clicks, and texts typed into a field. */
class Hand {
  actions = 0;

  async click(target: Locator): Promise<void> {
    this.actions++;
    await target.click();
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.actions++;
    await field.fill(text);
  }
}

function runButton(page: Page): Locator {
  return page.getByRole('main').getByRole('button', { name: 'Run Ctrl ⏎' }).first();
}

test('by mouse: run, change, run from there, compare; then a flow of five nodes with a model, saved and opened again', async ({
  program,
}) => {
  const { page } = await program.start();
  const hand = new Hand();
  const form = inspector(page);
  const add = async (way: string, type: string): Promise<void> => {
    await hand.click(page.getByRole('button', { name: way }).first());
    await hand.click(page.locator(`.node-palette-row[data-type="${type}"]`).last());
  };

  await test.step('the example runs, is changed, and only what hangs on the change runs again', async () => {
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
      form.getByRole('region', { name: 'Compared with the run before' }).locator('ins').first(),
    ).toBeVisible();
  });
  expect(hand.actions).toBe(6);

  await test.step('a flow of five nodes with a loop, a model and a branch', async () => {
    await hand.click(page.getByRole('button', { name: 'New…' }));
    const dialog = page.getByRole('dialog', { name: 'New' });
    await hand.fill(dialog.getByRole('textbox', { name: 'Name' }), 'Mine');
    await hand.click(dialog.getByRole('button', { name: 'Create' }));
    await add('Add the first node', 'constant');
    await hand.fill(form.getByRole('textbox', { name: 'Value' }), '["plain words", "Any questions?"]');
    await card(page, 'constant').hover();
    await add('Add a node behind constant', 'control.foreach');
    await add('Add a node to the body of foreach', 'prompt');
    await card(page, 'prompt').hover();
    await add('Add a node behind prompt', 'control.switch');
    await card(page, 'switch').hover();
    await add('Add a node behind default of switch', 'echo');
  });
  await test.step('it runs, is saved, and shows the same when it is opened again', async () => {
    await hand.click(runButton(page));
    await expectRun(page, 'completed');
    await page.keyboard.press('Control+S');
    await hand.click(page.getByRole('button', { name: 'Close mine' }));
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
