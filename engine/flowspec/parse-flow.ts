/**
 * Text of a flow file → document, problems and places.
 */
import { cutMessage } from '../base/cut-text.ts';
import { type Diagnostic, type TextRange, worstProblems } from './diagnostic.ts';
import { findingOf, structureFindings } from './document-findings.ts';
import { type Finding, type Focus, messageOf } from './finding.ts';
import { type FlowDoc, flowDocSchema } from './flow-doc.ts';
import { MAX_PROBLEMS } from './flow-limits.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from './json-value.ts';
import { olderConstructs } from './older-form.ts';
import { looksLikeAgent, looksLikeStepFlow } from './other-format.ts';
import { readQuickly } from './quick-yaml.ts';
import { type SalvagedDoc, salvageDoc } from './salvage-doc.ts';
import { problemsOf, type ValuePath, valueAt } from './schema-problems.ts';
import { pathInSteps, readSteps } from './steps/project-steps.ts';
import { stepFlowFindings, stepIdOf } from './steps/step-findings.ts';
import type { StepFlowDoc } from './steps/step-flow-doc.ts';
import { TextPlaces, YamlPlaces } from './yaml-places.ts';
import { readYaml, type SourceProblem } from './yaml-source.ts';
import { yamlToJson } from './yaml-to-json.ts';

export interface ParsedFlow {
  /**
   * What the file holds. With errors among the diagnostics: as much as can be drawn, and never to be run.
   * Null when there is no list of nodes to be read.
   */
  readonly doc: FlowDoc | null;
  /** The steps of a file that has steps; `doc` is the flow that they stand for then. */
  readonly steps?: StepFlowDoc;
  /** What is wrong with text and shape, in no order. `validateFlow` finds the rest. */
  readonly diagnostics: readonly Diagnostic[];
  /** Text of the value at a path of `doc`; where nothing stands, of the innermost value around it. */
  rangeOf(path: ValuePath): TextRange;
  /** Where a problem at a path of `doc` is to be shown: a long list or map counts with its first line only. */
  problemRange(path: ValuePath, focus?: Focus): TextRange;
  /** Text of a node of `doc`. */
  nodeRange(id: string): TextRange | undefined;
}

/** Parses a flow file: YAML 1.2, one document. All problems are found at once. Never throws. */
export function parseFlow(text: string): ParsedFlow {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const file = readFile(source);
  const { value, problems, places } = file;
  if (!isJsonMap(value ?? null) && looksLikeAgent(source))
    return withoutDoc(places, diagnosticsOf([], [anAgent], places));
  if (!isRefusedUnread(problems) && isUnwritten(source))
    return withoutDoc(places, diagnosticsOf([nothingWritten(source)], [], places));
  if (value === undefined) return withoutDoc(places, diagnosticsOf(problems, [], places));
  if (isJsonMap(value) && looksLikeStepFlow(value)) return withSteps(value, file);
  const root = withoutExtensionKeys(value);
  if (!isJsonMap(root)) return withoutDoc(places, diagnosticsOf(problems, [notAMap(root)], places));
  return withDoc(root, file);
}

/** What is wrong with the shape of a file; what the older form had otherwise is said once, and not echoed by the schema. */
function shapeFindings(root: JsonMap): readonly Finding[] {
  const problems = problemsOf(flowDocSchema, root);
  const structure = structureFindings(root);
  if (problems.length === 0) return structure;
  const older = olderConstructs(root);
  const covered = new Set(older.flatMap(({ covers }) => covers.map(String)));
  const others = problems.filter(({ path }) => !covered.has(String(path)));
  return [...older.map(({ finding }) => finding), ...others.map((problem) => findingOf(problem, root)), ...structure];
}

interface ReadFile {
  /** Undefined when the text is no YAML. */
  readonly value: JsonValue | undefined;
  readonly problems: readonly SourceProblem[];
  /** Gives the places of values in the text. */
  readonly places: () => YamlPlaces;
  /** Where the nodes of the file stand, by index, where that is known without the places of all values. */
  readonly nodeRanges?: () => ReadonlyMap<number, TextRange>;
}

/** Most files never need places, which take several times as long as all the rest: they are found when asked for. */
function readFile(text: string): ReadFile {
  const spans: [index: number, span: readonly [number, number]][] = [];
  const quick = readQuickly(text, (list, index, span) => {
    if (list === 'nodes' || list === 'steps') spans.push([index, span]);
  });
  if (quick === undefined) return readFully(text);
  let full: ReadFile | undefined;
  return {
    value: quick,
    problems: [],
    nodeRanges: () => rangesOf(text, spans),
    places() {
      full ??= readFully(text);
      return full.places();
    },
  };
}

