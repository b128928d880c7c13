/**
 * Parses the text of a catalog (`*.dialogue.yaml`) and reports problems with their positions. Never throws.
 */
import { cutMessage } from '../../base/cut-text.ts';
import { type Diagnostic, type DiagnosticCode, hasErrors, worstProblems } from '../../language/findings/diagnostic.ts';
import { type Finding, messageOf } from '../../language/findings/finding.ts';
import { MAX_PROBLEMS } from '../../language/flow/flow-limits.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { checkAgainst, type SchemaMismatch, type ValuePath } from '../../language/schema/schema-problems.ts';
import { knownKeysAt } from '../../language/schema/schema-shape.ts';
import { readQuickly } from '../../language/yaml/quick-yaml.ts';
import { YamlPlaces } from '../../language/yaml/yaml-places.ts';
import { readYaml, type SourceProblem } from '../../language/yaml/yaml-source.ts';
import { yamlToJson } from '../../language/yaml/yaml-to-json.ts';
import type { FlowClass } from './base-flow.ts';
import { type Catalogue, compileCatalogue } from './catalogue.ts';
import { CATALOGUE_VERSION, type CatalogueDoc, catalogueSchema } from './catalogue-doc.ts';
import { catalogueFindings } from './catalogue-findings.ts';

export interface ParsedCatalogue {
  /** Null if an error prevents conversations. */
  readonly catalogue: Catalogue | null;
  /** The content of the file without keys for other programs; null if its shape is invalid. */
  readonly doc: CatalogueDoc | null;
  /** All problems in text order. */
  readonly diagnostics: readonly Diagnostic[];
  /** Returns the positions of values in the text, by path. Computing them takes longer than all other parsing. */
  readonly places: () => YamlPlaces;
}

/** Maximum length in characters. Typical catalogs are a few pages long. */
const maxCatalogueLength = 1024 * 1024;

const emptyWords = 'The file is empty. A catalog needs the keys intents and flows.';

/** Parses a catalog. @param classes the host program's classes for the flows */
export function parseCatalogue(text: string, classes: readonly FlowClass[] = []): ParsedCatalogue {
  const source = text.replace(/^\uFEFF/, '');
  if (source.length > maxCatalogueLength) return tooLong(source.length);
  const quick = readQuickly(source);
  if (quick === undefined) return readFully(source, classes);
  let full: ParsedCatalogue | undefined;
  const places = (): YamlPlaces => {
    full ??= readFully(source, classes);
    return full.places();
  };
  return read(quick, { found: [], classes }, places);
}

function readFully(source: string, classes: readonly FlowClass[]): ParsedCatalogue {
  const { root, problems } = readYaml(source);
  if (root === null) return unreadable(source, problems);
  const { value, problems: valueProblems, aliasTargets } = yamlToJson(root);
  const found = new YamlPlaces({ text: source, root, aliasTargets });
  const places = (): YamlPlaces => found;
  const wrong = valueProblems.map((problem) => fromSource(problem, found));
  if (isJsonMap(value)) return read(value, { found: wrong, classes }, places);
  const words = 'A catalog must be a map with the keys intents and flows.';
  return { catalogue: null, doc: null, diagnostics: [...wrong, error('dialogue.not-a-map', words, found)], places };
}

interface CatalogueParse {
  /** Problems in the text itself. */
  readonly found: readonly Diagnostic[];
  readonly classes: readonly FlowClass[];
}

function read(root: JsonMap, { found, classes }: CatalogueParse, places: () => YamlPlaces): ParsedCatalogue {
  const plain = withoutExtensionKeys(root) as JsonMap;
  const checked = checkAgainst(catalogueSchema, plain);
  const shape = checked.ok ? [] : checked.problems.map((problem) => findingOf(problem, plain));
  // References are checked even if the shape is invalid elsewhere, so that a user sees all problems at once.
  const findings = worstProblems([...shape, ...catalogueFindings(plain)], MAX_PROBLEMS);
  const taken = new Set(found.map(({ range }) => `${range.line}:${range.column}`));
  const diagnostics = [
    ...found,
    ...findings
      .map((finding) => diagnosticOf(finding, places()))
      .filter(({ range, code }) => code === 'dialogue.missing-key' || !taken.has(`${range.line}:${range.column}`)),
  ].sort(({ range: left }, { range: right }) => left.line - right.line || left.column - right.column);
  const doc = checked.ok ? checked.value : null;
  return {
    catalogue: doc === null || hasErrors(diagnostics) ? null : compileCatalogue(doc, classes),
    doc,
    diagnostics,
    places,
  };
}

/** Returns why the value is not a catalog; undefined if it is one, even with problems between its parts. */
export function shapeProblem(root: JsonMap): string | undefined {
  const plain = withoutExtensionKeys(root) as JsonMap;
  const checked = checkAgainst(catalogueSchema, plain);
  const [first] = checked.ok ? [] : checked.problems;
  return first === undefined ? undefined : messageOf(findingOf(first, plain));
}

