/**
 * Arguments → command → exit code. What a command does is loaded when it is called: this module and what it imports know
 * the names of commands and flags only, so that help, a mistake and each command cost no more than they need.
 */
import { Command, CommanderError } from 'commander';
import { EngineError } from '../base/engine-error.ts';
import { systemTrouble } from '../base/system-trouble.ts';
import { programVersion } from '../host/program-version.ts';
import { type CliContext, createCliContext } from './cli-context.ts';
import { addChatCommand } from './commands/chat.ts';
import { addConvertCommand, addFormatCommand, addSchemaCommand, addValidateCommand } from './commands/files.ts';
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
import { addReviewCommand } from './commands/review.ts';
import {
  addInboxCommand,
  addRedoCommand,
  addRerunCommand,
  addResumeCommand,
  addRunCommand,
  addSimulateCommand,
} from './commands/run.ts';
import { addRunsCommand } from './commands/runs.ts';
import { addSecretsCommand } from './commands/secrets.ts';
import { addPackageCommand, addTeamCommand } from './commands/team.ts';
import { addToolsCommand } from './commands/tools.ts';
import { exitCode, exitCodeOfError, type Finish } from './exit-code.ts';
import { createTerminal } from './terminal.ts';

/**
 * Runs the command that the arguments of `own` name. Whatever goes wrong is said on stderr. Returns the exit code.
 * @param builtInPacks the folder of the packs that come with the program, absolute; else it is looked for beside it
 */
export async function runCli(own: NodeJS.Process, builtInPacks?: string): Promise<number> {
  const terminal = createTerminal(own);
  let code: number = exitCode.ok;
  try {
    const context = createCliContext(terminal, own, builtInPacks);
    const program = createProgram(context, (commandCode) => {
      code = commandCode;
    });
    await program.parseAsync(own.argv.slice(2), { from: 'user' });
    return code;
  } catch (error) {
    // Commander has said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.refused;
    terminal.err(`millrace: ${describe(error)}`);
    return exitCodeOfError(error);
  }
}

function createProgram(context: CliContext, finish: Finish): Command {
  const { terminal } = context;
  const program = new Command('millrace')
    .description('Runs agent flows and shows what they did.')
    .version(programVersion, '-V, --version', 'print the version of Millrace')
    .option('--json', 'print one JSON value a line, for programs')
    .option('--workspace <dir>', 'the workspace folder; else the nearest one around the file, else the current folder')
    .option('--store <file>', "the file that keeps the history; else the workspace's own")
    .option(
      '--trust',
      'let agents of this workspace run commands, use the web and write elsewhere, and its flows ask this machine, for this call',
    )
    .configureOutput({ writeOut: terminal.out, writeErr: (text) => terminal.err(text.trimEnd()) })
    .showHelpAfterError('(millrace --help lists all commands)')
    .exitOverride();
  const commands = [
    addRunCommand,
    addValidateCommand,
    addFormatCommand,
    addConvertCommand,
    addChatCommand,
    addRunsCommand,
    addResumeCommand,
    addInboxCommand,
    addRerunCommand,
    addRedoCommand,
    addSimulateCommand,
    addNewCommand,
    addInitCommands,
    addListCommand,
    addInstallCommand,
    addUpdateCommand,
    addUninstallCommand,
    addUnpackCommand,
    addPackCommand,
    addPackageCommand,
    addTeamCommand,
    addPolicyCommand,
    addReviewCommand,
    addCheckKeysCommand,
    addSecretsCommand,
    addMcpCommand,
    addToolsCommand,
    addSchemaCommand,
    addSelfCommand,
    addLicensesCommand,
  ];
  for (const add of commands) add(program, context, finish);
  return program;
}

/** What was expected in one line; a bug with its stack, which is what a report of it needs. */
function describe(error: unknown): string {
  if (EngineError.is(error)) return error.message;
  const trouble = systemTrouble(error);
  if (trouble !== undefined) return trouble;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
