/**
 * The fences below `# Options` → options, with problems at their lines of the file.
 */
import { parse, TomlError } from 'smol-toml';
import type { Diagnostic, TextRange } from '../flowspec/diagnostic.ts';
import { MAX_PROBLEMS } from '../flowspec/flow-limits.ts';
import { didYouMean } from '../flowspec/nearest.ts';
import type { AgentOptions } from './agent-doc.ts';
import { checkAgentOptions, type OptionProblem, optionKeys } from './agent-options.ts';
import type { LineBlock } from './agent-scanner.ts';
import { type PlacedLines, placeLines } from './placed-lines.ts';
import { TomlPlaces } from './toml-places.ts';

export interface ReadOptions {
  readonly options: AgentOptions;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads all fences as one TOML text, as if they stood below each other. */
export function readOptionBlocks(blocks: readonly LineBlock[]): ReadOptions {
  const placed = placeLines(blocks);
  if (placed === null) return { options: {}, diagnostics: [] };
  const table = parseToml(placed.text);
  if ('problem' in table) return { options: {}, diagnostics: [table.problem] };
  const { options, problems } = checkAgentOptions(table.value);
  const unknown = Object.keys(table.value)
    .filter((key) => !optionKeys.includes(key))
    .slice(0, MAX_PROBLEMS);
  if (problems.length === 0 && unknown.length === 0) return { options, diagnostics: [] };
  const placeOf = placeFinder(placed);
  return {
    options,
    diagnostics: [
      ...problems.map((problem) => badOption(problem, placeOf(problem.path))),
      ...unknown.flatMap((key) => unknownOption(key, placeOf([key]))),
    ],
  };
}

type TomlResult = { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: Diagnostic };

function parseToml(text: string): TomlResult {
  try {
    // A number that another program's setting needs must not make the file unreadable.
    return { value: parse(text, { integersAsBigInt: 'asNeeded' }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    const range = { line, column, endLine: line, endColumn: column + 1 };
    const message = `The options are not valid TOML: ${reason}.`;
    return { problem: { code: 'agent.options-syntax', severity: 'error', message, range } };
  }
}

function placeFinder(placed: PlacedLines): (path: readonly string[]) => TextRange {
  const places = new TomlPlaces(placed.text);
  const { line } = placed;
  return (path) => places.of(path) ?? { line, column: 1, endLine: line, endColumn: 1 };
}

function badOption({ path, reason }: OptionProblem, range: TextRange): Diagnostic {
  return { code: 'agent.bad-option', severity: 'error', message: `The option "${path.join('.')}" ${reason}.`, range };
}

/** Programs may have settings of their own, so only what looks like a slip is worth a word. */
function unknownOption(key: string, range: TextRange): Diagnostic[] {
  if (key === 'options' || key === 'default_options') {
    const message = `In an agent file options stand at the top level, so what is below [${key}] is not read.`;
    return [{ code: 'agent.unknown-option', severity: 'warning', message, range }];
  }
  const hint = didYouMean(key, optionKeys);
  if (hint === '') return [];
  return [{ code: 'agent.unknown-option', severity: 'warning', message: `There is no option "${key}".${hint}`, range }];
}
