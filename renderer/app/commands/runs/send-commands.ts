/**
 * Commands that send runs to other people, and open and replay runs that were received.
 */
import { asRunId } from '../../../../engine/isomorphic.ts';
import { text as tableText } from '../../../run-view/table/text.ts';
import { sentRunOf } from '../../../stores/workspace/workspace.ts';
import { onActiveFile } from '../active-file.ts';
import { activeRun } from '../active-run.ts';
import type { Command, CommandContext } from '../command.ts';
import { text } from '../text.ts';

const words = tableText.sendCommands;

function isSentRun({ stores }: CommandContext): boolean {
  return sentRunOf(stores.workspace.getState()) !== null;
}

/** Asks how to send the run on screen. A child run is part of its root. */
async function send(context: CommandContext): Promise<void> {
  const { engine, sending, notices } = context.stores;
  const run = activeRun(context);
  if (run === undefined) return;
  try {
    const { runId, number, sourcePath } = await engine.call('getRun', run.caller?.runId ?? run.runId);
    sending.getState().ask({ runId: asRunId(runId), number, sourcePath });
  } catch (error) {
    notices.getState().addError(words.failed, error);
  }
}

export const sendCommands = [
  {
    id: 'run.send',
    title: words.send,
    words: words.sendWords,
    group: text.groups.run,
    isAvailable: (context) => activeRun(context) !== undefined && !isSentRun(context),
    run: onActiveFile((context) => void send(context)),
  },
  {
    id: 'run.openSent',
    title: words.open,
    words: words.openWords,
    group: text.groups.files,
    run({ stores }) {
      stores.main
        .call('sent.choose')
        .catch((error: unknown) => stores.notices.getState().addError(words.openFailed, error));
    },
  },
  {
    id: 'run.replay',
    title: words.replay,
    words: words.replayWords,
    group: text.groups.run,
    isAvailable: isSentRun,
    run: ({ stores }) => void stores.sending.getState().replay(),
  },
] as const satisfies readonly Command[];
