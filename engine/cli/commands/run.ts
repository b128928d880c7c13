/**
 * Defines the commands about single runs, such as `millrace run`, `redo`, `rerun`, `resume` and `cancel`.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { consentScopes } from '../../base/consent.ts';
import { autonomyLevels } from '../../language/flow/autonomy.ts';
import type { EstimateOptions } from '../actions/estimate.ts';
import type { RerunOptions } from '../actions/rerun.ts';
import type { ResumeOptions } from '../actions/resume.ts';
import type { CliRunOptions } from '../actions/run-options.ts';
import type { SimulateOptions } from '../actions/simulate.ts';
import type { CliContext, GlobalOptions, SharedOptions } from '../cli-context.ts';
import type { Finish } from '../exit-code.ts';

/** Adds `run` to the program. */
export function addRunCommand(program: Command, context: CliContext, finish: Finish): void {
  const command = program
    .command('run')
    .description('Run a flow or an agent, and show it until it ends or waits for a person')
    .argument('<target>', 'Flow file, PRODUCT/FLOW, agent file (*.aip) or namespace@pack/agent');
  addInputOptions(command)
    .option('-i, --on-inputs <text>', 'Input of an agent (repeatable)', collect, [])
    .option('-f, --on-files <glob>', 'Files as inputs of an agent (repeatable; not with -i)', collect, [])
    .option(
      '--break <node[:item] [if condition]>',
      'Pause before a node, in one item of a loop, if a condition holds (repeatable)',
      collect,
      [],
    )
    .addOption(
      new Option('--dry <how>', 'req: only render the prompts of an agent; res: call the model, skip Output').choices([
        'req',
        'res',
      ]),
    )
    .option('-w, --watch', 'Run the agent again each time it changes')
    .option('-v, --verbose', 'Show the prompts and responses of an agent')
    .option('--yes', 'Install a missing pack without asking');
  addPartOptions(command)
    .addOption(
      new Option('--autonomy <level>', 'Set the autonomy level of a flow, or lower the declared level').choices(
        autonomyLevels,
      ),
    )
    .option('--cassette <file>', 'Record model and HTTP calls in a file, or replay them from it')
    .addOption(
      new Option(
        '--mode <mode>',
        'How to use the cassette; auto replays recorded calls, and makes and records all others',
      ).choices(['record', 'replay', 'auto']),
    )
    .addOption(onOption('Let the workers of this Restate server execute the run'))
    .addOption(historyOption())
    .action(async (target: string) => {
      const { run } = await import('../actions/run.ts');
      finish(await run(context, target, command.optsWithGlobals<CliRunOptions>()));
    });
}

function addInputOptions(command: Command): Command {
  return command
    .option(
      '--input <key=value>',
      'Input of a flow; the value is parsed as JSON if possible, otherwise it is text (repeatable)',
      collect,
      [],
    )
    .option('--input-file <file>', 'Inputs of a flow, from a file that contains a JSON object');
}

/** Adds the options that select what a run executes. */
function addPartOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--only <node>',
        'Run only this node of the flow, with the latest outputs of the nodes before it',
      ).conflicts('to'),
    )
    .option('--to <node>', 'Run only this node of the flow and the nodes it depends on')
    .option('--pin <node=file>', 'Use JSON from a file as the output of a node (repeatable)', collect, [])
    .option('--parallel <n>', 'Maximum number of nodes that run at once', parseCount);
}

/** Adds `estimate` to the program. */
export function addEstimateCommand(program: Command, context: CliContext, finish: Finish): void {
  const command = rejectShared(program.command('estimate'), 'Estimates use the history of this machine.')
    .description('Estimate the time, tokens and cost of a run of a flow, from earlier runs')
    .argument('<flow>', 'Flow file or PRODUCT/FLOW');
  addPartOptions(addInputOptions(command)).action(async (flow: string) => {
    const { estimate } = await import('../actions/estimate.ts');
    finish(await estimate(context, flow, command.optsWithGlobals<EstimateOptions>()));
  });
}

/** Selects the Restate server. */
export function onOption(purpose: string): Option {
  return new Option('--on <url>', `${purpose}: restate://HOST:8080/WORKSPACE?admin=9070`);
}

const ofUrl = 'Take the name of the workspace from this URL';

