/** Tests the context menus of the canvas and that their commands act where the menu was opened. */
import { expect, type Page } from '@playwright/test';
import { cardOf, openCanvas, saved } from './edited-flow.ts';
import { middleOf, onEdge, type Point } from './pointer.ts';
import { test } from './program.ts';
import { inspector } from './window.ts';

const flowText = `flow: { name: Menus }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: b, type: echo, input: { text: two } }
edges:
  - { from: a, to: b }
layout:
  nodes:
    a: { x: 0, y: 0 }
    b: { x: 352, y: 0 }
  groups:
    pair: { title: Pair, nodes: [a, b] }
  notes:
    why: { x: 0, y: 160, width: 200, height: 64, text: Why so }
`;

async function menuAt(page: Page, { x, y }: Point): Promise<readonly string[]> {
  await page.mouse.click(x, y, { button: 'right' });
  const entries = page.getByRole('menu').getByRole('menuitem');
  await expect(entries.first()).toBeVisible();
  return (await entries.allInnerTexts()).map((text) => text.split('\n')[0] ?? '');
}

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('menuitem', { name }).click();
}

/** Returns a point on the empty canvas, to the right of and below all cards. */
async function besideAll(page: Page): Promise<Point> {
  const box = await cardOf(page, 'b').boundingBox();
  if (box === null) throw new Error('The card is not on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height + 160 };
}

test('each part of the canvas has its own menu', { tag: '@thorough' }, async ({ program }) => {
  const { page } = await openCanvas(program, flowText);
  const bare = await menuAt(page, await besideAll(page));
  expect(bare).toEqual(expect.arrayContaining(['Add a node here…', 'Add a note here', 'Paste here', 'Select all']));
  expect(bare).not.toContain('Delete');
  await page.keyboard.press('Escape');

  const edge = await menuAt(page, await onEdge(page, 'a->b'));
  expect(edge).toEqual([
    'Insert a node…',
    'Set a condition',
    'Continue on success, or always',
    'Go to its start',
    'Go to its end',
    'Delete the edge',
  ]);
  await page.keyboard.press('Escape');

  const node = await menuAt(page, await middleOf(cardOf(page, 'b')));
  expect(node).toEqual(expect.arrayContaining(['Open in the inspector', 'Rename', 'Delete']));
  await page.keyboard.press('Escape');

  const group = await menuAt(page, await middleOf(page.locator('[data-node-group="pair"]').getByText('Pair')));
  expect(group).toEqual(expect.arrayContaining(['Rename', 'Ungroup']));
  expect(group).not.toContain('Paste here');
  await page.keyboard.press('Escape');

  expect(await menuAt(page, await middleOf(page.locator('[data-note="why"]')))).toContain('Edit the note');
});

test('the menu of an edge goes to its ends and its condition, and deletes it', async ({ program }) => {
  const canvas = await openCanvas(program, flowText);
  const { page } = canvas;
  await menuAt(page, await onEdge(page, 'a->b'));
  await choose(page, 'Go to its end');
  await expect(inspector(page)).toContainText('echo');
  await expect(cardOf(page, 'b')).toHaveAttribute('aria-pressed', 'true');
  await menuAt(page, await onEdge(page, 'a->b'));
  await choose(page, 'Go to its start');
  await expect(cardOf(page, 'a')).toHaveAttribute('aria-pressed', 'true');
  await menuAt(page, await onEdge(page, 'a->b'));
  await choose(page, 'Set a condition');
  await expect(inspector(page)).toContainText('a → b');
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.inspector') !== null)).toBe(true);
  await menuAt(page, await onEdge(page, 'a->b'));
  await choose(page, 'Delete the edge');
  await saved(canvas, (text) => text === flowText.replace('edges:\n  - { from: a, to: b }\n', 'edges: []\n'));
});

test('nodes pasted or added from the canvas menu appear where it was opened', {
  tag: '@thorough',
}, async ({ program }) => {
  const canvas = await openCanvas(program, flowText);
  const { page } = canvas;
  await cardOf(page, 'a').click();
  await page.keyboard.press('Control+c');
  const place = await besideAll(page);
  await menuAt(page, place);
  await choose(page, 'Paste here');
  const pasted = cardOf(page, 'a_2');
  await expect(pasted).toBeVisible();
  await middleOf(pasted);
  const corner = await pasted.boundingBox();
  expect(Math.hypot((corner?.x ?? 0) - place.x, (corner?.y ?? 0) - place.y)).toBeLessThan(24);
});
