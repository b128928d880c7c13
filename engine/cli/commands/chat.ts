/**
 * Defines `millrace chat`, which holds a conversation.
 */
import type { Command } from 'commander';
import type { ChatOptions } from '../actions/chat.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';
import { rejectShared } from './run.ts';

/** Adds `chat` to the program. */
export function addChatCommand(program: Command, context: CliContext, finish: Finish): void {
  rejectShared(program.command('chat'), 'Conversations run only on this machine. Workers execute flows.')
    .description('Hold a conversation with a catalog of flows')
    .argument('<file>', 'Catalog file (*.dialogue.yaml)')
    .option('--script <file>', 'Run the turns of this file, and exit with 1 at the first turn with a different result')
    .option('--session <id>', 'Continue this conversation')
    .action(async (file: string, _: unknown, command: Command) => {
      const { chat } = await import('../actions/chat.ts');
      finish(await chat(context, file, command.optsWithGlobals<ChatOptions>()));
    });
}
