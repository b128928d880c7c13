/**
 * Implements `format`.
 */
import path from 'node:path';
import { applyEdits, EngineError, editFlow, MAX_FLOW_TEXT_LENGTH } from '../../isomorphic.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { readFlowFile } from '../../world/files/read-flow.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';

export interface FormatOptions extends GlobalOptions {
  /** Only reports which files would change. */
  readonly check?: true;
}

/**
 * Formats all given flow files, even if one fails.
 * @returns the highest exit code
 */
export async function formatFiles(
  context: CliContext,
  files: readonly string[],
  options: FormatOptions,
): Promise<number> {
  const codes: number[] = [];
  for (const file of files) codes.push(await formatOrSay(context, file, options));
  return Math.max(...codes);
}

async function formatOrSay(context: CliContext, shown: string, { check, json }: FormatOptions): Promise<number> {
  const { terminal } = context;
  try {
    const isChanged = await format(path.resolve(context.folder, shown), shown, check === true);
    if (json === true) terminal.json(`${JSON.stringify({ file: shown, changed: isChanged })}\n`);
    else terminal.out(`${shown}: ${wordFor(isChanged, check === true)}\n`);
    return isChanged && check === true ? exitCode.failed : exitCode.ok;
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    terminal.err(`millrace: ${error.message}`);
    return exitCode.refused;
  }
}

function wordFor(isChanged: boolean, isCheck: boolean): string {
  if (!isChanged) return 'unchanged';
  return isCheck ? 'would change' : 'formatted';
}

/** @returns whether the file changes @throws EngineError if the file cannot be formatted */
async function format(file: string, shown: string, isCheck: boolean): Promise<boolean> {
  const { text, loss } = await readFlowFile(file, { shownPath: shown, maxLength: MAX_FLOW_TEXT_LENGTH });
  if (loss !== undefined) throw usageError(loss);
  const edit = editFlow(text, { do: 'format' });
  if (!edit.ok) throw usageError(`${shown}: ${edit.error.message}`);
  if (edit.edits.length > 0 && !isCheck) await writeFileAtomically(file, applyEdits(text, edit.edits));
  return edit.edits.length > 0;
}
