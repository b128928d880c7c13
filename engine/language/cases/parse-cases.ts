/**
 * Parses the text of a test file and reports problems with their positions. Never throws.
 */
import { cutMessage } from '../../base/cut-text.ts';
import { type Diagnostic, type TextRange, worstProblems } from '../findings/diagnostic.ts';
import { nearestWord } from '../findings/nearest.ts';
import { MAX_PROBLEMS } from '../flow/flow-limits.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { checkAgainst, type SchemaMismatch, type ValuePath, valueAt } from '../schema/schema-problems.ts';
import { knownKeysAt } from '../schema/schema-shape.ts';
import { YamlPlaces } from '../yaml/yaml-places.ts';
import { readYaml } from '../yaml/yaml-source.ts';
import { yamlToJson } from '../yaml/yaml-to-json.ts';
import { type CaseFileDoc, caseFileSchema } from './case-doc.ts';
import { matcherMapSchema } from './matcher-doc.ts';

export interface ParsedCases {
  /** Null if no case can be read. */
  readonly doc: CaseFileDoc | null;
  /** Indexes of the cases with errors, which have only a name in `doc`. */
  readonly invalid: ReadonlySet<number>;
  /** In text order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Returns the range of the value at a path of the document. `cases.0` is also the range of a single dataset. */
  rangeOf(path: ValuePath): TextRange;
}

/** Maximum length of a test file in UTF-16 units. Rows belong in a file of their own. */
const maxLength = 4 * 1024 * 1024;

/** Parses a test file. */
export function parseCases(text: string): ParsedCases {
  const source = text.replace(/^\uFEFF/, '');
  if (source.length > maxLength) return tooLong();
  const { root, problems } = readYaml(source);
  const read = root === null ? undefined : yamlToJson(root);
  const places = new YamlPlaces({ text: source, root, aliasTargets: read?.aliasTargets ?? new Map() });
  const unread = [...problems, ...(read?.problems ?? [])].map(
    ({ code, message, start, end }): Diagnostic => ({
      ...{ code, severity: 'error', message },
      range: places.sourceRange({ code, message, start, end }),
    }),
  );
  const value = read?.value;
  if (unread.length > 0 || value === undefined) {
    const empty = problemAt('The file is empty. A test file needs the keys target and cases.', places.start());
    const diagnostics = unread.map((one) => (one.code === 'yaml.empty' ? empty : one));
    return nothing(diagnostics, () => places.start());
  }
  if (!isJsonMap(value)) {
    const message = 'A test file must be a map with the keys target and cases.';
    return nothing([problemAt(message, places.start())], () => places.start());
  }
  const plain = withoutExtensionKeys(value);
  const schema = caseFileSchema();
  const checked = checkAgainst(schema, plain);
  const isSingle = isJsonMap(plain['cases']);
  const rangeOf = (path: ValuePath): TextRange => places.problemRange(isSingle ? withoutIndex(path) : path);
  const problemsFound = checked.ok ? [] : checked.problems;
  const found = problemsFound.map((problem) =>
    problemAt(
      messageOf(problem, plain, knownKeysAt(schema, problem.path.slice(0, -1))),
      places.problemRange(problem.path),
    ),
  );
  const readable = checked.ok ? { cases: checked.value, invalid: none } : readableCases(plain, checked.problems);
  if (readable === undefined) return nothing(worstProblems(found, MAX_PROBLEMS), rangeOf);
  const { cases, ...rest } = readable.cases;
  const doc = { ...rest, cases: Array.isArray(cases) ? (cases as CaseFileDoc['cases']) : [cases] } as CaseFileDoc;
  const repeated = repeatedNames(doc, readable.invalid);
  const diagnostics = [
    ...found,
    ...repeated.map(({ name, index }) =>
      problemAt(`Another case has the name "${name}". Give each case its own name.`, rangeOf(['cases', index, 'name'])),
    ),
  ];
  const invalid = new Set([...readable.invalid, ...repeated.map(({ index }) => index)]);
  return { doc, invalid, diagnostics: worstProblems(diagnostics, MAX_PROBLEMS), rangeOf };
}

const none: ReadonlySet<number> = new Set();

function nothing(diagnostics: readonly Diagnostic[], rangeOf: ParsedCases['rangeOf']): ParsedCases {
  return { doc: null, invalid: none, diagnostics, rangeOf };
}

