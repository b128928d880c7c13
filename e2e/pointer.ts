/** Performs mouse actions. */
import { expect, type Locator, type Page } from '@playwright/test';

/** A position in page pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns the center of an element once it has stopped moving. */
export async function middleOf(locator: Locator): Promise<Point> {
  const [middle] = await middlesOf(locator);
  if (middle === undefined) throw new Error('Nothing was asked for');
  return middle;
}

/** Returns the centers of several elements once all of them have stopped moving. */
export function middlesOf(...locators: Locator[]): Promise<Point[]> {
  return stillPoints(async () => {
    const boxes = await Promise.all(locators.map((locator) => locator.boundingBox()));
    const middles = boxes.flatMap((box) =>
      box === null ? [] : [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }],
    );
    return middles.length === locators.length ? middles : null;
  });
}

/** Measures until three consecutive results are equal and not null. */
async function stillPoints(measure: () => Promise<Point[] | null>): Promise<Point[]> {
  let points: Point[] | null = null;
  let same = 0;
  const look = async (): Promise<number> => {
    const before = JSON.stringify(points);
    points = await measure();
    same = points !== null && JSON.stringify(points) === before ? same + 1 : 0;
    return same;
  };
  await expect.poll(look, { intervals: [100] }).toBeGreaterThan(1);
  return points ?? [];
}

/** Presses at one point and releases at another. `beforeUp` runs while the button is down. */
export async function drag(page: Page, [from, to]: readonly Point[], beforeUp?: () => Promise<void>): Promise<void> {
  if (from === undefined || to === undefined) throw new Error('A drag needs two points');
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y + 4);
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await beforeUp?.();
  await page.mouse.up();
}

/** Returns the midpoint of an edge on the page once it has stopped moving. */
export async function onEdge(page: Page, id: string): Promise<Point> {
  const edge = page.locator(`.react-flow__edge[data-id="${id}"] .flow-edge-hit`);
  const [middle] = await stillPoints(async () => [
    await edge.evaluate((element) => {
      const line = element as unknown as SVGPathElement;
      const matrix = line.getScreenCTM();
      if (matrix === null) throw new Error('The edge is not drawn');
      const { x, y } = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(matrix);
      return { x, y };
    }),
  ]);
  if (middle === undefined) throw new Error('The edge is not drawn');
  return middle;
}

/** Drops a file on the window as a file manager does. Only files that Chromium itself provides have a path on disk. */
export async function dropFromSystem(page: Page, file: string): Promise<void> {
  await page.evaluate(() => {
    const field = document.body.appendChild(document.createElement('input'));
    Object.assign(field, { type: 'file', id: 'handed-out' });
  });
  await page.locator('#handed-out').setInputFiles(file);
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('#handed-out');
    const dataTransfer = new DataTransfer();
    for (const one of field?.files ?? []) dataTransfer.items.add(one);
    field?.remove();
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  });
}
