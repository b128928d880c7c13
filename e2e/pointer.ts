/** What a hand does with the mouse. */
import { expect, type Locator, type Page } from '@playwright/test';

/** In pixels of the page. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The middle of what is on the page, once it stands still. */
export async function middleOf(locator: Locator): Promise<Point> {
  let before = '';
  await expect
    .poll(async () => {
      const now = JSON.stringify(await locator.boundingBox());
      const isStill = now === before;
      before = now;
      return isStill && now !== 'null';
    })
    .toBe(true);
  const box = await locator.boundingBox();
  if (box === null) throw new Error('It is not on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Presses at one point and lets go at another; `beforeUp` looks, or presses keys, while the button is down. */
export async function drag(
  page: Page,
  [from, to]: readonly [Point, Point],
  beforeUp?: () => Promise<void>,
): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y + 4);
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await beforeUp?.();
  await page.mouse.up();
}

/** A point of the page in the middle of the line of an edge. */
export async function onEdge(page: Page, id: string): Promise<Point> {
  return page.locator(`.react-flow__edge[data-id="${id}"] .flow-edge-hit`).evaluate((element) => {
    const line = element as unknown as SVGPathElement;
    const matrix = line.getScreenCTM();
    if (matrix === null) throw new Error('The edge is not drawn');
    const { x, y } = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(matrix);
    return { x, y };
  });
}
