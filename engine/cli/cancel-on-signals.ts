/**
 * Ctrl-C, and a system that asks the program to end.
 */
import type { CliContext } from './cli-context.ts';
import { exitCode } from './exit-code.ts';

/** Under `npm run` the terminal and npm both signal the program: one key press arrives twice. */
const samePressMs = 300;

/** The first signal calls `cancel`, and the caller waits for the end; the second one does not wait. */
export function cancelOnSignals(
  { terminal, clock, quit }: CliContext,
  cancel: () => void,
): { havePressed: () => boolean; stop: () => void } {
  let firstAt: number | undefined;
  const onSignal = (): void => {
    const now = clock.now();
    if (firstAt === undefined) {
      firstAt = now;
      terminal.err('Cancelling. Press Ctrl-C again to quit at once.');
      cancel();
    } else if (now - firstAt > samePressMs) {
      quit(exitCode.cancelled);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    havePressed: () => firstAt !== undefined,
    stop() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
