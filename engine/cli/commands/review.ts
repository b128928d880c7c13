/**
 * Defines the command that reviews and accepts files written by runs.
 */
import type { Command } from 'commander';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `review` to the program. */
export function addReviewCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('review')
    .description('show what runs have written that later runs would load, and agree to it')
    .argument('[file]', 'the file to show and to ask about; without it, list all that wait')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const { review } = await import('../actions/review.ts');
      finish(await review(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
}
