/**
 * Maps arguments to a command and its exit code. The implementation of a command is loaded when it is called: this
 * module and its imports contain only the names of commands and options, so that help, usage errors and each command
 * load no more than they need.
 */
import { Command, CommanderError } from 'commander';
import { EngineError } from '../base/engine-error.ts';
import { programVersion } from '../base/program-version.ts';
import { explainSystemError } from '../base/system-trouble.ts';
import { type AroundCli, type CliContext, createCliContext } from './cli-context.ts';
import { addChatCommand } from './commands/chat.ts';
import { addExamplesCommand } from './commands/examples.ts';
import {
  addConvertCommand,
  addDiffCommand,
  addFormatCommand,
  addImportCommand,
  addSchemaCommand,
  addValidateCommand,
} from './commands/files.ts';
import { addMcpCommand } from './commands/mcp.ts';
import {
  addCheckKeysCommand,
  addInitCommands,
  addInstallCommand,
  addLicensesCommand,
  addListCommand,
  addNewCommand,
  addPackCommand,
  addSelfCommand,
  addUninstallCommand,
  addUnpackCommand,
  addUpdateCommand,
} from './commands/packs.ts';
import { addPolicyCommand } from './commands/policy.ts';
import { addKeysCommand, addPublishCommand } from './commands/publish.ts';
import { addReviewCommand } from './commands/review.ts';
import {
  addCancelCommand,
  addEstimateCommand,
  addInboxCommand,
  addPauseCommand,
  addRedoCommand,
  addRerunCommand,
  addResumeCommand,
  addRunCommand,
  addSimulateCommand,
} from './commands/run.ts';
import { addRunsCommand } from './commands/runs.ts';
import { addSecretsCommand } from './commands/secrets.ts';
import { addServeCommand, addTriggersCommand } from './commands/serve.ts';
import { addPackageCommand, addTeamCommand } from './commands/team.ts';
import { addTestCommand } from './commands/tests.ts';
import { addToolsCommand } from './commands/tools.ts';
import { addWorkerCommand } from './commands/worker.ts';
import { exitCode, exitCodeOfError, type Finish } from './exit-code.ts';
import { createTerminal } from './terminal.ts';

/**
 * Runs the command given by the arguments of `own`. Prints all errors to stderr. Returns the exit code.
 * @param around what the program around the command line knows; the bundled packs default to the folder next to it
 */
export async function runCli(own: NodeJS.Process, around: AroundCli = {}): Promise<number> {
  const terminal = createTerminal(own);
  let code: number = exitCode.ok;
  try {
    const context = createCliContext(terminal, own, around);
    const args = own.argv.slice(2);
    const program = createProgram(context, args, (commandCode) => {
      code = commandCode;
    });
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.refused;
    terminal.err(`millrace: ${describe(error)}`);
    return exitCodeOfError(error);
  }
}

type AddCommand = (program: Command, context: CliContext, finish: Finish) => void;

/** Functions that define the commands, in the order in which help lists them. */
const commands: Readonly<Record<string, AddCommand>> = {
  run: addRunCommand,
  validate: addValidateCommand,
  format: addFormatCommand,
  convert: addConvertCommand,
  diff: addDiffCommand,
  import: addImportCommand,
  test: addTestCommand,
  chat: addChatCommand,
  runs: addRunsCommand,
  resume: addResumeCommand,
  pause: addPauseCommand,
  cancel: addCancelCommand,
  inbox: addInboxCommand,
  rerun: addRerunCommand,
  redo: addRedoCommand,
  simulate: addSimulateCommand,
  estimate: addEstimateCommand,
  new: addNewCommand,
  examples: addExamplesCommand,
  init: addInitCommands,
  'init-base': addInitCommands,
  list: addListCommand,
  install: addInstallCommand,
  update: addUpdateCommand,
  uninstall: addUninstallCommand,
  unpack: addUnpackCommand,
  pack: addPackCommand,
  package: addPackageCommand,
  team: addTeamCommand,
  policy: addPolicyCommand,
  review: addReviewCommand,
  'check-keys': addCheckKeysCommand,
  secrets: addSecretsCommand,
  mcp: addMcpCommand,
  tools: addToolsCommand,
  worker: addWorkerCommand,
  serve: addServeCommand,
  triggers: addTriggersCommand,
  publish: addPublishCommand,
  keys: addKeysCommand,
  schema: addSchemaCommand,
  self: addSelfCommand,
  licenses: addLicensesCommand,
};

/**
 * Returns the function for the command that the first argument names. For any other argument, such as an option,
 * returns all functions.
 */
function commandsFor(first: string | undefined): Iterable<AddCommand> {
  const named = first !== undefined && Object.hasOwn(commands, first) ? commands[first] : undefined;
  return named === undefined ? new Set(Object.values(commands)) : [named];
}

function createProgram(context: CliContext, args: readonly string[], finish: Finish): Command {
  const { terminal } = context;
  const program = new Command('millrace')
    .description('Run agent flows and show what they did')
    .version(programVersion, '-V, --version', 'Print the version of Millrace')
    .option('--json', 'Print one JSON value per line, for programs')
    .option('--workspace <dir>', 'Workspace (default: the nearest one that contains the file, or the current folder)')
    .option('--store <file>', 'History file (default: .millrace/runs.db in the workspace)')
    .option(
      '--trust',
      'For this call, let agents of this workspace run commands, access the web and write outside it, and its flows send requests to this machine',
    )
    .configureOutput({ writeOut: terminal.out, writeErr: (text) => terminal.err(text.trimEnd()) })
    .showHelpAfterError('(millrace --help lists all commands)')
    .exitOverride();
  for (const add of commandsFor(args[0])) add(program, context, finish);
  return program;
}

/** Formats an expected error as one line, and a bug with its stack, for bug reports. */
function describe(error: unknown): string {
  if (EngineError.is(error)) return error.message;
  const trouble = explainSystemError(error);
  if (trouble !== undefined) return trouble;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
