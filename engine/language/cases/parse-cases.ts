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
  /** Null if the file has an error. */
  readonly doc: CaseFileDoc | null;
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
  if (unread.length > 0 || value === undefined)
    return { doc: null, diagnostics: unread, rangeOf: () => places.start() };
  if (!isJsonMap(value)) {
    const message = 'A test file must be a map with the keys target and cases.';
    return { doc: null, diagnostics: [problemAt(message, places.start())], rangeOf: () => places.start() };
  }
  const plain = withoutExtensionKeys(value);
  const schema = caseFileSchema();
  const checked = checkAgainst(schema, plain);
  const isSingle = isJsonMap(plain['cases']);
  const rangeOf = (path: ValuePath): TextRange => places.problemRange(isSingle ? withoutIndex(path) : path);
  if (!checked.ok) {
    const found = checked.problems.map((problem) =>
      problemAt(
        messageOf(problem, plain, knownKeysAt(schema, problem.path.slice(0, -1))),
        places.problemRange(problem.path),
      ),
    );
    return { doc: null, diagnostics: worstProblems(found, MAX_PROBLEMS), rangeOf };
  }
  const { cases, ...rest } = checked.value;
  const doc = { ...rest, cases: Array.isArray(cases) ? (cases as CaseFileDoc['cases']) : [cases] } as CaseFileDoc;
  const diagnostics = repeatedNames(doc).map(({ name, index }) =>
    problemAt(`Another case has the name "${name}". Give each case its own name.`, rangeOf(['cases', index, 'name'])),
  );
  return { doc: diagnostics.length > 0 ? null : doc, diagnostics, rangeOf };
}

function withoutIndex([first, , ...rest]: ValuePath): ValuePath {
  return first === 'cases' ? ['cases', ...rest] : [first ?? '', ...rest];
}

/** Keys that begin with `x-` are for other programs. */
function withoutExtensionKeys(root: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(root).filter(([key]) => !key.startsWith('x-')));
}

function repeatedNames({ cases }: CaseFileDoc): readonly { readonly name: string; readonly index: number }[] {
  const seen = new Set<string>();
  return cases.flatMap((entry, index) => {
    if ('from' in entry) return [];
    const isRepeated = seen.has(entry.name);
    seen.add(entry.name);
    return isRepeated ? [{ name: entry.name, index }] : [];
  });
}

/** Returns the message about a problem, with the place as people name it. */
function messageOf({ path, kind, message }: SchemaMismatch, root: JsonMap, known: readonly string[]): string {
  const [first, index, ...rest] = path;
  const inCase = first === 'cases' && typeof index === 'number';
  const inWhole = inCase ? rest : path;
  const owner = inCase ? ` in case ${index + 1}${nameOf(root, index)}` : '';
  const key = inWhole.join('.');
  const subject = key === '' ? `Case ${Number(index) + 1}${nameOf(root, Number(index))}` : `\`${key}\`${owner}`;
  const odd = oddMatcher(valueAt(root, path), path);
  if (odd !== undefined) return cutMessage(`${subject} ${odd}`);
  const near = kind === 'unknown-key' ? nearestWord(String(path.at(-1)), known) : undefined;
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return cutMessage(`${subject} ${message}.${hint}`);
}

/** Places of expected values, which are conditions or plain values. */
const expectedPlaces: ReadonlySet<string | number> = new Set(['outputs', 'inputs', 'files']);

/** Explains a map that is meant as an expected value, or has an unknown condition. */
function oddMatcher(value: JsonValue | undefined, path: ValuePath): string | undefined {
  if (!isJsonMap(value ?? null) || !expectedPlaces.has(path.at(-2) ?? '')) return undefined;
  const known = Object.keys(matcherMapSchema().shape);
  const unknown = Object.keys(value as JsonMap).find((key) => !known.includes(key));
  if (unknown === undefined) return undefined;
  const near = nearestWord(unknown, known);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `has no condition "${unknown}".${hint} To compare with a map, write { equals: { … } }.`;
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
  return {
    doc: null,
    diagnostics: [{ code: 'file.too-large', severity: 'error', message, range }],
    rangeOf: () => range,
  };
}
