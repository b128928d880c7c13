/** Tests building a flow of eight nodes with the mouse alone, then saving and running it. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { drag, middleOf, middlesOf, onEdge, type Point } from './pointer.ts';
import { test } from './program.ts';
import { card, expectRun, openFlow, run } from './window.ts';

const header = '# Made by hand.\nflow: { name: Mouse }\n';

function paletteRow(page: Page, type: string): Locator {
  return page.locator(`.node-palette-row[data-type="${type}"]`);
}

function port(page: Page, id: string, kind: 'source' | 'target'): Locator {
  return page.locator(`[data-card="${id}"] > .react-flow__handle.${kind}`);
}

async function fromPalette(page: Page, type: string, to: Point): Promise<void> {
  const row = paletteRow(page, type);
  await row.scrollIntoViewIfNeeded();
  await drag(page, [await middleOf(row), to]);
}

/** Fits the flow in view and resolves when the animation has ended. */
async function fitInView(page: Page): Promise<void> {
  await page.getByRole('toolbar', { name: 'Canvas' }).getByRole('button', { name: 'Fit the flow in view' }).click();
  await page.locator('.react-flow__viewport').evaluate(
    (viewport: HTMLElement) =>
      new Promise<void>((resolve) => {
        let before = '';
        let stillFrames = 0;
        const look = (): void => {
          const now = viewport.style.transform;
          stillFrames = now === before ? stillFrames + 1 : 0;
          before = now;
          if (stillFrames < 5) requestAnimationFrame(look);
          else resolve();
        };
        look();
      }),
  );
}

test('builds, saves and runs a flow', { tag: '@thorough' }, async ({ program }) => {
  const workspace = await program.makeWorkspace({ 'mouse.flow.yaml': `${header}nodes: []\nedges: []\n` });
  const { page } = await program.open(workspace);
  await openFlow(page, 'mouse');
  const canvas = page.locator('.flow-canvas');
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('The canvas has no size');
  const at = (x: number, y: number): Point => ({ x: box.x + x, y: box.y + y });
  const bar = page.getByRole('toolbar', { name: 'Canvas' });

  await test.step('add a node from the palette', async () => {
    await bar.getByRole('button', { name: 'Show or hide the node palette' }).click();
    await fromPalette(page, 'constant', at(420, 120));
    await expect(card(page, 'constant')).toBeVisible();
  });
  await test.step('drop an edge on the empty canvas', async () => {
    await drag(page, [await middleOf(port(page, 'constant', 'source')), at(360, 300)]);
    await paletteRow(page, 'echo').last().click();
    await expect(card(page, 'echo')).toBeVisible();
    await expect(page.locator('.react-flow__edge[data-id="constant->echo"]')).toBeAttached();
  });
  await test.step('click the plus at the output handle of a card', async () => {
    await fitInView(page);
    await card(page, 'echo').hover();
    await page.getByRole('button', { name: 'Add a node after echo' }).click();
    await paletteRow(page, 'template').last().click();
    await expect(card(page, 'template')).toBeVisible();
  });
  await test.step('click the plus on an edge', async () => {
    await fitInView(page);
    const { x, y } = await onEdge(page, 'echo->template');
    await page.mouse.move(x, y);
    await page.getByRole('button', { name: 'Insert a node into the edge' }).click();
    await paletteRow(page, 'control.noop').last().click();
    await expect(card(page, 'noop')).toBeVisible();
  });
  await test.step('drop a node on an edge', async () => {
    await fitInView(page);
    await fromPalette(page, 'control.wait', await onEdge(page, 'noop->template'));
    await expect(card(page, 'wait')).toBeVisible();
  });
  await test.step('add two nodes from the palette and connect their handles', async () => {
    await fitInView(page);
    await fromPalette(page, 'json.query', at(500, 480));
    await fromPalette(page, 'list.map', at(500, 560));
    await expect(card(page, 'list_map')).toBeVisible();
    await fitInView(page);
    await drag(page, await middlesOf(port(page, 'template', 'source'), card(page, 'json_query')));
    await expect(page.locator('.react-flow__edge[data-id="template->json_query"]')).toBeAttached();
  });
  await test.step('reject an edge that would close a cycle, with a message', async () => {
    await drag(page, await middlesOf(port(page, 'json_query', 'source'), card(page, 'constant')), async () => {
      await expect(page.locator('.wire-refusal')).toContainText('cycle');
    });
    await expect(page.locator('.wire-refusal')).toHaveCount(0);
  });
  await test.step('click a handle', async () => {
    await port(page, 'list_map', 'source').click();
    await paletteRow(page, 'file.write').last().click();
    await expect(card(page, 'file_write')).toBeVisible();
  });
  await test.step('save and run the flow', async () => {
    await page.keyboard.press('Control+S');
    await run(page);
    await expectRun(page, 'completed');
  });

  const text = await readFile(path.join(workspace, 'mouse.flow.yaml'), 'utf8');
  expect(text.startsWith(header)).toBe(true);
  const ids = [...text.matchAll(/^ +- (?:\{ )?id: (\w+)/gm)].map(([, id]) => id);
  expect(new Set(ids)).toEqual(
    new Set(['constant', 'echo', 'noop', 'wait', 'template', 'json_query', 'list_map', 'file_write']),
  );
  const edges = [...text.matchAll(/\{ from: (\w+), to: (\w+) \}/g)].map(([, from, to]) => `${from}->${to}`);
  expect(new Set(edges)).toEqual(
    new Set([
      'constant->echo',
      'echo->noop',
      'noop->wait',
      'wait->template',
      'template->json_query',
      'list_map->file_write',
    ]),
  );
  // Each node has its position on one short line.
  expect([...text.matchAll(/^ {4}\w+: \{ x: -?\d+, y: -?\d+ \}$/gm)]).toHaveLength(8);
});
