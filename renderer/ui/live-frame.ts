/**
 * Updates all that is live (the events of runs, times that count) in the same frame, and less often if that takes long.
 * Otherwise a busy run would leave no time for the person's clicks.
 */
import { flushSync } from 'react-dom';
import { nextFrame } from './next-frame.ts';

/** An update of at most this many milliseconds leaves enough of its frame for other work. */
const shortMs = 6;
/** Pause after a longer update, as a multiple of its time. */
const pauseFactor = 10;
/** After an update of at least this many milliseconds, its frame is late. */
const lateMs = 12;
/** Pause after such an update, in milliseconds: fewer than 5 % of all frames are late then, and a run still seems to move. */
const latePauseMs = 400;

const waiting = new Set<() => void>();
let isScheduled = false;
let pauseUntil = 0;

/** Calls back once in the next frame for updates. The returned function cancels the callback. */
export function inLiveFrame(callback: () => void): () => void {
  // A callback that is given twice must run twice.
  const update = (): void => callback();
  waiting.add(update);
  if (!isScheduled) schedule();
  return () => waiting.delete(update);
}

function schedule(): void {
  isScheduled = true;
  const pauseMs = pauseUntil - performance.now();
  if (pauseMs > 0) setTimeout(() => nextFrame(update), pauseMs);
  else nextFrame(update);
}

function update(): void {
  const startedAt = performance.now();
  const updates = [...waiting];
  waiting.clear();
  // Otherwise, React would render the updates of timers in a later frame.
  flushSync(() => {
    for (const one of updates) {
      try {
        one();
      } catch (error) {
        // The others must not be lost.
        reportError(error);
      }
    }
  });
  // This task runs after the frame has been painted. What came meanwhile waits for its result.
  setTimeout(() => {
    const tookMs = performance.now() - startedAt;
    if (tookMs > shortMs) pauseUntil = startedAt + tookMs + (tookMs < lateMs ? tookMs * pauseFactor : latePauseMs);
    isScheduled = false;
    if (waiting.size > 0) schedule();
  }, 0);
}
