/**
 * Defines the command that runs test files.
 */
import { type Command, Option } from 'commander';
import type { TestOptions } from '../actions/run-test-files.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `test` to the program. */
export function addTestCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('test')
    .description('Run test files (*.test.yaml) without calling anything outside, and show what differs')
    .argument('[files...]', 'Test files, or the flows, agents, catalogs or folders to test (default: all)')
    .addOption(
      new Option('--record <calls>', 'Calls to make and to record: none, those without a recording, or all')
        .choices(['none', 'missing', 'all'])
        .default('none'),
    )
    .option('--update', 'Write the new values of failed checks to the test files')
    .option('--case <name>', 'Run only the case with this name')
    .option('--junit <file>', 'Write the results as JUnit XML')
    .option('--watch', 'Run again when a file changes')
    .option('--keep', 'Keep the runs in the history')
    .action(async (files: readonly string[], _: unknown, command: Command) => {
      const { testFiles } = await import('../actions/run-test-files.ts');
      finish(await testFiles(context, files, command.optsWithGlobals<TestOptions>()));
    });
}
