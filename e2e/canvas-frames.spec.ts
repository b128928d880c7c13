/** Tests editing notes, groups and loop bodies with the mouse. Each test checks the saved file. */
import { expect, type Page } from '@playwright/test';
import { cardOf, move, newLines, openCanvas, saved, savedAndBack } from './edited-flow.ts';
import { drag, middleOf, onEdge, type Point } from './pointer.ts';
import { test } from './program.ts';

const pairText = `# Two, side by side.
flow: { name: Pair }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: b, type: echo, input: { text: two } } # the second
edges:
  - { from: a, to: b }
layout:
  nodes:
    a: { x: 0, y: 0 }
    b: { x: 352, y: 0 }
`;

const loopText = `# Each of three.
flow: { name: Loop }
nodes:
  - id: each
    type: control.foreach
    input: { items: [1, 2, 3], as: row, body: [say, tell] } # in order
  - { id: say, type: echo, input: { text: "{{row}}" } }
  - { id: tell, type: echo, input: { text: "{{say.text}}" } }
  - { id: free, type: echo, input: { text: none } }
edges:
  - { from: say, to: tell }
layout:
  nodes:
    each: { x: 0, y: 0 }
    say: { x: 0, y: 160 }
    tell: { x: 352, y: 160 }
    free: { x: 0, y: 420 }
`;

async function dragBy(page: Page, selector: string, by: Point): Promise<void> {
  const from = await middleOf(page.locator(selector));
  await drag(page, [from, { x: from.x + by.x, y: from.y + by.y }]);
}

test('creates, moves, resizes and edits a note', async ({ program }) => {
  const canvas = await openCanvas(program, pairText);
  const { page } = canvas;
  const { x, y } = await middleOf(cardOf(page, 'a'));
  await page.mouse.move(x, y + 220);
  await page.keyboard.press('Shift+S');
  await expect(page.locator('.note-field')).toBeFocused();
  await page.keyboard.type('Ask **Ada**');
  await page.keyboard.press('Escape');
  await expect(page.locator('.note-card strong')).toHaveText('Ada');
  const written = await saved(canvas, (text) => text.includes('Ask **Ada**'));
  expect(written.startsWith(pairText)).toBe(true);
  // One undo step for the note and one for its text.
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await saved(canvas, (text) => text === pairText);
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Control+Shift+z');
  await saved(canvas, (text) => text === written);

  await page.locator('.note-text').hover();
  await dragBy(page, '.note-card', { x: 64, y: 32 });
  const moved = await savedAndBack(canvas, written);
  expect(newLines(written, moved)).toHaveLength(1);
  await page.locator('.note-card').click();
  await dragBy(page, '.note-corner', { x: 48, y: 40 });
  const resized = await savedAndBack(canvas, moved);
  expect(newLines(moved, resized)).toHaveLength(1);
  expect(/width: (\d+), height: (\d+)/.exec(resized)?.slice(1).map(Number)).not.toEqual([240, 144]);

  await page.locator('.note-card').dblclick();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Ask nobody');
  await page.locator('.react-flow__pane').click({ position: { x: 20, y: 20 } });
  await expect(page.locator('.note-field')).toHaveCount(0);
  const rewritten = await savedAndBack(canvas, resized);
  expect(newLines(resized, rewritten)).toEqual([expect.stringContaining('Ask nobody')]);
  await page.locator('.note-card').click();
  await page.keyboard.press('Delete');
  await expect(page.locator('.note-card')).toHaveCount(0);
  await savedAndBack(canvas, rewritten);
});

