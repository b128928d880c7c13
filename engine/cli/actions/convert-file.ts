/**
 * Implements `convert`.
 */
import { composeFlow, convertSteps, hasErrors, type LostPart, type ParsedFlow, parseFlow } from '../../isomorphic.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { readFlowSource, showProblems } from '../flow-source.ts';

/**
 * Prints the flow of nodes that is equivalent to a file with steps. Prints the lost parts to stderr, with the positions
 * of their steps. With `--json`, prints both as one value.
 * @returns the exit code
 * @throws EngineError `cli.usage` for a file without steps
 */
export async function convertFile(context: CliContext, shown: string, { json }: GlobalOptions): Promise<number> {
  const { terminal } = context;
  const { text } = await readFlowSource(context, shown);
  const parsed = parseFlow(text);
  const { steps, diagnostics } = parsed;
  if (hasErrors(diagnostics)) {
    showProblems(context, shown, diagnostics);
    return exitCode.refused;
  }
  if (steps === undefined)
    throw usageError(`${shown} already has nodes and edges. Only files with steps can be converted.`);
  const { doc, lost } = convertSteps(steps);
  if (json === true) {
    terminal.json(`${JSON.stringify({ text: composeFlow(doc), lost })}\n`);
    return exitCode.ok;
  }
  for (const part of lost) terminal.err(`${shown}:${lineOf(part, parsed)} ${part.message}`);
  terminal.out(composeFlow(doc));
  return exitCode.ok;
}

function lineOf({ step }: LostPart, { nodeRange }: ParsedFlow): number {
  return (step === undefined ? undefined : nodeRange(step)?.line) ?? 1;
}
