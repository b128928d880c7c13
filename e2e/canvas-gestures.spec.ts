/** Tests gestures on the canvas. Each test checks the saved file. */
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { cardOf, move, newLines, openCanvas, saved, savedAndBack } from './edited-flow.ts';
import { drag, middleOf, onEdge, type Point } from './pointer.ts';
import { test } from './program.ts';
import { openFlow } from './window.ts';

const flowText = `# Kept as it is.
flow: { name: Gestures }

nodes:
  - { id: a, type: echo, input: { text: one } } # the first
  - { id: b, type: echo, input: { text: "{{a.text}}" } }
  - { id: c, type: echo, input: { text: three } }
  - { id: d, type: echo, input: { text: four } }

edges:
  - { from: a, to: b } # stays
  - { from: c, to: d }
`;
const placedText = `${flowText}
layout:
  nodes:
    a: { x: 0, y: 0 }
    b: { x: 352, y: 0 }
    c: { x: 0, y: 192 }
    d: { x: 352, y: 192 }
`;

function placeOf(text: string, id: string): Point {
  const [, x, y] = new RegExp(`^ {4}${id}: \\{ x: (-?\\d+), y: (-?\\d+)`, 'm').exec(text) ?? [];
  return { x: Number(x), y: Number(y) };
}

/** Drags a box from above the first card to below the last. */
async function boxAround(page: Page, first: string, last: string): Promise<void> {
  const [from, to] = [await cardOf(page, first).boundingBox(), await cardOf(page, last).boundingBox()];
  if (from === null || to === null) throw new Error('A card is not on the page');
  await drag(page, [
    { x: from.x - 12, y: from.y - 12 },
    { x: to.x + to.width + 12, y: to.y + to.height + 12 },
  ]);
}

async function grabEnd(page: Page, edge: string, end: 'source' | 'target'): Promise<Point> {
  const { x, y } = await onEdge(page, edge);
  await page.mouse.move(x - 20, y - 60);
  await page.mouse.move(x, y, { steps: 3 });
  return middleOf(page.locator(`.edge-end[data-edge="${edge}"][data-wire-end="${end}"]`));
}

test('the first drag writes all positions in one step, the second one line', async ({ program }) => {
  const canvas = await openCanvas(program, flowText);
  await move(canvas.page, 'b', { x: 40, y: -90 });
  const first = await savedAndBack(canvas, flowText);
  expect(first.startsWith(flowText)).toBe(true);
  expect(first.match(/^ {4}\w+: \{ x: -?\d+, y: -?\d+ \}$/gm)).toHaveLength(4);
  await move(canvas.page, 'b', { x: -60, y: 30 });
  const second = await savedAndBack(canvas, first);
  expect(newLines(first, second)).toEqual([expect.stringMatching(/^ {4}b: \{ x: -?\d+, y: -?\d+ \}$/)]);
});

test('Escape cancels a drag and keeps the selection', { tag: '@thorough' }, async ({ program }) => {
  const canvas = await openCanvas(program, placedText);
  const { page } = canvas;
  await cardOf(page, 'a').click();
  const before = await middleOf(cardOf(page, 'a'));
  await drag(page, [before, { x: before.x + 30, y: before.y + 90 }], async () => {
    await expect.poll(async () => (await cardOf(page, 'a').boundingBox())?.y).toBeGreaterThan(before.y);
    await page.keyboard.press('Escape');
  });
  expect(await middleOf(cardOf(page, 'a'))).toEqual(before);
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(1);
  await saved(canvas, (text) => text === placedText);
  await move(page, 'a', { x: 30, y: 90 });
  expect(newLines(placedText, await savedAndBack(canvas, placedText))).toHaveLength(1);
});

test('selected cards move together, and with Alt a copy of them moves', async ({ program }) => {
  const canvas = await openCanvas(program, placedText);
  const { page } = canvas;
  await cardOf(page, 'a').click();
  await cardOf(page, 'b').click({ modifiers: ['Shift'] });
  await cardOf(page, 'd').click({ modifiers: ['Shift'] });
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(3);
  await move(page, 'b', { x: 24, y: -40 });
  const moved = await savedAndBack(canvas, placedText);
  expect(newLines(placedText, moved)).toHaveLength(3);
  const by = placeOf(moved, 'a');
  expect(by).not.toEqual({ x: 0, y: 0 });
  expect(placeOf(moved, 'd')).toEqual({ x: 352 + by.x, y: 192 + by.y });

  await page.keyboard.press('Escape');
  await page.keyboard.down('Alt');
  await move(page, 'd', { x: -40, y: 110 });
  await page.keyboard.up('Alt');
  await expect(cardOf(page, 'd_2')).toBeVisible();
  const copied = await savedAndBack(canvas, moved);
  expect(newLines(moved, copied)).toEqual([
    expect.stringContaining('id: d_2, type: echo, input: { text: four }'),
    expect.stringMatching(/^ {4}d_2: /),
  ]);
  expect(placeOf(copied, 'd_2').y).toBeGreaterThan(placeOf(copied, 'd').y);
});