test('names a group, drags it with its cards, and collapses it for the current user only', {
  tag: '@thorough',
}, async ({ program }) => {
  const canvas = await openCanvas(program, pairText);
  const { page } = canvas;
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+g');
  await expect(page.getByRole('textbox', { name: 'Name of the group' })).toBeFocused();
  await page.keyboard.type('Both');
  await page.keyboard.press('Enter');
  const frame = page.getByRole('region', { name: 'Group Both' });
  await expect(frame).toBeVisible();
  const grouped = await saved(canvas, (text) => text.includes('title: Both'));
  expect(grouped.startsWith(pairText)).toBe(true);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await saved(canvas, (text) => text === pairText);
  await page.keyboard.press('Control+Shift+z');
  await page.keyboard.press('Control+Shift+z');
  await saved(canvas, (text) => text === grouped);

  await dragBy(page, '.group-title', { x: 48, y: 64 });
  const moved = await savedAndBack(canvas, grouped);
  expect(newLines(grouped, moved)).toEqual([
    expect.stringMatching(/^ {4}a: \{ x/),
    expect.stringMatching(/^ {4}b: \{ x/),
  ]);

  await page.getByRole('button', { name: 'Collapse Both' }).click();
  await expect(cardOf(page, 'a')).toHaveCount(0);
  await dragBy(page, '.group-name', { x: 32, y: 48 });
  const folded = await savedAndBack(canvas, moved);
  expect(newLines(moved, folded)).toHaveLength(2);
  await page.getByRole('button', { name: 'Expand Both' }).click();
  await expect(cardOf(page, 'b')).toBeVisible();
  await page.keyboard.press('Control+Shift+g');
  await expect(frame).toHaveCount(0);
  expect(newLines(pairText, await savedAndBack(canvas, folded))).toHaveLength(2);
});

test('a node added inside a loop joins its body', { tag: '@thorough' }, async ({ program }) => {
  const canvas = await openCanvas(program, loopText);
  const { page } = canvas;
  const { x, y } = await onEdge(page, 'say->tell');
  await page.mouse.move(x - 10, y + 40);
  await page.mouse.move(x, y, { steps: 3 });
  await page.getByRole('button', { name: 'Insert a node into the edge' }).click();
  await page.keyboard.type('noop');
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'noop')).toBeVisible();
  const into = await savedAndBack(canvas, loopText);
  expect(into).toContain('body: [say, tell, noop] } # in order');
  await page.keyboard.press('Control+z');
  await saved(canvas, (text) => text === loopText);

  await cardOf(page, 'tell').click();
  await page.keyboard.press('n');
  await expect(page.getByRole('dialog', { name: 'Add a node after tell' })).toBeVisible();
  await page.keyboard.type('noop');
  await page.keyboard.press('Enter');
  await expect(page.locator('.react-flow__edge[data-id="tell->noop"]')).toBeAttached();
  expect(await savedAndBack(canvas, loopText)).toContain('body: [say, tell, noop] } # in order');
});

test('a card dragged across the border of a loop changes sides, unless an edge prevents it', {
  tag: '@thorough',
}, async ({ program }) => {
  const canvas = await openCanvas(program, loopText);
  const { page } = canvas;
  const free = await middleOf(cardOf(page, 'free'));
  const each = await middleOf(cardOf(page, 'each'));
  const tell = await middleOf(cardOf(page, 'tell'));
  await drag(page, [free, { x: tell.x, y: each.y }], () =>
    expect(page.locator('.loop-frame[data-drop="true"]')).toBeVisible(),
  );
  const joined = await savedAndBack(canvas, loopText);
  expect(newLines(loopText, joined)).toEqual([
    expect.stringContaining('body: [say, tell, free] } # in order'),
    expect.stringMatching(/^ {4}free: /),
  ]);
  await drag(page, [await middleOf(cardOf(page, 'free')), free]);
  const left = await savedAndBack(canvas, joined);
  expect(newLines(loopText, left).filter((line) => !line.includes('free:'))).toEqual([]);

  await move(page, 'say', { x: 0, y: 230 });
  await expect(page.getByText("Couldn't move say out of each", { exact: true })).toBeVisible();
  await expect.poll(async () => (await cardOf(page, 'say').boundingBox())?.y).toBeLessThan(free.y - 100);
  await saved(canvas, (text) => text === left);
});
