/**
 * Implements `diff`.
 */
import { type DifferencePart, diffFlows, EngineError, editFlow, type FlowDifference } from '../../isomorphic.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { readFlowSource } from '../flow-source.ts';

/** What git passes for a file that does not exist. */
const noFile = '/dev/null';

/**
 * Prints one line for each difference: its kind, its line in the second file (of removed parts, in the first one), and
 * what changes. With `--json`, prints them as one value.
 * @returns the exit code
 * @throws EngineError `edit.refused` if a file is not a flow, or invalid YAML
 */
export async function diffFiles(
  context: CliContext,
  files: { readonly before: string; readonly after: string },
  { json }: GlobalOptions,
): Promise<number> {
  const { terminal } = context;
  const read = async (shown: string): Promise<string> => {
    if (shown === noFile) return '';
    const { text } = await readFlowSource(context, shown);
    const unchanged = editFlow(text, { do: 'all', changes: [], label: '' });
    if (!unchanged.ok) throw new EngineError({ ...unchanged.error, message: `${shown}: ${unchanged.error.message}` });
    return text;
  };
  const [before, after] = [await read(files.before), await read(files.after)];
  if (before === '' || after === '') {
    const word = before === '' ? 'Adds' : 'Removes';
    if (json === true) terminal.json(`${JSON.stringify({ [before === '' ? 'added' : 'removed']: true })}\n`);
    else terminal.out(`${word} the file.\n`);
    return exitCode.ok;
  }
  const { differences } = diffFlows({ before, after });
  if (json === true) terminal.json(`${JSON.stringify({ differences })}\n`);
  else terminal.out(differences.map(lineOf).join('') || 'No differences.\n');
  return exitCode.ok;
}

function lineOf({ parts, line, text }: FlowDifference): string {
  return `${parts[0] === undefined ? ' ' : markOf(parts[0])} ${String(line).padStart(4)}  ${text}\n`;
}

function markOf({ what }: DifferencePart): string {
  if (what.endsWith('-added')) return '+';
  return what.endsWith('-removed') ? '-' : '~';
}
