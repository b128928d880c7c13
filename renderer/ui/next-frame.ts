/** Milliseconds after which a page that paints no frames (minimised, covered) goes on without one. */
const longestWaitMs = 250;

/** Calls back once before the next frame, or soon when there is none. The returned function takes it back. */
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
