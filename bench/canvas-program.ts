/**
 * Drives both sides of the canvas benchmark: Millrace with a workspace of large flows, and a page of plain React Flow.
 */
import type { ElectronApplication, Page } from '@playwright/test';
import {
  canvasSize,
  dragFrames,
  framesDuring,
  gestureFrames,
  settle,
  setWindowSize,
  viewportOf,
} from './canvas-gestures.ts';
import { middleOfGrid } from './graphs.ts';

/** Milliseconds per frame, by gesture. */
export interface CanvasFrames {
  readonly panAtFit: readonly number[];
  readonly zoomAtFit: readonly number[];
  readonly panAt100: readonly number[];
  readonly zoomAt100: readonly number[];
  /** Measured at 100 %, like `dragFifty`. */
  readonly dragOne: readonly number[];
  readonly dragFifty: readonly number[];
}

/** The size of a grid and the number of frames each gesture lasts. */
export interface Drill {
  readonly nodeCount: number;
  readonly frames: number;
}

interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** Timings of opening a flow. */
export interface Opening {
  /** Milliseconds from the click on the flow's name to the first paint. */
  readonly drawnMs: number;
  /** Duration of the longest frame up to the first paint, in milliseconds. */
  readonly longestFrameMs: number;
}

const windowSize = { width: 1440, height: 900 } as const;

/** Resizes the window to a typical screen size. */
export async function prepareProgram(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow();
  await setWindowSize(app, windowSize.width, windowSize.height);
  return page;
}

/** Opens a workspace flow by clicking its name. */
export async function openFlow(page: Page, name: string): Promise<Opening> {
  await page
    .getByRole('treeitem')
    .filter({ hasText: `${name}.flow.yaml` })
    .first()
    .waitFor();
  await settle(page);
  return await page.evaluate(async (flow) => {
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const entry = [...document.querySelectorAll<HTMLElement>('[role="treeitem"]')].find(
      ({ textContent }) => textContent?.trim() === `${flow}.flow.yaml`,
    );
    if (entry === undefined) throw new Error(`The workspace has no ${flow}`);
    const canvas = `[aria-label="Canvas of ${flow}.flow.yaml"] :is(.react-flow__node, .canvas-overview)`;
    const startedAt = performance.now();
    let [last, longest] = [startedAt, 0];
    const note = (now: number): void => {
      longest = Math.max(longest, now - last);
      last = now;
    };
    entry.click();
    while (document.querySelector(canvas) === null) note(await nextFrame());
    // Records the frame that creates the canvas and the one that shows it.
    note(await nextFrame());
    note(await nextFrame());
    return { drawnMs: performance.now() - startedAt, longestFrameMs: longest };
  }, name);
}

/** Measures all gestures on the grid that is open in Millrace, and the size of its canvas. */
export async function ourFrames(page: Page, drill: Drill): Promise<CanvasFrames & { readonly size: CanvasSize }> {
  const bare = page.locator('.react-flow__pane');
  await bare.click({ position: { x: 2, y: 2 } });
  const size = await canvasSize(page);
  const at = async (key: string, percent: RegExp) => {
    await page.keyboard.press(key);
    await page.getByRole('button', { name: percent }).waitFor();
  };
  await at('1', /^Zoom is /);
  const atFit = await framesAt(page, drill);
  await at('0', /^Zoom is 100 percent/);
  const at100 = await framesAt(page, drill);
  const dragOne = await dragFrames(page, false, drill.frames);
  await at('1', /^Zoom is /);
  await selectMiddle(page, drill.nodeCount);
  await at('0', /^Zoom is 100 percent/);
  await settle(page);
  const dragFifty = await dragFrames(page, true, drill.frames);
  return { size, ...named(atFit, at100), dragOne, dragFifty };
}

