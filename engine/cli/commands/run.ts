/**
 * `millrace run TARGET`: runs a flow or an agent and shows it until it has ended.
 */
import { type Command, Option } from 'commander';
import type { RunOptions } from '../actions/run-options.ts';
import type { CliContext } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';
import { parseCount } from '../parse-count.ts';

/** Adds `run` to the program. */
export function addRunCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('run')
    .description('run a flow or an agent and show it until it has ended')
    .argument('<target>', 'a flow file, PRODUCT/FLOW, an agent file (*.aip) or namespace@pack/agent')
    .option(
      '--input <key=value>',
      'an input of a flow; the value is JSON when it parses, else text (repeatable)',
      collect,
      [],
    )
    .option('--input-file <file>', 'inputs of a flow from a file with a JSON object')
    .option('-i, --on-inputs <text>', 'an input of an agent (repeatable)', collect, [])
    .option('-f, --on-files <glob>', 'files as inputs of an agent (repeatable; not with -i)', collect, [])
    .addOption(
      new Option('--dry <how>', 'req: render the prompts of an agent only; res: ask the model, run no Output').choices([
        'req',
        'res',
      ]),
    )
    .option('-w, --watch', 'run the agent again whenever it changes')
    .option('-v, --verbose', 'show what an agent asks the model, and its answers')
    .option('--yes', 'install a pack that is missing without asking')
    .option('--parallel <n>', 'how many nodes may run at once', parseCount)
    .option('--cassette <file>', 'record calls of models and HTTP to a file, or answer them from it')
    .addOption(
      new Option(
        '--mode <mode>',
        'what the cassette is for; auto replays, and calls and records what is missing',
      ).choices(['record', 'replay', 'auto']),
    )
    .action(async (target: string, _: unknown, command: Command) => {
      const { run } = await import('../actions/run.ts');
      finish(await run(context, target, command.optsWithGlobals<RunOptions>()));
    });
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}
