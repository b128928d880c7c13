/**
 * `millrace validate FILE…`: says what is wrong with flow files, all of it at once.
 */
import type { Command } from 'commander';
import { checkFlow, type Diagnostic, EngineError, hasErrors } from '../../isomorphic.ts';
import { builtinRegistry } from '../builtin-registry.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode, type Finish } from '../exit-code.ts';
import { readFlowSource, showProblems } from '../flow-source.ts';

/** Adds `validate` to the program. */
export function addValidateCommand(program: Command, context: CliContext, finish: Finish): void {
  program
    .command('validate')
    .description('check flow files without running them')
    .argument('<files...>', 'flow files')
    .action(async (files: readonly string[], _: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const codes: number[] = [];
      for (const file of files) codes.push(await validate(context, file, json === true));
      finish(Math.max(...codes));
    });
}

/** A file that cannot be read does not keep the others from being checked. */
async function validate(context: CliContext, shown: string, isJson: boolean): Promise<number> {
  try {
    const { diagnostics } = checkFlow((await readFlowSource(context, shown)).text, builtinRegistry);
    if (isJson) context.terminal.out(diagnostics.map((diagnostic) => jsonLine(shown, diagnostic)).join(''));
    else tell(context, shown, diagnostics);
    return hasErrors(diagnostics) ? exitCode.refused : exitCode.ok;
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    context.terminal.err(`millrace: ${error.message}`);
    return exitCode.refused;
  }
}

function tell(context: CliContext, shown: string, diagnostics: readonly Diagnostic[]): void {
  showProblems(context, shown, diagnostics);
  if (hasErrors(diagnostics)) return;
  const count = diagnostics.length;
  const remark = count === 0 ? '' : `, with ${count} ${count === 1 ? 'remark' : 'remarks'}`;
  context.terminal.out(`${shown}: valid${remark}\n`);
}

function jsonLine(file: string, { range, severity, code, message }: Diagnostic): string {
  return `${JSON.stringify({ file, ...range, severity, code, message })}\n`;
}
