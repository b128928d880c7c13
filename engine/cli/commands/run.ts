/**
 * Defines the commands about single runs, such as `millrace run`, `redo`, `rerun` and `resume`.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { consentScopes } from '../../base/consent.ts';
import { autonomyLevels } from '../../language/flow/autonomy.ts';
import type { RerunOptions } from '../actions/rerun.ts';
import type { ResumeOptions } from '../actions/resume.ts';
import type { CliRunOptions } from '../actions/run-options.ts';
import type { SimulateOptions } from '../actions/simulate.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

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
    .addOption(
      new Option('--only <node>', 'run this node of the flow alone, with what the nodes before it gave last').conflicts(
        'to',
      ),
    )
    .option('--to <node>', 'run this node of the flow and what it depends on, and nothing else')
    .option(
      '--pin <node=file>',
      'an output that a node gives without running, from a file with JSON (repeatable)',
      collect,
      [],
    )
    .option('--parallel <n>', 'how many nodes may run at once', parseCount)
    .addOption(
      new Option('--autonomy <level>', 'what a flow may do without being asked, where it declares no less').choices(
        autonomyLevels,
      ),
    )
    .option('--cassette <file>', 'record calls of models and HTTP to a file, or answer them from it')
    .addOption(
      new Option(
        '--mode <mode>',
        'what the cassette is for; auto replays, and calls and records what is missing',
      ).choices(['record', 'replay', 'auto']),
    )
    .action(async (target: string, _: unknown, command: Command) => {
      const { run } = await import('../actions/run.ts');
      finish(await run(context, target, command.optsWithGlobals<CliRunOptions>()));
    });
}

function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

/** Adds `redo` to the program. */
export function addRedoCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('redo')
    .description('run the flow of an earlier run again, as its file is now, with the same inputs')
    .argument('<run>', 'number or id of the run')
    .action(async (run: string, _: unknown, command: Command) => {
      const { redo } = await import('../actions/redo.ts');
      finish(await redo(context, run, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `rerun` to the program. */
export function addRerunCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('rerun')
    .description('run an earlier run again from one node on, as its file is now; the rest keeps what it gave')
    .argument('<run>', 'number or id of the run')
    .option('--from <node>', 'the node from which all runs again, or one item: each[3] of a loop, input:3 of an agent')
    .option('--plan', 'only say what would run again, and why; without --from, because of what has changed')
    .action(async (run: string, _: unknown, command: Command) => {
      const { rerun } = await import('../actions/rerun.ts');
      finish(await rerun(context, run, command.optsWithGlobals<RerunOptions>()));
    });
}

/** Adds `resume` to the program. */
export function addResumeCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('resume')
    .description('go on with an interrupted run, or answer a suspended one')
    .argument('<run>', 'number or id of the run')
    .addOption(new Option('--approve', 'let the nodes that wait go on').conflicts('reject'))
    .option('--reject', 'say no; a node that was cut fails')
    .addOption(
      new Option(
        '--allow',
        'give the permissions that nodes of the run wait for; asks first, at a terminal only',
      ).conflicts(['approve', 'reject', 'answer', 'scope', 'comment', 'by', 'key']),
    )
    .addOption(
      new Option('--answer <file>', 'a JSON file with the answer, or - for stdin').conflicts(['approve', 'reject']),
    )
    .addOption(
      new Option(
        '--scope <scope>',
        'with --approve, how long the approval of a tool lasts: once (this call, the default) or workspace',
      ).choices(consentScopes),
    )
    .option('--comment <text>', 'what there is to say about the answer')
    .option('--node <id>', 'answer this one of the nodes that wait')
    .option('--key <key>', 'answer this one of the questions of a node')
    .option('--by <name>', 'who answers (default: the user of the system)')
    .option('--yes', 'end processes that the interrupted run has left, without asking')
    .action(async (run: string, _: unknown, command: Command) => {
      const { resume } = await import('../actions/resume.ts');
      finish(await resume(context, run, command.optsWithGlobals<ResumeOptions>()));
    });
}

/** Adds `simulate` to the program. */
export function addSimulateCommand(program: Command, context: CliContext): void {
  program
    .command('simulate')
    .description('say where an earlier run would have paused, or only suggested, at another level of autonomy')
    .argument('<run>', 'number or id of the run')
    .addOption(new Option('--autonomy <level>', 'the level').choices(autonomyLevels).makeOptionMandatory())
    .action(async (run: string, _: unknown, command: Command) => {
      const { simulate } = await import('../actions/simulate.ts');
      await simulate(context, run, command.optsWithGlobals<SimulateOptions>());
    });
}

/** Adds `inbox` to the program. */
export function addInboxCommand(program: Command, context: CliContext): void {
  program
    .command('inbox')
    .description('what waits for a person in this workspace, oldest first')
    .action(async (_: unknown, command: Command) => {
      const { showInbox } = await import('../actions/inbox.ts');
      await showInbox(context, command.optsWithGlobals<GlobalOptions>());
    });
}

/**
 * Parses a whole number from 1.
 * @throws InvalidArgumentError, which commander reports for the option
 */
export function parseCount(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number, 1 or more.');
}