/** Returns the file without its invalid cases, which have only a name; undefined if something else is invalid. */
function readableCases(root: JsonMap, problems: readonly SchemaMismatch[]) {
  const list = root['cases'];
  const invalid = new Set<number>();
  for (const { path } of problems) {
    const [first, index] = path;
    if (first !== 'cases' || typeof index !== 'number') return undefined;
    invalid.add(index);
  }
  if (!isJsonList(list ?? null)) return undefined;
  const cases = (list as JsonValue[]).map((one, index) => (invalid.has(index) ? { name: `case ${index + 1}` } : one));
  const checked = checkAgainst(caseFileSchema(), { ...root, cases });
  return checked.ok ? { cases: checked.value, invalid } : undefined;
}

function withoutIndex([first, , ...rest]: ValuePath): ValuePath {
  return first === 'cases' ? ['cases', ...rest] : [first ?? '', ...rest];
}

/** Keys that begin with `x-` are for other programs. */
function withoutExtensionKeys(root: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(root).filter(([key]) => !key.startsWith('x-')));
}

function repeatedNames(
  { cases }: CaseFileDoc,
  invalid: ReadonlySet<number>,
): readonly { readonly name: string; readonly index: number }[] {
  const seen = new Set<string>();
  return cases.flatMap((entry, index) => {
    if ('from' in entry || invalid.has(index)) return [];
    const isRepeated = seen.has(entry.name);
    seen.add(entry.name);
    return isRepeated ? [{ name: entry.name, index }] : [];
  });
}

/** Returns the message about a problem, with the place as people name it. */
function messageOf({ path, kind, message }: SchemaMismatch, root: JsonMap, known: readonly string[]): string {
  // The schema reports a missing condition at the only key that is not one.
  if (path.at(-1) === 'ignoreCase' && valueAt(root, path) === undefined)
    return messageOf({ path: path.slice(0, -1), kind, message }, root, known);
  const [first, index, ...rest] = path;
  const inCase = first === 'cases' && typeof index === 'number';
  const inWhole = inCase ? rest : path;
  const owner = inCase ? ` in case ${index + 1}${nameOf(root, index)}` : '';
  const key = inWhole.join('.');
  const subject = key === '' ? `Case ${Number(index) + 1}${nameOf(root, Number(index))}` : `\`${key}\`${owner}`;
  const odd = oddMatcher(valueAt(root, path), path);
  if (odd !== undefined && 'below' in odd)
    return messageOf({ ...odd.below, path: [...path, ...odd.below.path] }, root, []);
  if (odd !== undefined) return cutMessage(`${subject} ${odd.problem}`);
  const near = kind === 'unknown-key' ? nearestWord(String(path.at(-1)), known) : undefined;
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return cutMessage(`${subject} ${message}.${hint}`);
}

/** Places of expected values, which are conditions or plain values. */
const expectedPlaces: ReadonlySet<string | number> = new Set(['outputs', 'inputs', 'files']);

/** Explains a map that is meant as an expected value, or whose conditions are wrong. */
function oddMatcher(
  value: JsonValue | undefined,
  path: ValuePath,
): { readonly problem: string } | { readonly below: SchemaMismatch } | undefined {
  if (!isJsonMap(value ?? null) || !expectedPlaces.has(path.at(-2) ?? '')) return undefined;
  const keys = Object.keys(value as JsonMap);
  if (keys.length === 0) return { problem: 'is an empty map. Write a value, or a condition such as { exists: true }.' };
  const known = Object.keys(matcherMapSchema().shape);
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const near = nearestWord(unknown, known);
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    return { problem: `has no condition "${unknown}".${hint} To compare with a map, write { equals: { … } }.` };
  }
  const checked = checkAgainst(matcherMapSchema(), value as JsonMap);
  const [below] = checked.ok ? [] : checked.problems;
  return below === undefined ? undefined : { below };
}

function nameOf(root: JsonMap, index: number): string {
  const entry = isJsonList(root['cases']) ? root['cases'][index] : undefined;
  const name = isJsonMap(entry) ? entry['name'] : undefined;
  return typeof name === 'string' && name !== '' ? ` ("${name}")` : '';
}

function problemAt(message: string, range: TextRange): Diagnostic {
  return { code: 'test.invalid', severity: 'error', message, range };
}

function tooLong(): ParsedCases {
  const range = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const message = `The file has more than ${maxLength / 1024 / 1024} MiB. Move the inputs to a CSV or JSON Lines file, and name it with \`from\`.`;
  return nothing([{ code: 'file.too-large', severity: 'error', message, range }], () => range);
}
