/**
 * The way to the worker that lays out large flows. It starts with the first of them and stays.
 */
import type { FlowLayout } from './auto-layout.ts';
import { computeLayout, type LayoutInput } from './compute-layout.ts';

/** Up to so many cards a layout takes less than a frame or two, and the way to the worker would only delay it. */
const mostCardsAtOnce = 150;

/** Whether a flow of so many cards is laid out at once, in the thread that asks. */
export function isLaidOutAtOnce(cardCount: number): boolean {
  return cardCount <= mostCardsAtOnce || typeof Worker === 'undefined';
}

interface Waiting {
  readonly done: (layout: FlowLayout) => void;
  readonly fail: (error: Error) => void;
}

let worker: Worker | undefined;
const waiting: Waiting[] = [];

/**
 * The layout of a flow; a large one is computed in a worker.
 * @throws Error when the worker cannot be loaded or fails
 */
export async function requestLayout(input: LayoutInput): Promise<FlowLayout> {
  if (isLaidOutAtOnce(input.cards.length)) return computeLayout(input);
  worker ??= startWorker();
  worker.postMessage(input);
  return await new Promise((done, fail) => waiting.push({ done, fail }));
}

function startWorker(): Worker {
  const started = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<FlowLayout>) => waiting.shift()?.done(data));
  started.addEventListener('error', ({ message }) => {
    worker = undefined;
    started.terminate();
    for (const { fail } of waiting.splice(0)) fail(new Error(`The layout failed: ${message || 'its worker ended'}`));
  });
  return started;
}