function rangesOf(
  text: string,
  spans: readonly (readonly [index: number, span: readonly [number, number]])[],
): ReadonlyMap<number, TextRange> {
  const places = new TextPlaces(text.replaceAll('\r\n', '\n'));
  return new Map(spans.map(([index, [start, end]]) => [index, places.range(start, end)]));
}

function readFully(text: string): ReadFile {
  const { root, problems } = readYaml(text);
  if (root === null) {
    const places = new YamlPlaces({ text, root, aliasTargets: new Map() });
    return { value: undefined, problems, places: () => places };
  }
  const { aliasTargets, ...read } = yamlToJson(root);
  const places = new YamlPlaces({ text, root, aliasTargets });
  return { ...read, places: () => places };
}

function withDoc(root: JsonMap, file: ReadFile): ParsedFlow {
  const { problems, places } = file;
  const findings = shapeFindings(root);
  const diagnostics = diagnosticsOf(
    problems,
    findings.map((finding) => ({ ...finding, ...ownerOf(finding, root) })),
    places,
  );
  const salvaged = findings.length === 0 ? wholeDoc(root) : salvageDoc(root);
  if (salvaged === null) return withoutDoc(places, diagnostics);
  const { doc, nodeIndexes, edgeIndexes } = salvaged;
  const indexes: Readonly<Record<string, readonly number[]>> = { nodes: nodeIndexes, edges: edgeIndexes };
  const inFile = ([list, index, ...rest]: ValuePath): ValuePath => {
    if (list === undefined || index === undefined) return list === undefined ? [] : [list];
    const fileIndex = typeof index === 'number' ? indexes[list]?.[index] : undefined;
    return [list, fileIndex ?? index, ...rest];
  };
  return { doc, diagnostics, ...placesIn(file, { doc, inFile, nodeIndexes }) };
}

/** A file with steps: the flow that they stand for, whose places are those of the steps. */
function withSteps(root: JsonMap, file: ReadFile): ParsedFlow {
  const findings = stepFlowFindings(root).map((finding) => ({ ...finding, ...stepOf(finding, root) }));
  const diagnostics = diagnosticsOf(file.problems, findings, file.places);
  const read = readSteps(root);
  if (read === null) return withoutDoc(file.places, diagnostics);
  const { doc, steps, stepIndexes } = read;
  const inFile = (path: ValuePath): ValuePath => pathInSteps(path, read, root);
  return { doc, steps, diagnostics, ...placesIn(file, { doc, inFile, nodeIndexes: stepIndexes }) };
}

interface DocPlaces {
  readonly doc: FlowDoc;
  /** Path of the document → path in the file. */
  readonly inFile: (path: ValuePath) => ValuePath;
  /** Of each node, where it stands in its list of the file. */
  readonly nodeIndexes: readonly number[];
}

function placesIn(
  { places, nodeRanges }: ReadFile,
  { doc, inFile, nodeIndexes }: DocPlaces,
): Pick<ParsedFlow, 'rangeOf' | 'problemRange' | 'nodeRange'> {
  let quickRanges: ReadonlyMap<number, TextRange> | undefined;
  const indexOf = new Map(doc.nodes.map(({ id }, index) => [id, index]));
  return {
    rangeOf: (path) => places().valueRange(inFile(path)),
    problemRange: (path, focus) => focusedRange(places(), inFile(path), focus),
    nodeRange(id) {
      const index = indexOf.get(id);
      if (index === undefined) return undefined;
      quickRanges ??= nodeRanges?.() ?? new Map();
      return quickRanges.get(nodeIndexes[index] ?? index) ?? places().valueRange(inFile(['nodes', index]));
    },
  };
}

function stepOf({ path: [list, index] }: Finding, root: JsonMap): { readonly nodeId?: string } {
  const step = list === 'steps' && typeof index === 'number' ? valueAt(root, [list, index]) : undefined;
  const id = isJsonMap(step) ? stepIdOf(step, Number(index)) : undefined;
  return id === undefined ? {} : { nodeId: id };
}

/** A document that the schema and all rules took, just now. */
function wholeDoc(root: JsonMap): SalvagedDoc {
  const doc = root as unknown as FlowDoc;
  return { doc, nodeIndexes: [...doc.nodes.keys()], edgeIndexes: [...doc.edges.keys()] };
}

function withoutDoc(places: ReadFile['places'], diagnostics: readonly Diagnostic[]): ParsedFlow {
  return {
    doc: null,
    diagnostics,
    rangeOf: (path) => places().valueRange(path),
    problemRange: (path, focus) => focusedRange(places(), path, focus),
    nodeRange: () => undefined,
  };
}

