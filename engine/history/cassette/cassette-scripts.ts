/**
 * Records and replays commands that scripts run.
 */
import { z } from 'zod';
import { unreadable } from './cassette-error.ts';
import type { CassettePlayer } from './cassette-player.ts';

/** A command, and the folder in which it runs: relative to the workspace, or absolute outside. */
interface ScriptCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
}

const recordedResult = z.object({ stdout: z.string(), stderr: z.string(), exit: z.int() });
type RecordedResult = Readonly<z.output<typeof recordedResult>>;

/** Creates the recorder. A recorded command is not started. */
export function createCommandRecorder(player: CassettePlayer) {
  return async (
    { command, args, folder }: ScriptCommand,
    run: () => Promise<RecordedResult>,
    signal: AbortSignal,
  ): Promise<RecordedResult> =>
    await player.call<RecordedResult>({
      kind: 'script-command',
      title: [command, ...args].join(' '),
      request: { command, args: [...args], ...(folder === '' ? {} : { folder }) },
      signal,
      recordedErrors: new Set(),
      live: run,
      write: ({ stdout, stderr, exit }) => ({ stdout, stderr, exit }),
      read(recorded) {
        const checked = recordedResult.safeParse(recorded);
        if (checked.success) return checked.data;
        throw unreadable(player.file, 'the response of a command of a script needs stdout, stderr and exit');
      },
    });
}
