/**
 * Parses the fences below `# Options` into options and reports problems at their lines in the file. The parser only
 * provides positions for syntax errors, so keys are located here.
 */
import { parse, TomlError } from 'smol-toml';
import type { Diagnostic, TextRange } from '../findings/diagnostic.ts';
import { didYouMean } from '../findings/nearest.ts';
import { MAX_PROBLEMS } from '../flow/flow-limits.ts';
import { frozenCopy } from '../json/checked-json.ts';
import { type JsonSchema, schemaProblems } from '../schema/json-schema.ts';
import { readContract } from './agent-contract.ts';
import type { AgentNode, AgentOptions, OutputSchema, PureContract } from './agent-doc.ts';
import { readAgentNode } from './agent-node.ts';
import {
  checkAgentOptions,
  contractOption,
  nodeOption,
  type OptionProblem,
  optionKeys,
  purposeOption,
  schemaOption,
} from './agent-options.ts';
import type { LineBlock } from './agent-scanner.ts';

interface PlacedLines {
  /** Text with blank lines in place of omitted ones. Each line ends in a line feed. */
  readonly text: string;
  /** File line, from 1, of the first line in the first block. */
  readonly line: number;
}

/**
 * Joins consecutive blocks in a file and keeps each line at its position, so that line numbers in the result match the
 * file. Null if the blocks have no lines.
 */
export function placeLines(blocks: readonly LineBlock[]): PlacedLines | null {
  const pieces: string[] = [];
  let line: number | undefined;
  let next = 1;
  for (const { firstLine, lines } of blocks) {
    if (lines.length === 0) continue;
    line ??= firstLine;
    pieces.push('\n'.repeat(firstLine - next), lines.join('\n'), '\n');
    next = firstLine + lines.length;
  }
  return line === undefined ? null : { text: pieces.join(''), line };
}

interface ParsedOptions {
  readonly options: AgentOptions;
  readonly outputSchema?: OutputSchema;
  readonly node?: AgentNode;
  readonly pure?: PureContract;
  readonly diagnostics: readonly Diagnostic[];
}

const knownKeys: ReadonlySet<string> = new Set([
  ...optionKeys,
  schemaOption,
  nodeOption,
  contractOption,
  purposeOption,
]);

/** Parses all fences as one TOML document. */
export function readOptionBlocks(blocks: readonly LineBlock[]): ParsedOptions {
  const placed = placeLines(blocks);
  if (placed === null) return { options: {}, diagnostics: [] };
  const table = parseToml(placed.text);
  if ('problem' in table) return { options: {}, diagnostics: [table.problem] };
  const { options, problems: ofOptions } = checkAgentOptions(table.value);
  const given = table.value[schemaOption];
  const schema = given === undefined ? {} : readOutputSchema(given);
  const asNode = Object.hasOwn(table.value, nodeOption) ? readAgentNode(table.value[nodeOption]) : { problems: [] };
  const { pure, problems: ofContract } = readContract(table.value);
  const problems = [...ofOptions, ...(schema.problems ?? []), ...asNode.problems, ...ofContract];
  const unknown = Object.keys(table.value)
    .filter((key) => !knownKeys.has(key))
    .slice(0, MAX_PROBLEMS);
  const whole = {
    ...(asNode.node === undefined ? {} : { node: asNode.node }),
    ...(pure === undefined ? {} : { pure }),
  };
  if (problems.length === 0 && unknown.length === 0 && given === undefined)
    return { options, ...whole, diagnostics: [] };
  const placeOf = placeFinder(placed);
  const { file } = schema;
  return {
    options,
    ...whole,
    ...(schema.schema === undefined ? {} : { outputSchema: { schema: schema.schema } }),
    ...(file === undefined ? {} : { outputSchema: { file, range: placeOf([schemaOption]) } }),
    diagnostics: [
      ...problems.map((problem) => badOption(problem, placeOf(problem.path))),
      ...unknown.flatMap((key) => unknownOption(key, placeOf([key]))),
    ],
  };
}

interface GivenSchema {
  readonly schema?: JsonSchema;
  readonly file?: string;
  readonly problems?: readonly OptionProblem[];
}

