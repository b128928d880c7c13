/**
 * Parses a flow file's text into a document, problems and positions.
 */
import { cutMessage } from '../../base/cut-text.ts';
import { type Diagnostic, type TextRange, worstProblems } from '../findings/diagnostic.ts';
import { findingOf, structureFindings } from '../findings/document-findings.ts';
import { type Finding, type Focus, messageOf } from '../findings/finding.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { problemsOf, type ValuePath, valueAt } from '../schema/schema-problems.ts';
import { pathInSteps, readSteps } from '../steps/project-steps.ts';
import { stepFlowFindings, stepIdOf } from '../steps/step-findings.ts';
import type { StepFlowDoc } from '../steps/step-flow-doc.ts';
import { readQuickly } from '../yaml/quick-yaml.ts';
import { TextPlaces, YamlPlaces } from '../yaml/yaml-places.ts';
import { readYaml, type SourceProblem } from '../yaml/yaml-source.ts';
import { yamlToJson } from '../yaml/yaml-to-json.ts';
import { type FlowDoc, flowDocSchema } from './flow-doc.ts';
import { MAX_PROBLEMS } from './flow-limits.ts';
import { olderConstructs } from './older-form.ts';
import { looksLikeAgent, looksLikeStepFlow } from './other-format.ts';
import { type SalvagedDoc, salvageDoc } from './salvage-doc.ts';

export interface ParsedFlow {
  /**
   * The file's content. If the diagnostics include errors: as much as can be drawn, which must not run. Null if there
   * is no readable list of nodes.
   */
  readonly doc: FlowDoc | null;
  /** The steps of a step flow file. `doc` is then the equivalent flow. */
  readonly steps?: StepFlowDoc;
  /** Problems with text and structure, unsorted. `validateFlow` finds the rest. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Returns the range of the value at a path of `doc`; if there is no value, the range of the innermost value around
   * it.
   */
  rangeOf(path: ValuePath): TextRange;
  /** Returns the range in which to show a problem at a path in `doc`: only the first line of a long list or map. */
  problemRange(path: ValuePath, focus?: Focus): TextRange;
  /** Returns the range of a node of `doc`. */
  nodeRange(id: string): TextRange | undefined;
}

/** Parses a flow file: YAML 1.2, one document. Finds all problems at once. Never throws. */
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

/**
 * Returns the problems with a file's structure. Constructs of the older format are reported once, without the resulting
 * schema errors.
 */
function shapeFindings(root: JsonMap): readonly Finding[] {
  const problems = problemsOf(flowDocSchema, root);
  const structure = structureFindings(root);
  if (problems.length === 0) return structure;
  const older = olderConstructs(root);
  const covered = new Set(older.flatMap(({ covers }) => covers.map(String)));
  const others = problems.filter(({ path }) => !covered.has(String(path)));
  return [...older.map(({ finding }) => finding), ...others.map((problem) => findingOf(problem, root)), ...structure];
}

interface ParsedSource {
  /** Undefined if the text is not valid YAML. */
  readonly value: JsonValue | undefined;
  readonly problems: readonly SourceProblem[];
  /** Returns the positions of values in the text. */
  readonly places: () => YamlPlaces;
  /** Returns node ranges by index, if they are known without computing all value positions. */
  readonly nodeRanges?: () => ReadonlyMap<number, TextRange>;
}

/**
 * Most files never need positions, which take several times as long as everything else, so they are computed on demand.
 */
function readFile(text: string): ParsedSource {
  const spans: [index: number, span: readonly [number, number]][] = [];
  const quick = readQuickly(text, (list, index, span) => {
    if (list === 'nodes' || list === 'steps') spans.push([index, span]);
  });
  if (quick === undefined) return readFully(text);
  let full: ParsedSource | undefined;
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

function readFully(text: string): ParsedSource {
  const { root, problems } = readYaml(text);
  if (root === null) {
    const places = new YamlPlaces({ text, root, aliasTargets: new Map() });
    return { value: undefined, problems, places: () => places };
  }
  const { aliasTargets, ...read } = yamlToJson(root);
  const places = new YamlPlaces({ text, root, aliasTargets });
  return { ...read, places: () => places };
}

function withDoc(root: JsonMap, file: ParsedSource): ParsedFlow {
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

/** Converts a file with steps to the equivalent flow. Its positions are those of the steps. */
function withSteps(root: JsonMap, file: ParsedSource): ParsedFlow {
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
  /** Converts a path in the document to a path in the file. */
  readonly inFile: (path: ValuePath) => ValuePath;
  /** Each node's index in its list in the file. */
  readonly nodeIndexes: readonly number[];
}

function placesIn(
  { places, nodeRanges }: ParsedSource,
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

/** Converts a document that is known to be valid. */
function wholeDoc(root: JsonMap): SalvagedDoc {
  const doc = root as unknown as FlowDoc;
  return { doc, nodeIndexes: [...doc.nodes.keys()], edgeIndexes: [...doc.edges.keys()] };
}

function withoutDoc(places: ParsedSource['places'], diagnostics: readonly Diagnostic[]): ParsedFlow {
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
    'This looks like an agent file, not a flow. A flow is a map with the keys flow, nodes and edges. Rename the file so that its name ends in .aip.',
  path: [],
};

/** Whether the text was rejected before it was parsed, so that its content is irrelevant. */
function isRefusedUnread(problems: readonly SourceProblem[]): boolean {
  return problems.some(({ code }) => code === 'file.too-large' || code === 'file.not-text');
}

/** Whether text contains only whitespace, comments and document markers. Any value would be on another line. */
function isUnwritten(text: string): boolean {
  return /^(?:[ \t]*(?:(?:---|\.\.\.)[ \t]*)?(?:#.*)?(?:\r?\n|$))*$/.test(text);
}

function nothingWritten(text: string): SourceProblem {
  const what = text.trim() === '' ? 'The file is empty' : 'The file contains only comments';
  const message = `${what}. Start a flow with a line flow: { name: My flow }, and add the lines nodes: [] and edges: [].`;
  return { code: 'yaml.empty', message, start: 0, end: 1 };
}

function notAMap(root: JsonValue): Finding {
  const kind = Array.isArray(root) ? 'a list' : root === null ? 'nothing' : 'a single value';
  const message = `The file contains ${kind}, not a flow. A flow is a map with the keys flow, nodes and edges.`;
  return { code: 'flow.not-a-map', severity: 'error', message, path: [] };
}

/**
 * A value that JSON cannot represent has its own diagnostic. Schema errors about the same value would only repeat it.
 */
function diagnosticsOf(
  problems: readonly SourceProblem[],
  findings: readonly (Finding & { readonly nodeId?: string })[],
  places: ParsedSource['places'],
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

/** Returns a key for a range's start, to find diagnostics at the same position. */
export function startOf({ line, column }: TextRange): string {
  return `${line}:${column}`;
}

function ownerOf({ path }: Finding, root: JsonMap): { readonly nodeId?: string } {
  const id = path[0] === 'nodes' && path.length > 1 ? valueAt(root, [...path.slice(0, 2), 'id']) : undefined;
  return typeof id === 'string' ? { nodeId: id } : {};
}

/** Values of these keys may contain anything, so `x-` keys in them are ordinary keys. */
const freeKeys: ReadonlySet<string> = new Set(['input', 'config', 'layout', 'value']);

/**
 * Returns a flow document without its `x-` keys, which are notes for other programs and are allowed in every map with
 * fixed keys. Returns the same document if there are none.
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
