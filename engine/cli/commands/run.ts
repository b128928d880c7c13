/**
 * `millrace run FILE`: runs a flow and shows it until it has ended.
 */
import { type Command, Option } from 'commander';
import type { RunOptions } from '../actions/run-flow.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';
import { parseCount } from '../parse-count.ts';

/** Adds `run` to the program. */
export function addRunCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('run')
    .description('run a flow and show it until it has ended')
    .argument('<flow>', 'a flow file, for example review.flow.yaml, or PRODUCT/FLOW')
    .option('--input <key=value>', 'an input; the value is JSON when it parses, else text (repeatable)', collect, [])
    .option('--input-file <file>', 'inputs from a file with a JSON object')
    .option('--parallel <n>', 'how many nodes may run at once', parseCount)
    .option('--cassette <file>', 'record calls of models and HTTP to a file, or answer them from it')
    .addOption(
      new Option(
        '--mode <mode>',
        'what the cassette is for; auto replays, and calls and records what is missing',
      ).choices(['record', 'replay', 'auto']),
    )
    .action(async (flow: string, _: unknown, command: Command) => {
      const { runFlow } = await import('../actions/run-flow.ts');
      finish(await runFlow(context, flow, command.optsWithGlobals<RunOptions>()));
    });
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}
