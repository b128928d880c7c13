/**
 * Ctrl-C, and a system that asks the program to end.
 */
import type { CliContext } from './cli-context.ts';
import { exitCode } from './exit-code.ts';

/** Under `npm run` the terminal and npm both signal the program: one key press arrives twice. */
const samePressMs = 300;

/**
 * Calls `take` for each SIGINT and SIGTERM.
 * @returns stops that. Signals of a press that has just been taken go on being ignored for a moment: without a listener the
 *   second half of the press would kill the program in the middle of its ending
 */
export function onSignals(take: () => void): () => void {
  let hasTaken = false;
  let isStopped = false;
  const listener = (): void => {
    if (isStopped) return;
    hasTaken = true;
    take();
  };
  const remove = (): void => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    isStopped = true;
    if (hasTaken) setTimeout(remove, samePressMs).unref();
    else remove();
  };
}

/**
 * The first signal calls `cancel`, and the caller waits for the end; the second one does not wait.
 * @param hasStarted whether there is something to cancel; before that, the first signal ends the program. Without it, always
 */
export function cancelOnSignals(
  { terminal, clock, quit }: CliContext,
  cancel: () => void,
  hasStarted = (): boolean => true,
): { havePressed: () => boolean; stop: () => void } {
  let firstAt: number | undefined;
  const stop = onSignals(() => {
    const now = clock.now();
    if (firstAt === undefined && !hasStarted()) quit(exitCode.cancelled);
    if (firstAt === undefined) {
      firstAt = now;
      terminal.err('Cancelling. Press Ctrl-C again to quit at once.');
      cancel();
    } else if (now - firstAt > samePressMs) {
      quit(exitCode.cancelled);
    }
  });
  return { havePressed: () => firstAt !== undefined, stop };
}