/** Draws a selection box around fifty cards of the grid, which must be fully in view. */
async function selectMiddle(page: Page, nodeCount: number): Promise<void> {
  await settle(page);
  const canvas = await page.locator('.react-flow__pane').boundingBox();
  const [x, y, zoom] = (await viewportOf(page)).match(/-?[\d.]+/g)?.map(Number) ?? [];
  if (canvas === null || x === undefined || y === undefined || zoom === undefined) throw new Error('No canvas');
  const { from, to } = middleOfGrid(nodeCount);
  const screen = (place: { x: number; y: number }): [number, number] => [
    canvas.x + x + place.x * zoom,
    canvas.y + y + place.y * zoom,
  ];
  // Starts and ends in the gaps between columns and rows.
  await page.mouse.move(...screen({ x: from.x - 28, y: from.y - 23 }));
  await page.mouse.down();
  await page.mouse.move(...screen({ x: to.x + 100, y: to.y + 30 }), { steps: 8 });
  await page.mouse.up();
  await page.getByText('50 nodes selected').waitFor();
}

/**
 * Measures the same gestures on plain React Flow, on a canvas of the same size. The page at `address` provides the
 * flow.
 */
export async function plainFrames(
  app: ElectronApplication,
  address: string,
  { size, ...drill }: Drill & { readonly size: CanvasSize },
): Promise<CanvasFrames> {
  const page = await app.firstWindow();
  await setWindowSize(app, size.width, size.height);
  const open = async (view: string): Promise<void> => {
    await page.goto(`${address}&view=${view}`);
    await page.locator('.react-flow__node').first().waitFor();
    await settle(page);
  };
  await open('fit');
  const atFit = await framesAt(page, drill);
  await open('100');
  const at100 = await framesAt(page, drill);
  const dragOne = await dragFrames(page, false, drill.frames);
  await open('100&select=middle');
  const dragFifty = await dragFrames(page, true, drill.frames);
  return { ...named(atFit, at100), dragOne, dragFifty };
}

interface Moves {
  readonly pan: number[];
  readonly zoom: number[];
}

function named(atFit: Moves, at100: Moves): Pick<CanvasFrames, 'panAtFit' | 'zoomAtFit' | 'panAt100' | 'zoomAt100'> {
  return { panAtFit: atFit.pan, zoomAtFit: atFit.zoom, panAt100: at100.pan, zoomAt100: at100.zoom };
}

/**
 * Measures a pan and a zoom, each with its return, from the current viewport. Zooms out if the canvas is at 100 %, and
 * in otherwise.
 */
async function framesAt(page: Page, { frames }: Drill): Promise<Moves> {
  await settle(page);
  const isAt100 = (await viewportOf(page)).includes('scale(1)');
  const pan = await gestureFrames(page, 'pan', frames);
  await settle(page);
  const zoom = await gestureFrames(page, isAt100 ? 'zoom-out' : 'zoom-in', frames);
  await settle(page);
  return { pan, zoom };
}

const typed = 'typed while the canvas is open';

/** Keys that move the cursor from the start of a `gridFlow` file to the end of the text of its first node. */
const toFirstText = ['ArrowDown', 'ArrowDown', 'End', ...Array<string>(5).fill('ArrowLeft')];

/** Returns the milliseconds of each frame while the text of a node is typed next to the canvas that shows it. */
export async function typingFrames(page: Page): Promise<number[]> {
  await page.getByText('Split', { exact: true }).click();
  const editor = page.locator('.monaco-editor').first();
  await editor.waitFor();
  await settle(page);
  await editor.click({ position: { x: 200, y: 200 } });
  await page.keyboard.press('Control+Home');
  for (const key of toFirstText) await page.keyboard.press(key);
  await page.keyboard.type('# ');
  await settle(page);
  return await framesDuring(page, async () => await page.keyboard.type(typed, { delay: 50 }));
}

/** Runs the open flow and returns the milliseconds of each frame while its cards show model streams for `forMs`. */
export async function streamingFrames(page: Page, forMs: number): Promise<number[]> {
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Run (Ctrl|⌘)/ })
    .first()
    .click();
  await page.locator('.node-card-stream').first().waitFor();
  // The first tokens also open the run bar and the dock.
  await page.waitForTimeout(500);
  const frames = await framesDuring(page, async () => await page.waitForTimeout(forMs));
  if ((await page.locator('.node-card-stream').count()) === 0) throw new Error('No card is streaming anymore');
  return frames;
}