function focusedRange(places: YamlPlaces, path: ValuePath, focus: Focus | undefined): TextRange {
  if (focus === undefined) return places.problemRange(path);
  return focus === 'key' ? places.keyRange(path) : places.partRange(path, focus.part);
}

const anAgent: Finding = {
  code: 'flow.other-format',
  severity: 'error',
  message:
    'This looks like an agent file, and not like a flow, which is a map with the keys flow, nodes and edges. Give the file a name that ends in .aip.',
  path: [],
};

/** Whether the text was refused before it was read: whatever it holds then does not count. */
function isRefusedUnread(problems: readonly SourceProblem[]): boolean {
  return problems.some(({ code }) => code === 'file.too-large' || code === 'file.not-text');
}

/** Whether a text has nothing but blanks, comments and marks of documents; any value would stand in another line. */
function isUnwritten(text: string): boolean {
  return /^(?:[ \t]*(?:(?:---|\.\.\.)[ \t]*)?(?:#.*)?(?:\r?\n|$))*$/.test(text);
}

function nothingWritten(text: string): SourceProblem {
  const what = text.trim() === '' ? 'The file is empty' : 'The file holds nothing but comments';
  const message = `${what}. A flow begins with a line flow: { name: My flow }, then nodes: [] and edges: [] in lines of their own.`;
  return { code: 'yaml.empty', message, start: 0, end: 1 };
}

function notAMap(root: JsonValue): Finding {
  const kind = Array.isArray(root) ? 'a list' : root === null ? 'nothing' : 'a single value';
  const message = `The file holds ${kind}, not a flow. A flow is a map with the keys flow, nodes and edges.`;
  return { code: 'flow.not-a-map', severity: 'error', message, path: [] };
}

/** A value that JSON cannot hold has its diagnostic; what the schema says of the same value would only echo it. */
function diagnosticsOf(
  problems: readonly SourceProblem[],
  findings: readonly (Finding & { readonly nodeId?: string })[],
  places: ReadFile['places'],
): readonly Diagnostic[] {
  const fromSource = problems.slice(0, MAX_PROBLEMS).map((problem): Diagnostic => {
    const { code, message } = problem;
    return { code, severity: 'error', message: cutMessage(message), range: places().sourceRange(problem) };
  });
  const taken = new Set(fromSource.map(({ range }) => startOf(range)));
  const fromShape = worstProblems(findings, MAX_PROBLEMS).map((finding): Diagnostic => {
    const { code, severity, path, focus, nodeId } = finding;
    const isMissingAtTop = code === 'flow.missing-key' && path.length === 1;
    const range = isMissingAtTop ? places().start() : focusedRange(places(), path, focus);
    return { code, severity, message: messageOf(finding), range, ...(nodeId === undefined ? {} : { nodeId }) };
  });
  const isNews = ({ code, range }: Diagnostic): boolean => code === 'flow.missing-key' || !taken.has(startOf(range));
  return [...fromSource, ...fromShape.filter(isNews)];
}

/** Identifies a place, to find diagnostics that begin at the same one. */
export function startOf({ line, column }: TextRange): string {
  return `${line}:${column}`;
}

function ownerOf({ path }: Finding, root: JsonMap): { readonly nodeId?: string } {
  const id = path[0] === 'nodes' && path.length > 1 ? valueAt(root, [...path.slice(0, 2), 'id']) : undefined;
  return typeof id === 'string' ? { nodeId: id } : {};
}

/** Below these keys a file may hold what it likes, so an `x-` key there is an ordinary one. */
const freeKeys: ReadonlySet<string> = new Set(['input', 'config', 'layout', 'value']);

/**
 * A flow document without its `x-` keys, which are notes for other programs: allowed wherever the format names its keys, read
 * by nobody. The same document when it has none.
 */
function withoutExtensionKeys(value: JsonValue): JsonValue {
  return holdsExtensionKey(value) ? removeExtensionKeys(value) : value;
}

function holdsExtensionKey(value: JsonValue): boolean {
  if (isJsonList(value)) return value.some(holdsExtensionKey);
  if (!isJsonMap(value)) return false;
  for (const key in value) {
    if (key.startsWith('x-')) return true;
    if (!freeKeys.has(key) && holdsExtensionKey(value[key] ?? null)) return true;
  }
  return false;
}

function removeExtensionKeys(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(removeExtensionKeys);
  if (!isJsonMap(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('x-'));
  return Object.fromEntries(kept.map(([key, item]) => [key, freeKeys.has(key) ? item : removeExtensionKeys(item)]));
}
