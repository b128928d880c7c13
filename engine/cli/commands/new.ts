/**
 * `millrace new KIND NAME`: files to begin with.
 */
import type { Command } from 'commander';
import type { NewKind } from '../actions/new-file.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';

const kinds: Readonly<Record<NewKind, string>> = {
  agent: 'an agent file in the current folder',
  pack: 'a pack in the workspace; its name is namespace@name',
  flow: 'a flow file in the current folder',
};

/** Adds `new` with its subcommands to the program. */
export function addNewCommand(program: Command, context: CliContext): void {
  const added = program.command('new').description('write an agent, a pack or a flow to begin with');
  for (const [kind, description] of Object.entries(kinds)) {
    added
      .command(kind)
      .description(description)
      .argument('<name>', 'its name')
      .action(async (name: string, _: unknown, command: Command) => {
        const { writeNew } = await import('../actions/new-file.ts');
        await writeNew(context, { kind: kind as NewKind, name }, command.optsWithGlobals<GlobalOptions>());
      });
  }
}