test('Alt-dragging puts a copy where it is dropped, even in a flow with automatic layout', {
  tag: '@thorough',
}, async ({ program }) => {
  const canvas = await openCanvas(program, flowText);
  const { x, y } = await middleOf(cardOf(canvas.page, 'd'));
  await canvas.page.keyboard.down('Alt');
  await move(canvas.page, 'd', { x: -50, y: 130 });
  await canvas.page.keyboard.up('Alt');
  const copy = await middleOf(cardOf(canvas.page, 'd_2'));
  expect(Math.abs(copy.x - x + 50)).toBeLessThan(16);
  expect(Math.abs(copy.y - y - 130)).toBeLessThan(16);
  await savedAndBack(canvas, flowText);
});

test('both ends of an edge can be moved, and Escape cancels it', async ({ program }) => {
  const canvas = await openCanvas(program, placedText);
  const { page } = canvas;
  await drag(page, [await grabEnd(page, 'a->b', 'target'), await middleOf(cardOf(page, 'd'))]);
  const first = await savedAndBack(canvas, placedText);
  expect(newLines(placedText, first)).toEqual(['  - { from: a, to: d } # stays']);
  await page.keyboard.press('Control+z');
  await saved(canvas, (text) => text === placedText);
  await drag(page, [await grabEnd(page, 'a->b', 'source'), await middleOf(cardOf(page, 'c'))]);
  await expect(page.locator('.react-flow__edge[data-id="c->b"]')).toBeAttached();
  const second = await savedAndBack(canvas, placedText);
  expect(newLines(placedText, second)).toEqual(['  - { from: c, to: b } # stays']);
  await page.keyboard.press('Control+z');
  await saved(canvas, (text) => text === placedText);
  await drag(page, [await grabEnd(page, 'a->b', 'source'), await middleOf(cardOf(page, 'c'))], async () => {
    await expect(page.locator('.wire')).toBeAttached();
    await page.keyboard.press('Escape');
  });
  await expect(page.locator('.wire')).toHaveCount(0);
  await saved(canvas, (text) => text === placedText);
});

test('a box selects nodes, and Delete removes them with their edges', { tag: '@thorough' }, async ({ program }) => {
  const canvas = await openCanvas(program, placedText);
  const { page } = canvas;
  await boxAround(page, 'c', 'd');
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(2);
  await page.keyboard.press('Delete');
  const after = await savedAndBack(canvas, placedText);
  const gone = placedText.split('\n').filter((line) => !/id: [cd],|from: c|^ {4}[cd]: /.test(line));
  expect(after).toBe(gone.join('\n'));
});

test('copied nodes can be pasted into another flow at once', { tag: '@thorough' }, async ({ program }) => {
  const otherText = '# Another one.\nflow: { name: Other }\nnodes:\n  - { id: a, type: control.noop }\nedges: []\n';
  const canvas = await openCanvas(program, placedText, { 'other.flow.yaml': otherText });
  const { page, workspace } = canvas;
  await boxAround(page, 'a', 'b');
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(2);
  await page.keyboard.press('Control+c');
  await openFlow(page, 'other');
  await expect(page.locator('.flow-canvas > .react-flow')).toBeFocused();
  await page.keyboard.press('Control+v');
  await expect(cardOf(page, 'a_2')).toBeVisible();
  const other = { ...canvas, file: path.join(workspace, 'other.flow.yaml') };
  const after = await savedAndBack(other, otherText);
  expect(after.startsWith('# Another one.\nflow: { name: Other }\n')).toBe(true);
  expect(after).toContain('{{a_2.text}}');
  expect(after).toMatch(/from: a_2,? *\n? *to: b/);
  await saved(canvas, (text) => text === placedText);
});

