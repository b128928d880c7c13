/**
 * Arguments → command → exit code. What a command does is loaded when it is called: this module and what it imports know
 * the names of commands and flags only, so that help, a mistake and each command cost no more than they need.
 */
import { Command, CommanderError } from 'commander';
import { EngineError } from '../base/engine-error.ts';
import { type CliContext, createCliContext } from './cli-context.ts';
import { addFormatCommand, addSchemaCommand, addValidateCommand } from './commands/files.ts';
import {
  addCheckKeysCommand,
  addInitCommands,
  addInstallCommand,
  addListCommand,
  addNewCommand,
  addPackCommand,
  addSelfCommand,
  addUninstallCommand,
  addUnpackCommand,
  addUpdateCommand,
} from './commands/packs.ts';
import { addRedoCommand, addRerunCommand, addResumeCommand, addRunCommand } from './commands/run.ts';
import { addRunsCommand } from './commands/runs.ts';
import { exitCode, exitCodeOfError, type Finish } from './exit-code.ts';
import { createTerminal } from './terminal.ts';

/** Runs the command that the arguments of `own` name. Whatever goes wrong is said on stderr. Returns the exit code. */
export async function runCli(own: NodeJS.Process): Promise<number> {
  const context = createCliContext(createTerminal(own), own);
  let code: number = exitCode.ok;
  const program = createProgram(context, (commandCode) => {
    code = commandCode;
  });
  try {
    await program.parseAsync(own.argv.slice(2), { from: 'user' });
    return code;
  } catch (error) {
    // Commander has said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.refused;
    context.terminal.err(`millrace: ${describe(error)}`);
    return exitCodeOfError(error);
  }
}

function createProgram(context: CliContext, finish: Finish): Command {
  const { terminal } = context;
  const program = new Command('millrace')
    .description('Runs agent flows and shows what they did.')
    .option('--json', 'print one JSON value a line, for programs')
    .option('--workspace <dir>', 'the workspace folder; else the nearest one around the file, else the current folder')
    .option('--store <file>', "the file that keeps the history; else the workspace's own")
    .option(
      '--trust',
      'let agents of this workspace run commands, use the web and write elsewhere, and its flows ask this machine, for this call',
    )
    .configureOutput({ writeOut: terminal.out, writeErr: (text) => terminal.err(text.trimEnd()) })
    .showHelpAfterError('(millrace --help lists what there is)')
    .exitOverride();
  const commands = [
    addRunCommand,
    addValidateCommand,
    addFormatCommand,
    addRunsCommand,
    addResumeCommand,
    addRerunCommand,
    addRedoCommand,
    addNewCommand,
    addInitCommands,
    addListCommand,
    addInstallCommand,
    addUpdateCommand,
    addUninstallCommand,
    addUnpackCommand,
    addPackCommand,
    addCheckKeysCommand,
    addSchemaCommand,
    addSelfCommand,
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

// What the operating system refuses → what is wrong, where, and what helps.

const noPermission = 'you may not do that. Check the permissions of the file and of the folder that it is in';
const noRoom = 'the disk is full. Free some space and try again';
const tooManyOpen = 'too many files are open. Close other programs and try again';

const words: Readonly<Record<string, string>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: 'the disk can only be read. Choose a folder that can be written',
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  EFBIG: 'the file would be larger than a file may be here. Raise that limit and try again',
  ENOENT: 'it does not exist. Check the path',
  ENOTDIR: 'a part of the path is a file where a folder should be. Move that file away or choose another path',
  EISDIR: 'a folder is there where a file should be. Move it away or choose another path',
  EEXIST: 'something of that name is there already. Move it away or choose another path',
  ENOTEMPTY: 'the folder is not empty. Move what is in it away or choose another path',
  ENAMETOOLONG: 'the name is longer than the system allows. Choose a shorter one',
  ELOOP: 'links lead round in a circle there. Remove one of them',
  EBUSY: 'another program is using it. Close that program and try again',
  ETXTBSY: 'another program is using it. Close that program and try again',
  EXDEV: 'it lies on another disk. Choose a path on the same one',
  EIO: 'the disk does not work. Look at the messages of the system',
  EMFILE: tooManyOpen,
  ENFILE: tooManyOpen,
  EINVAL: 'the system does not take that name. Choose another path',
  ERR_INVALID_ARG_VALUE: 'the system does not take that name. Choose another path',
};

const shownLength = 300;

/** The sentences for a failure of the system; undefined for any other error, which is a bug. */
function systemTrouble(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string')) return undefined;
  const isOfSystem = 'syscall' in thrown || thrown.code === 'ERR_INVALID_ARG_VALUE';
  if (!isOfSystem) return undefined;
  const { path, dest } = thrown as NodeJS.ErrnoException & { readonly dest?: string };
  const places = [path, dest].flatMap((place) => (typeof place === 'string' ? [shortened(place)] : []));
  const where = places.length === 0 ? 'The system refused it' : places.join(' → ');
  return `${where}: ${words[thrown.code] ?? 'the system refused it'} (${thrown.code}).`;
}

function shortened(path: string): string {
  return path.length <= shownLength ? path : `${path.slice(0, shownLength)}…`;
}
