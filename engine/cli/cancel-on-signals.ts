/**
 * Handles Ctrl-C and system requests to exit.
 */
import type { CliContext } from './cli-context.ts';
import { exitCode } from './exit-code.ts';

/** Under `npm run`, the terminal and npm both signal the program, so each key press arrives twice. */
const samePressMs = 300;

/**
 * Calls `take` for each SIGINT and SIGTERM.
 * @returns a function that stops the calls. It keeps ignoring signals of the last key press for a moment: without a
 * listener, the duplicate would kill the program while it exits
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
 * Calls `cancel` on the first signal. The caller then waits until the work has ended. The second signal exits
 * immediately.
 * @param hasStarted whether there is something to cancel (always by default); until then, the first signal exits
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
      terminal.err('Canceling. Press Ctrl-C again to quit immediately.');
      cancel();
    } else if (now - firstAt > samePressMs) {
      quit(exitCode.cancelled);
    }
  });
  return { havePressed: () => firstAt !== undefined, stop };
}

/** Resolves at the first signal. The second one exits immediately. */
export async function untilSignal({ clock, quit }: Pick<CliContext, 'clock' | 'quit'>): Promise<void> {
  let firstAt: number | undefined;
  await new Promise<void>((resolve) => {
    onSignals(() => {
      const now = clock.now();
      if (firstAt === undefined) {
        firstAt = now;
        resolve();
      } else if (now - firstAt > samePressMs) {
        quit(exitCode.cancelled);
      }
    });
  });
}
