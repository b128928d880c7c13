/**
 * `millrace resume RUN`: goes on with a run that stopped half-way.
 */
import { type Command, Option } from 'commander';
import type { ResumeOptions } from '../actions/resume.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `resume` to the program. */
export function addResumeCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('resume')
    .description('go on with an interrupted run, or answer a suspended one')
    .argument('<run>', 'id of the run')
    .addOption(new Option('--approve', 'let the nodes that wait go on').conflicts('reject'))
    .option('--reject', 'fail the nodes that wait')
    .option('--comment <text>', 'what there is to say about the answer')
    .option('--node <id>', 'answer this one of the nodes that wait')
    .action(async (run: string, _: unknown, command: Command) => {
      const { resume } = await import('../actions/resume.ts');
      finish(await resume(context, run, command.optsWithGlobals<ResumeOptions>()));
    });
}
