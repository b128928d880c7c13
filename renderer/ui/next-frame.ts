/** Milliseconds after which a page that paints no frames (minimized, covered) continues without one. */
const longestWaitMs = 250;

/**
 * Calls back once before the next frame, or shortly after if there is none. The returned function cancels the callback.
 */
export function nextFrame(callback: () => void): () => void {
  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = (): void => {
    cancel();
    callback();
  };
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, longestWaitMs);
  return cancel;
}
