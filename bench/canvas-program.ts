/**
 * Both sides of the canvas bench: the program with a workspace of large flows, and the page of plain React Flow.
 */
import type { ElectronApplication, Page } from '@playwright/test';
import { canvasSize, framesDuring, gestureFrames, settle, setWindowSize, viewportOf } from './canvas-gestures.ts';

/** Milliseconds of each frame, by gesture. */
export interface CanvasFrames {
  readonly panAtFit: readonly number[];
  readonly zoomAtFit: readonly number[];
  readonly panAt100: readonly number[];
  readonly zoomAt100: readonly number[];
}

interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** What opening a flow costs. */
export interface Opening {
  /** Milliseconds from the click on its name to its first picture. */
  readonly drawnMs: number;
  /** The longest frame until then. */
  readonly longestFrameMs: number;
}

const windowSize = { width: 1440, height: 900 } as const;

/** Sizes the window as on a usual screen. */
export async function prepareProgram(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow();
  await setWindowSize(app, windowSize.width, windowSize.height);
  return page;
}

/** Opens a flow of the workspace by a click on its name. */
export async function openFlow(page: Page, name: string): Promise<Opening> {
  await page.getByText(name, { exact: true }).first().waitFor();
  await settle(page);
  return await page.evaluate(async (flow) => {
    const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const entry = [...document.querySelectorAll<HTMLElement>('button, [role="treeitem"]')].find(
      ({ textContent }) => textContent?.trim() === flow,
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
    // Of the frame in which it was made, and the one that shows it.
    note(await nextFrame());
    note(await nextFrame());
    return { drawnMs: performance.now() - startedAt, longestFrameMs: longest };
  }, name);
}

/** All gestures on the flow that is open in the program, and the size of its canvas. */
export async function ourFrames(page: Page): Promise<CanvasFrames & { readonly size: CanvasSize }> {
  await page.locator('.react-flow__pane').click({ position: { x: 2, y: 2 } });
  const size = await canvasSize(page);
  await page.keyboard.press('1');
  const atFit = await framesAt(page);
  await page.keyboard.press('0');
  await page.getByRole('button', { name: /^Zoom is 100 percent/ }).waitFor();
  const at100 = await framesAt(page);
  return { size, panAtFit: atFit.pan, zoomAtFit: atFit.zoom, panAt100: at100.pan, zoomAt100: at100.zoom };
}

/** The same on plain React Flow, on a canvas of the same size. `address` tells its page the flow. */
export async function plainFrames(
  app: ElectronApplication,
  address: string,
  { width, height }: CanvasSize,
): Promise<CanvasFrames> {
  const page = await app.firstWindow();
  await setWindowSize(app, width, height);
  const at = async (view: 'fit' | '100') => {
    await page.goto(`${address}&view=${view}`);
    await page.locator('.react-flow__node').first().waitFor();
    return await framesAt(page);
  };
  const atFit = await at('fit');
  const at100 = await at('100');
  return { panAtFit: atFit.pan, zoomAtFit: atFit.zoom, panAt100: at100.pan, zoomAt100: at100.zoom };
}

/** From where the canvas looks now: a pan and back, and a zoom, out from 100 % and in from anywhere else, and back. */
async function framesAt(page: Page): Promise<{ pan: number[]; zoom: number[] }> {
  await settle(page);
  const isAt100 = (await viewportOf(page)).includes('scale(1)');
  const pan = await gestureFrames(page, 'pan');
  await settle(page);
  return { pan, zoom: await gestureFrames(page, isAt100 ? 'zoom-out' : 'zoom-in') };
}

const typed = 'typed while the canvas is open';

/** Milliseconds of each frame while a person types into the text beside the canvas. */
export async function typingFrames(page: Page): Promise<number[]> {
  await page.getByText('Split', { exact: true }).click();
  const line = page.locator('.monaco-editor .view-line').first();
  await line.waitFor();
  await settle(page);
  await line.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('# ');
  return await framesDuring(page, async () => await page.keyboard.type(typed, { delay: 50 }));
}