function readOutputSchema(given: unknown): GivenSchema {
  if (typeof given === 'string' && given !== '') return { file: given };
  const copy = typeof given === 'object' ? frozenCopy(given) : undefined;
  if (copy?.ok !== true) {
    const reason = 'must be the path of a JSON Schema file, or a table that is a JSON Schema';
    return { problems: [{ path: [schemaOption], reason }] };
  }
  const found = schemaProblems(copy.value);
  // Without problems, the value is a schema.
  if (found.length === 0) return { schema: copy.value as JsonSchema };
  const problems = found.map(({ path, message }) => ({
    path: [schemaOption, ...path.map(String)],
    reason: `is not valid: ${message}`,
  }));
  return { problems };
}

type TomlResult = { readonly value: Readonly<Record<string, unknown>> } | { readonly problem: Diagnostic };

function parseToml(text: string): TomlResult {
  try {
    // A large number in another program's setting must not make the file unreadable.
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
  const end = reason.endsWith('.') ? '' : '.';
  return {
    code: 'agent.bad-option',
    severity: 'error',
    message: `The option "${path.join('.')}" ${reason}${end}`,
    range,
  };
}

/** Other programs may define their own settings, so only probable typos are reported. */
function unknownOption(key: string, range: TextRange): Diagnostic[] {
  if (key === 'options' || key === 'default_options') {
    const message = `The table [${key}] is ignored: in an agent file, options are at the top level. Remove the line [${key}].`;
    return [{ code: 'agent.unknown-option', severity: 'warning', message, range }];
  }
  const hint = didYouMean(key, [...knownKeys]);
  if (hint === '') return [];
  return [
    { code: 'agent.unknown-option', severity: 'warning', message: `Option "${key}" does not exist.${hint}`, range },
  ];
}

/** Lines longer than this are not searched for keys. */
const longestLine = 1000;

/** Maximum nesting depth of keys that is distinguished. Known settings are less deep. */
const levels = 12;

/**
 * Lines and columns of keys, by path. Finds keys on separate lines, as people write settings. For keys in inline
 * tables, the position is that of the table's key.
 */
class TomlPlaces {
  readonly #places = new Map<string, TextRange>();
  #table: readonly string[] = [];

  constructor(text: string) {
    let quotes: string | null = null;
    for (const [index, line] of text.split('\n').entries()) {
      const isInside = quotes !== null;
      if (!isInside && line.trimStart().startsWith('#')) continue;
      quotes = openQuotes(line, quotes);
      if (!isInside && line.length <= longestLine) this.#readLine(line, index + 1);
    }
  }

  /**
   * Returns the position of the key at `path`, or of the nearest table that contains it; undefined if none was found.
   */
  of(path: readonly string[]): TextRange | undefined {
    for (let length = Math.min(path.length, levels); length > 0; length--) {
      const place = this.#places.get(JSON.stringify(path.slice(0, length)));
      if (place !== undefined) return place;
    }
    return undefined;
  }

  #readLine(line: string, number: number): void {
    const start = line.search(/\S/);
    const header = /^\s*\[\[?([^[\]]*)\]/.exec(line);
    if (header !== null) {
      this.#table = keysOf(header[1] ?? '');
      this.#add(this.#table, { line: number, column: start + 1, endLine: number, endColumn: header[0].length + 1 });
      return;
    }
    const equals = line.indexOf('=');
    if (equals === -1) return;
    const key = line.slice(0, equals).trimEnd();
    const range = { line: number, column: start + 1, endLine: number, endColumn: key.length + 1 };
    this.#add([...this.#table, ...keysOf(key)], range);
  }

  /** A dotted key also sets the position of each table it names, unless that table has its own line. */
  #add(path: readonly string[], range: TextRange): void {
    for (let length = 1; length <= Math.min(path.length, levels); length++) {
      const key = JSON.stringify(path.slice(0, length));
      if (!this.#places.has(key)) this.#places.set(key, range);
    }
  }
}

function keysOf(text: string): string[] {
  const keys = text.matchAll(/"([^"]*)"|'([^']*)'|([^\s."'=]+)/g);
  return Array.from(keys, ([, double, single, bare]) => double ?? single ?? bare ?? '');
}

/** Returns the multi-line quotes that are open after a line. */
function openQuotes(line: string, before: string | null): string | null {
  let open = before;
  let at = 0;
  for (;;) {
    const next = open === null ? line.slice(at).search(/"""|'''/) : line.indexOf(open, at) - at;
    if (next < 0) return open;
    open = open === null ? line.slice(at + next, at + next + 3) : null;
    at += next + 3;
  }
}
