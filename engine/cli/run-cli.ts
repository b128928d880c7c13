/**
 * Arguments → command → exit code.
 */
import { Command, CommanderError } from 'commander';
import { EngineError } from '../isomorphic.ts';
import type { CliContext } from './cli-context.ts';
import { addRedoCommand } from './commands/redo.ts';
import { addRunCommand } from './commands/run.ts';
import { addRunsCommand } from './commands/runs.ts';
import { addSchemaCommand } from './commands/schema.ts';
import { addValidateCommand } from './commands/validate.ts';
import { exitCode, exitCodeOfError, type Finish } from './exit-code.ts';

/** Runs the command that `args` name. Whatever goes wrong is said on stderr. */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  let code: number = exitCode.ok;
  const program = createProgram(context, (commandCode) => {
    code = commandCode;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
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
    .configureOutput({ writeOut: terminal.out, writeErr: (text) => terminal.err(text.trimEnd()) })
    .showHelpAfterError('(millrace --help lists what there is)')
    .exitOverride();
  for (const add of [addRunCommand, addValidateCommand, addRunsCommand, addRedoCommand, addSchemaCommand]) {
    add(program, context, finish);
  }
  return program;
}

/** What was expected in one line; a bug with its stack, which is what a report of it needs. */
function describe(error: unknown): string {
  if (EngineError.is(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
