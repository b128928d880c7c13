/**
 * Defines `millrace chat`, which holds a conversation.
 */
import type { Command } from 'commander';
import type { ChatOptions } from '../actions/chat.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `chat` to the program. */
export function addChatCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('chat')
    .description('hold a conversation with a catalogue of flows')
    .argument('<file>', 'the catalogue, a *.dialogue.yaml')
    .option(
      '--script <file>',
      'take the turns of this file instead, and end with 1 at the first that comes to something else',
    )
    .option('--session <id>', 'go on with this conversation')
    .action(async (file: string, _: unknown, command: Command) => {
      const { chat } = await import('../actions/chat.ts');
      finish(await chat(context, file, command.optsWithGlobals<ChatOptions>()));
    });
}
