/**
 * Performs canvas gestures inside the page, so that nothing waits for the test driver, and measures the milliseconds of
 * each frame. Millrace and the baseline both use React Flow and receive the same events.
 */
import type { ElectronApplication, Page } from '@playwright/test';

export type Gesture = 'pan' | 'zoom-in' | 'zoom-out';

/** Frames to wait after a gesture for deferred work to complete. */
const restFrames = 20;

/**
 * Returns the milliseconds between frames while the canvas moves slightly in each of `frames` frames, first in one
 * direction and then back.
 */
export async function gestureFrames(page: Page, gesture: Gesture, frames: number): Promise<number[]> {
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
    { moves: movesOf(gesture, frames), rest: restFrames },
  );
  if (!hasMoved) throw new Error(`The canvas did not move: ${gesture}`);
  return samples;
}

/** Returns the wheel events to send, one per frame. */
function movesOf(gesture: Gesture, frames: number): { deltaX?: number; deltaY: number; ctrlKey?: true }[] {
  const way = gesture === 'zoom-in' ? -1 : 1;
  return Array.from({ length: frames }, (_, index) => {
    const step = index < frames / 2 ? way : -way;
    return gesture === 'pan' ? { deltaX: 24 * step, deltaY: 6 * step } : { deltaY: 8 * step, ctrlKey: true };
  });
}

/**
 * Returns the milliseconds between frames while a card in the middle is dragged away and back. With `isSelected`, drags
 * a selected card and all other selected cards with it.
 */
export async function dragFrames(page: Page, isSelected: boolean, frames: number): Promise<number[]> {
  const { samples, hasMoved } = await page.evaluate(
    async ({ selector, count }) => {
      const pane = document.querySelector('.react-flow__pane')?.getBoundingClientRect();
      if (pane === undefined) throw new Error('No canvas');
      const farness = (card: Element): number => {
        const { left, top, width, height } = card.getBoundingClientRect();
        const [x, y] = [left + width / 2 - pane.left - pane.width / 2, top + height / 2 - pane.top - pane.height / 2];
        return Math.hypot(x, y);
      };
      const [card] = [...document.querySelectorAll<HTMLElement>(selector)].sort((a, b) => farness(a) - farness(b));
      if (card === undefined) throw new Error(`Nothing to drag: ${selector}`);
      const box = card.getBoundingClientRect();
      const at = { clientX: box.left + 90, clientY: box.top + 16 };
      const fire = (target: EventTarget, type: string): void => {
        const buttons = type === 'mouseup' ? 0 : 1;
        target.dispatchEvent(new MouseEvent(type, { ...at, buttons, view: window, bubbles: true, cancelable: true }));
      };
      const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const taken: number[] = [];
      const styles = new Set<string>();
      fire(card, 'mousedown');
      let last = await nextFrame();
      for (let i = 0; i < count; i++) {
        const way = i < count / 2 ? 1 : -1;
        at.clientX += 3 * way;
        at.clientY += 2 * way;
        fire(window, 'mousemove');
        const now = await nextFrame();
        taken.push(now - last);
        last = now;
        styles.add(card.style.transform);
      }
      fire(window, 'mouseup');
      return { samples: taken, hasMoved: styles.size > 4 };
    },
    { selector: isSelected ? '.react-flow__node.selected' : '.react-flow__node', count: frames },
  );
  if (!hasMoved) throw new Error('The card did not move');
  return samples;
}

/** Starts `work`, waits for it, and returns the milliseconds between frames during that time. */
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

/** Returns the viewport of the canvas, used to check that a gesture had an effect. */
export async function viewportOf(page: Page): Promise<string> {
  return (await page.locator('.react-flow__viewport').getAttribute('style')) ?? '';
}

/** Waits until the page has been idle for several frames. */
export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(600);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })));
}

/** Resizes the window of an application. */
export async function setWindowSize(app: ElectronApplication, width: number, height: number): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  );
}

/** Returns the size of the canvas in pixels. */
export async function canvasSize(page: Page): Promise<{ readonly width: number; readonly height: number }> {
  return await page.locator('.react-flow__pane').evaluate(({ clientWidth: width, clientHeight: height }) => ({
    width,
    height,
  }));
}
