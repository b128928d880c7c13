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
    .description('Review and allow files that runs have written and later runs would load')
    .argument('[file]', 'File to review (default: list all files that need review)')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const { review } = await import('../actions/review.ts');
      finish(await review(context, file, command.optsWithGlobals<GlobalOptions>()));
    });
}