/** Selects a history that several machines share. */
export function historyOption(): Option {
  return new Option('--history <url>', 'Shared history: postgres://USER@HOST/DATABASE (password in PGPASSWORD)');
}

/** Adds `--on` and `--history` to a command that works only with this machine's runs: they are rejected with the reason. */
export function rejectShared(command: Command, reason: string): Command {
  const reject = (): never => {
    throw new InvalidArgumentError(reason);
  };
  const hidden = ['--on <url>', '--history <url>'].map((flags) => new Option(flags).argParser(reject).hideHelp());
  return hidden.reduce((changed, option) => changed.addOption(option), command);
}

const startAgain =
  'Runs of workers cannot be repeated. Start the flow again: millrace run FLOW --on URL --history URL.';

/** Collects the values of an option that can be repeated. */
export function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

/** Adds `redo` to the program. */
export function addRedoCommand(program: Command, context: CliContext, finish: Finish): void {
  rejectShared(program.command('redo'), startAgain)
    .description('Run the whole flow or agent of an earlier run again, with the current file and the same inputs')
    .argument('<run>', 'Number or ID of the run, or latest')
    .action(async (run: string, _: unknown, command: Command) => {
      const { redo } = await import('../actions/redo.ts');
      finish(await redo(context, run, command.optsWithGlobals<GlobalOptions>()));
    });
}

/** Adds `rerun` to the program. */
export function addRerunCommand(program: Command, context: CliContext, finish: Finish): void {
  rejectShared(program.command('rerun'), startAgain)
    .description('Run an earlier run again from one node, with the current file; the other nodes keep their outputs')
    .argument('<run>', 'Number or ID of the run, or latest')
    .option('--from <node>', 'Node to run again from, or one item: each[3] of a loop, input:3 of an agent')
    .option('--plan', 'Only show what would run again and why; without --from, only because of changes')
    .option(
      '--output <node=file>',
      'Use JSON from a file, or - for stdin, as the output of a node of this run, instead of running the node (repeatable)',
      collect,
      [],
    )
    .option('--by <name>', 'Name of the person who gives the outputs (default: the system user)')
    .action(async (run: string, _: unknown, command: Command) => {
      const { rerun } = await import('../actions/rerun.ts');
      finish(await rerun(context, run, command.optsWithGlobals<RerunOptions>()));
    });
}

/** Options of `resume` that answer a request. */
const answerOptions = ['approve', 'reject', 'allow', 'answer', 'scope', 'comment', 'node', 'key'];

function changedOutputOption(): Option {
  return new Option(
    '--output <node=file>',
    'Use JSON from a file, or - for stdin, as the output of a completed node of a paused run; with --continue or --step, the run then continues',
  )
    .argParser(collect)
    .default([], '')
    .conflicts(['skip', 'edit', ...answerOptions]);
}

/** Adds the options for what a person has decided about a paused run. */
function addPauseOptions(command: Command): Command {
  return command
    .addOption(new Option('--continue', 'Let a paused run continue').conflicts(['step', 'raise', ...answerOptions]))
    .addOption(
      new Option('--step', 'Let only the next node of a paused run start').conflicts(['raise', ...answerOptions]),
    )
    .addOption(
      new Option(
        '--raise <part=limit>',
        'Continue with a higher budget: usd=0.20, tokens=5000 or seconds=60 (repeatable)',
      )
        .argParser((value: string, former: readonly string[] | undefined) => [...(former ?? []), value])
        .conflicts(['skip', 'edit', ...answerOptions]),
    )
    .addOption(
      new Option(
        '--skip <file>',
        'Let a paused run continue, with JSON from a file, or - for stdin, as the output of the held node',
      ).conflicts(['continue', 'step', 'edit', ...answerOptions.filter((name) => name !== 'node')]),
    )
    .addOption(
      new Option(
        '--edit <file>',
        'Let a paused run continue, with a JSON object from a file, or - for stdin, as the input of the held node',
      ).conflicts(['continue', 'step', ...answerOptions.filter((name) => name !== 'node')]),
    )
    .addOption(changedOutputOption());
}

