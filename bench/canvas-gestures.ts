/**
 * What a hand does on a canvas, done in the page itself so that nothing waits for the driver, and the milliseconds of each
 * frame meanwhile. Both canvases, ours and the yardstick's, are React Flow's and take the same events.
 */
import type { ElectronApplication, Page } from '@playwright/test';

export type Gesture = 'pan' | 'zoom-in' | 'zoom-out';

/** One way and back again, so that a gesture ends where it began. */
const frames = 120;
/** After a gesture, in which what it left to do is done. */
const restFrames = 20;

/** Milliseconds between frames while the canvas is moved a little in each. */
export async function gestureFrames(page: Page, gesture: Gesture): Promise<number[]> {
  const { samples, hasMoved } = await page.evaluate(
    async ({ moves, rest }) => {
      const pane = document.querySelector('.react-flow__pane');
      const viewport = document.querySelector('.react-flow__viewport');
      if (pane === null || viewport === null) throw new Error('No canvas');
      const { left, top, width, height } = pane.getBoundingClientRect();
      const place = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true };
      const taken: number[] = [];
      let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const takeFrame = async (): Promise<void> => {
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        taken.push(now - last);
        last = now;
      };
      const styles = new Set<string | null>();
      for (const move of moves) {
        pane.dispatchEvent(new WheelEvent('wheel', { ...move, ...place }));
        await takeFrame();
        styles.add(viewport.getAttribute('style'));
      }
      for (let i = 0; i < rest; i++) await takeFrame();
      return { samples: taken, hasMoved: styles.size > moves.length / 4 };
    },
    { moves: movesOf(gesture), rest: restFrames },
  );
  if (!hasMoved) throw new Error(`The canvas stood still: ${gesture}`);
  return samples;
}

/** What the wheel tells in each frame. */
function movesOf(gesture: Gesture): { deltaX?: number; deltaY: number; ctrlKey?: true }[] {
  const way = gesture === 'zoom-in' ? -1 : 1;
  return Array.from({ length: frames }, (_, index) => {
    const step = index < frames / 2 ? way : -way;
    return gesture === 'pan' ? { deltaX: 24 * step, deltaY: 6 * step } : { deltaY: 8 * step, ctrlKey: true };
  });
}

/** Milliseconds between frames while `work` goes on, which is begun here and awaited. */
export async function framesDuring(page: Page, work: () => Promise<void>): Promise<number[]> {
  const samples = await page.evaluateHandle(() => {
    const taken: number[] = [];
    let last = performance.now();
    const note = (now: number): void => {
      taken.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    return taken;
  });
  await work();
  return await samples.evaluate((taken) => [...taken]);
}

/** Where the canvas looks, to see whether a gesture did anything. */
export async function viewportOf(page: Page): Promise<string> {
  return (await page.locator('.react-flow__viewport').getAttribute('style')) ?? '';
}

/** Waits until the page has had nothing to do for a moment. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(600);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })));
}

/** Makes the window of an application so large. */
export async function setWindowSize(app: ElectronApplication, width: number, height: number): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  );
}

/** Pixels of the canvas. */
export async function canvasSize(page: Page): Promise<{ readonly width: number; readonly height: number }> {
  return await page.locator('.react-flow__pane').evaluate(({ clientWidth: width, clientHeight: height }) => ({
    width,
    height,
  }));
}