test('text typed right after a shortcut names a group or node, goes into a note, or searches', async ({ program }) => {
  const canvas = await openCanvas(program, placedText);
  const { page } = canvas;
  await boxAround(page, 'a', 'b');
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(2);
  await page.keyboard.press('Control+g');
  await page.keyboard.type('Deeds done');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+S');
  await page.keyboard.type('Delete me not');
  await page.keyboard.press('Escape');
  const after = await saved(canvas, (text) => text.includes('Delete me not'));
  expect(after).toContain('    group: { title: Deeds done, nodes: [a, b] }\n');
  expect(after).toMatch(/^ {4}note: \{ .*text: Delete me not \}$/m);
  expect(after.startsWith(placedText)).toBe(true);

  await cardOf(page, 'c').click();
  await page.keyboard.press('F2');
  await page.keyboard.type('deed');
  await page.keyboard.press('Enter');
  await expect(cardOf(page, 'deed')).toBeVisible();
  await page.keyboard.press('n');
  await page.keyboard.type('delete constant');
  await expect(page.getByRole('combobox', { name: 'Search node types' })).toHaveValue('delete constant');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('echo');
  await page.keyboard.press('Enter');
  await saved(canvas, (text) => text.includes('text: "{{deed.text}}"'));
});

test('a box selects whole groups and notes, which can be copied to another file', { tag: '@thorough' }, async ({
  program,
}) => {
  const framed = `${placedText}  groups:
    pair: { title: Pair, nodes: [a, b] }
  notes:
    why: { x: 0, y: 104, width: 200, height: 64, text: Why so }
`;
  const otherText = 'flow: { name: Other }\nnodes:\n  - { id: a, type: control.noop }\nedges: []\n';
  const canvas = await openCanvas(program, framed, { 'other.flow.yaml': otherText });
  const { page, workspace } = canvas;
  const frame = await page.locator('[data-node-group="pair"]').boundingBox();
  const note = await page.locator('[data-note="why"]').boundingBox();
  if (frame === null || note === null) throw new Error('The frame or the note is not on the page');
  await drag(page, [
    { x: frame.x - 8, y: frame.y - 8 },
    { x: frame.x + frame.width + 8, y: note.y + note.height + 4 },
  ]);
  await expect(page.locator('[data-node-group="pair"]')).toHaveAttribute('data-selected', 'true');
  await page.keyboard.press('Control+c');
  await openFlow(page, 'other');
  await expect(page.locator('.flow-canvas > .react-flow')).toBeFocused();
  await page.keyboard.press('Control+v');
  await expect(page.locator('[data-node-group="pair"]')).toBeVisible();
  const other = { ...canvas, file: path.join(workspace, 'other.flow.yaml') };
  const after = await savedAndBack(other, otherText);
  expect(after).toContain('pair: { title: Pair, nodes: [a_2, b] }');
  expect(after).toMatch(/why: \{ x: -?\d+, y: -?\d+, width: 200, height: 64, text: Why so \}/);
  await saved(canvas, (text) => text === framed);
});

const waysText = `flow: { name: Ways }
nodes:
  - id: route
    type: control.switch
    input:
      value: major
      cases:
        - { when: { equals: { var: value, value: minor } }, route: minor }
        - { when: { equals: { var: value, value: major } }, route: major }
  - { id: a, type: echo, input: { text: one } }
  - { id: b, type: echo, input: { text: two } }
edges:
  - { from: route, to: a, when: { equals: { var: route.route, value: minor } } } # stays
layout:
  nodes:
    route: { x: 0, y: 0 }
    a: { x: 400, y: 0 }
    b: { x: 400, y: 160 }
`;

test('an edge dragged from a branch row gets its condition and can be moved to another row', {
  tag: '@thorough',
}, async ({ program }) => {
  const canvas = await openCanvas(program, waysText);
  const { page } = canvas;
  const port = (route: string) => middleOf(page.locator(`[data-card="route"] > [data-handleid="${route}"]`));
  await drag(page, [await port('major'), await middleOf(cardOf(page, 'b'))]);
  const row = page.locator('.branch-rows > div').filter({ hasText: 'major' });
  await expect(row).toHaveText('majorb');
  const added = '  - { from: route, to: b, when: { equals: { var: route.route, value: major } } }';
  const wired = await savedAndBack(canvas, waysText);
  expect(newLines(waysText, wired)).toEqual([added]);

  await drag(page, [await grabEnd(page, 'route->b', 'source'), await port('default')]);
  await expect(row).toHaveText('majorends here');
  const moved = await savedAndBack(canvas, wired);
  expect(newLines(waysText, moved)).toEqual([added.replace('value: major', 'value: default')]);

  await cardOf(page, 'route').click({ position: { x: 60, y: 12 } });
  await page.keyboard.press('c');
  await page.keyboard.type('by major b');
  await page.keyboard.press('Enter');
  await expect(row).toHaveText('majorb');
  expect(newLines(moved, await savedAndBack(canvas, moved))).toEqual([added]);
});