/** Adds `resume` to the program. */
export function addResumeCommand(program: Command, context: CliContext, finish: Finish): void {
  const command = program
    .command('resume')
    .description('Continue an interrupted run, or answer a suspended one')
    .argument('<run>', 'Number or ID of the run, or latest')
    .addOption(new Option('--approve', 'Approve, so that the waiting nodes continue').conflicts('reject'))
    .option('--reject', 'Reject; an interrupted node fails')
    .addOption(
      new Option(
        '--allow',
        'Grant the permissions that nodes of the run wait for; asks first, only at a terminal',
      ).conflicts(['approve', 'reject', 'answer', 'scope', 'comment', 'by', 'key']),
    )
    .addOption(
      new Option('--answer <file>', 'JSON file with the answer, or - for stdin').conflicts(['approve', 'reject']),
    );
  addPauseOptions(command)
    .addOption(
      new Option(
        '--scope <scope>',
        'With --approve, how long the approval of a tool lasts: once (this call, the default) or workspace',
      ).choices(consentScopes),
    )
    .option('--comment <text>', 'Comment that is stored with the answer')
    .option('--node <id>', 'Answer only this waiting node; with --skip or --edit, the held node, if several are held')
    .option('--key <key>', 'Answer only this request of a node')
    .option('--by <name>', 'Name of the person who answers (default: the system user)')
    .option('--yes', 'End processes left by the interrupted run without asking')
    .addOption(historyOption())
    .addOption(onOption(ofUrl))
    .action(async (run: string, _: unknown, command: Command) => {
      const { resume } = await import('../actions/resume.ts');
      finish(await resume(context, run, command.optsWithGlobals<ResumeOptions>()));
    });
}

/** Adds `cancel` to the program. */
export function addCancelCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('cancel')
    .description('Cancel a run, also one of another program, and wait until it has ended')
    .argument('<run>', 'Number or ID of the run, or latest')
    .addOption(historyOption())
    .addOption(onOption(ofUrl))
    .action(async (run: string, _: unknown, command: Command) => {
      const { cancel } = await import('../actions/cancel.ts');
      finish(await cancel(context, run, command.optsWithGlobals<GlobalOptions & SharedOptions>()));
    });
}

/** Adds `pause` to the program. */
export function addPauseCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('pause')
    .description('Pause a run, also one of another program, and wait until its running nodes have finished')
    .argument('<run>', 'Number or ID of the run, or latest')
    .addOption(historyOption())
    .addOption(onOption(ofUrl))
    .action(async (run: string, _: unknown, command: Command) => {
      const { pause } = await import('../actions/cancel.ts');
      finish(await pause(context, run, command.optsWithGlobals<GlobalOptions & SharedOptions>()));
    });
}

/** Adds `simulate` to the program. */
export function addSimulateCommand(program: Command, context: CliContext): void {
  rejectShared(program.command('simulate'), 'Only runs in the history of this machine can be simulated.')
    .description('Show where an earlier run would have paused, or only made suggestions, at another autonomy level')
    .argument('<run>', 'Number or ID of the run, or latest')
    .addOption(new Option('--autonomy <level>', 'Autonomy level').choices(autonomyLevels).makeOptionMandatory())
    .action(async (run: string, _: unknown, command: Command) => {
      const { simulate } = await import('../actions/simulate.ts');
      await simulate(context, run, command.optsWithGlobals<SimulateOptions>());
    });
}

/** Adds `inbox` to the program. */
export function addInboxCommand(program: Command, context: CliContext): void {
  program
    .command('inbox')
    .description('List open requests in this workspace: first those with the nearest deadline, then the oldest')
    .addOption(historyOption())
    .addOption(onOption(ofUrl))
    .action(async (_: unknown, command: Command) => {
      const { showInbox } = await import('../actions/show-inbox.ts');
      await showInbox(context, command.optsWithGlobals<GlobalOptions & SharedOptions>());
    });
}

/**
 * Parses a whole number of at least 1.
 * @throws InvalidArgumentError, which commander reports for the option
 */
export function parseCount(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number, 1 or more.');
}

/**
 * Lets a command accept `--workspace` several times. The program's option of that name takes the values, wherever they are.
 */
export function takeWorkspaces(program: Command, command: Command): void {
  command.option('--workspace <dir>', 'Workspace; repeat it for several (default: the current one)');
  const collect = (value: string, former: string | readonly string[] | undefined): string | readonly string[] =>
    former === undefined ? value : [former, value].flat();
  program.options.find(({ long }) => long === '--workspace')?.argParser(collect);
}