function tooLong(length: number): ParsedCatalogue {
  const places = new YamlPlaces({ text: '', root: null, aliasTargets: new Map() });
  const limit = maxCatalogueLength.toLocaleString('en');
  const words = `The file has ${length.toLocaleString('en')} characters, but a catalog can have at most ${limit}. Split it.`;
  return { catalogue: null, doc: null, diagnostics: [error('file.too-large', words, places)], places: () => places };
}

function unreadable(text: string, problems: readonly SourceProblem[]): ParsedCatalogue {
  const places = new YamlPlaces({ text, root: null, aliasTargets: new Map() });
  const diagnostics = problems.map((problem) => fromSource(problem, places));
  return { catalogue: null, doc: null, diagnostics, places: () => places };
}

function fromSource(problem: SourceProblem, places: YamlPlaces): Diagnostic {
  const message = problem.code === 'yaml.empty' ? emptyWords : problem.message;
  return { code: problem.code, severity: 'error', message: cutMessage(message), range: places.sourceRange(problem) };
}

function error(code: DiagnosticCode, message: string, places: YamlPlaces): Diagnostic {
  return { code, severity: 'error', message, range: places.start() };
}

function diagnosticOf(finding: Finding, places: YamlPlaces): Diagnostic {
  const { code, severity, path, focus } = finding;
  const isMissingAtTop = code === 'dialogue.missing-key' && path.length === 1;
  const range = focus === 'key' ? places.keyRange(path) : places.problemRange(path);
  return { code, severity, message: messageOf(finding), range: isMissingAtTop ? places.start() : range };
}

const codes = {
  missing: 'dialogue.missing-key',
  'wrong-type': 'dialogue.wrong-type',
  'bad-value': 'dialogue.bad-value',
  'unknown-key': 'dialogue.unknown-key',
} as const;

/** Keys that belong next to `policy`, but that other formats put inside it. */
const besidePolicy: ReadonlySet<string> = new Set(['fallback', 'lats', 'tools', 'output']);

function findingOf({ path, kind, message }: SchemaMismatch, root: JsonMap): Finding {
  const code = codes[kind];
  const name = nameOf(path, root);
  if (kind === 'unknown-key') {
    const key = String(path.at(-1));
    const known = knownKeysAt(catalogueSchema, path.slice(0, -1));
    const isMisplaced = path.at(-2) === 'policy' && besidePolicy.has(key);
    const hint = isMisplaced ? ' Write it next to policy, not in it.' : '';
    const words = `The key "${key}" is not allowed here.${hint}`;
    const mistyped = isMisplaced ? {} : { mistyped: { word: key, known } };
    return { code, severity: 'error', message: words, path, focus: 'key', ...mistyped };
  }
  if (path[0] === 'version') {
    const isNewer = typeof root['version'] === 'number' && root['version'] > CATALOGUE_VERSION;
    const words = isNewer
      ? 'The file was written for a newer version of Millrace. Update Millrace'
      : `version must be ${CATALOGUE_VERSION}`;
    return { code: isNewer ? 'dialogue.newer-version' : code, severity: 'error', message: `${words}.`, path };
  }
  const words = kind === 'missing' ? `${name} is missing.` : `${name} ${message}.`;
  return { code, severity: 'error', message: words + (hints[`${kind} ${path.at(-1)}`] ?? ''), path };
}

const hints: Readonly<Record<string, string>> = {
  'missing intents': ' Write intents: { Read: {} }, with a name for each group of flows.',
  'missing flows': ' Write flows: with an entry for each thing that people can request.',
  'missing policy': ' Write policy: { flow: FILE }, or skill, agent or builtin in place of flow.',
  'bad-value policy': ' Use one of the keys skill, agent, flow and builtin.',
  'missing priority': ' Use required, elective or optional.',
  'bad-value tools': ' Remove the key if the flow needs no tools.',
};

/** Formats a path with flow names instead of indexes: `slots.period of flow "find"`. */
function nameOf(path: ValuePath, root: JsonMap): string {
  const [list, index, ...rest] = path;
  if (list !== 'flows' || typeof index !== 'number') return path.join('.') || 'The file';
  const flows = root['flows'];
  const entry = isJsonList(flows) ? flows[index] : undefined;
  const name = isJsonMap(entry) && typeof entry['name'] === 'string' ? `flow "${entry['name']}"` : `flow ${index + 1}`;
  return rest.length === 0 ? `The ${name}` : `${rest.join('.')} of ${name}`;
}

/** Removes `x-` keys, which are notes for other programs and are allowed wherever the format defines the keys. */
function withoutExtensionKeys(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(withoutExtensionKeys);
  if (!isJsonMap(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(kept.map(([key, item]) => [key, freeKeys.has(key) ? item : withoutExtensionKeys(item)]));
}

/** Keys below which a file can contain anything. */
const freeKeys: ReadonlySet<string> = new Set(['output', 'default']);
