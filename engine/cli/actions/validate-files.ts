/**
 * Implements `validate`.
 */
import { type Diagnostic, EngineError, hasErrors } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { readFlowSource, showProblems } from '../flow-source.ts';
import { allProblemsOf } from './file-problems.ts';

/**
 * Checks all given flow and agent files, even if one of them cannot be read.
 * @returns the highest exit code
 */
export async function validateFiles(
  context: CliContext,
  files: readonly string[],
  options: GlobalOptions,
): Promise<number> {
  const codes: number[] = [];
  for (const file of files) codes.push(await validate(context, file, options));
  return Math.max(...codes);
}

async function validate(context: CliContext, shown: string, options: GlobalOptions): Promise<number> {
  try {
    const source = await readFlowSource(context, shown);
    const diagnostics = await allProblemsOf(source, {
      context,
      workspace: resolveWorkspace(context, options, source.file),
    });
    if (options.json === true)
      context.terminal.json(diagnostics.map((diagnostic) => jsonLine(shown, diagnostic)).join(''));
    else printProblems(context, shown, diagnostics);
    return hasErrors(diagnostics) ? exitCode.refused : exitCode.ok;
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    context.terminal.err(`millrace: ${error.message}`);
    return exitCode.refused;
  }
}

function printProblems(context: CliContext, shown: string, diagnostics: readonly Diagnostic[]): void {
  showProblems(context, shown, diagnostics);
  if (hasErrors(diagnostics)) return;
  const count = diagnostics.length;
  const remark = count === 0 ? '' : `, with ${count} ${count === 1 ? 'remark' : 'remarks'}`;
  context.terminal.out(`${shown}: valid${remark}\n`);
}

function jsonLine(file: string, { range, severity, code, message }: Diagnostic): string {
  return `${JSON.stringify({ file, ...range, severity, code, message })}\n`;
}
