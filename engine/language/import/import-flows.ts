/**
 * Imports files of other programs as flows. Every flow parses and validates without errors: a node that does not
 * becomes a placeholder.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { composeFlow } from '../flow/compose-flow.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../flow/flow-limits.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { isJsonMap } from '../json/json-value.ts';
import { type BuiltFlow, buildFlow } from './build-flow.ts';
import { fileNameOf } from './ids.ts';
import type { SourceFormat } from './mapping.ts';
import type { ConfigFiles } from './promptfoo/config-values.ts';
import { importPromptfoo, isPromptfoo } from './promptfoo/import-promptfoo.ts';
import { parseSource, readSource } from './read-source.ts';
import type { ImportedFlow } from './report.ts';
import type { SourceFlow } from './source-flow.ts';
import { SourceGraph } from './source-graph.ts';

/** Returns the problems of a flow's text. */
export type CheckImported = (text: string) => Promise<readonly Diagnostic[]>;

/** A file to import. */
export interface ImportSource {
  readonly text: string;
  /** Name of the new file, and of a flow without a name. */
  readonly name: string;
  /** Reads files that a configuration of promptfoo names; without it, they are reported. */
  readonly files?: ConfigFiles;
  /** Path of the source's folder, relative to that of the new files. The same folder if absent. */
  readonly folder?: string;
}

const noFiles: ConfigFiles = { read: async () => undefined, find: async () => [], rows: () => undefined };

const flowSuffix = '.flow.yaml';

/**
 * Imports an n8n workflow, a Rivet project or a Flowise agentflow. Several graphs become several flows, which call each
 * other by their file names. A configuration of promptfoo becomes flows with test files.
 * @param check finds the problems of a flow
 * @returns the flows; the first one has the name of the source
 * @throws EngineError `import.unknown-format` | `import.unreadable` | `import.too-large`
 */
export async function importFlows(source: ImportSource, check: CheckImported): Promise<readonly ImportedFlow[]> {
  const value = parseSource(source.text);
  if (isJsonMap(value) && isPromptfoo(value))
    return await importPromptfoo(value, {
      name: source.name,
      files: source.files ?? noFiles,
      folder: source.folder ?? '',
    });
  const { format, flows } = readSource(value, source.name);
  const files = fileNames(flows, source.name);
  const imported: ImportedFlow[] = [];
  for (const flow of flows) imported.push(await importFlow(flow, { format, files, check }));
  return imported;
}

/** The first flow has the name of the source, and the others also have their own. */
function fileNames(flows: readonly SourceFlow[], name: string): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    flows.map(({ key, name: own }, place) => {
      const wanted = place === 0 ? name : `${name}-${fileNameOf(own)}`;
      let free = wanted;
      for (let number = 2; taken.has(free); number += 1) free = `${wanted}-${number}`;
      taken.add(free);
      return [key, `${free}${flowSuffix}`];
    }),
  );
}

interface Importing {
  readonly format: SourceFormat;
  readonly files: ReadonlyMap<string, string>;
  readonly check: CheckImported;
}

/** Each pass turns the nodes with errors into placeholders, which can only cause errors in nodes that read them. */
const mostPasses = 25;

async function importFlow(flow: SourceFlow, importing: Importing): Promise<ImportedFlow> {
  const refusals = new Map<string, string>();
  for (let pass = 0; pass <= mostPasses; pass += 1) {
    if (pass === mostPasses) for (const { key } of flow.nodes) addRefusal(refusals, key, 'It could not be converted.');
    const built = build(flow, refusals, importing);
    const text = textOf(built, importing.format);
    const errors = (await importing.check(text)).filter(({ severity }) => severity === 'error');
    if (errors.length === 0) {
      const file = importing.files.get(flow.key) ?? '';
      return { name: flow.name, file, text, lines: built.lines, remarks: flow.remarks };
    }
    refuseWrong(text, errors, { built, refusals });
  }
  throw new EngineError({ code: 'import.unreadable', message: `"${flow.name}" could not be converted to a flow.` });
}

/** Builds until every node that becomes a placeholder is known to be one, so that no binding expects its output. */
function build(flow: SourceFlow, refusals: Map<string, string>, { format, files }: Importing): BuiltFlow {
  for (;;) {
    const graph = new SourceGraph(flow, { format, refusals, fileOf: (key) => files.get(key) });
    const built = buildFlow(graph, format);
    const before = refusals.size;
    for (const [key, why] of built.refused) addRefusal(refusals, key, why);
    if (refusals.size === before) return built;
  }
}

function addRefusal(refusals: Map<string, string>, key: string, why: string): void {
  if (!refusals.has(key)) refusals.set(key, why);
}

function textOf({ doc, kept }: BuiltFlow, { title, key }: SourceFormat): string {
  const text = composeFlow({ ...doc, ...(kept.length === 0 ? {} : { [key]: kept }) });
  if (text.length <= MAX_FLOW_TEXT_LENGTH) return text;
  const size = (text.length / 1024 / 1024).toFixed(1);
  const limit = MAX_FLOW_TEXT_LENGTH / 1024 / 1024;
  throw new EngineError({
    code: 'import.too-large',
    message: `As a flow, "${doc.flow.name}" would have ${size} MiB, and the limit is ${limit} MiB. Split it in ${title} first.`,
  });
}

/** Turns the nodes with errors into placeholders. */
function refuseWrong(
  text: string,
  errors: readonly Diagnostic[],
  { built, refusals }: { built: BuiltFlow; refusals: Map<string, string> },
): void {
  const places = placesIn(text, built);
  for (const { nodeId, range, message } of errors) {
    const key =
      (nodeId === undefined ? undefined : built.keys.get(nodeId)) ??
      places.find(({ from, to }) => from <= range.line && range.line <= to)?.key;
    if (key !== undefined) addRefusal(refusals, key, message);
  }
}

interface KeyPlace {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Returns the lines of everything that a source node became. */
function placesIn(text: string, { doc, keys }: BuiltFlow): readonly KeyPlace[] {
  const parsed = parseFlow(text);
  const paths: (readonly [readonly (string | number)[], string | undefined])[] = [
    ...doc.edges.map(({ from }, place) => [['edges', place], keys.get(from)] as const),
    ...doc.nodes.map(({ id }, place) => [['nodes', place], keys.get(id)] as const),
    ...[...keys].flatMap(([path, key]) => (path.startsWith('flow.') ? [[path.split('.'), key] as const] : [])),
  ];
  return paths.flatMap(([path, key]) => {
    const { line, endLine } = parsed.rangeOf(path);
    return key === undefined ? [] : [{ key, from: line, to: endLine }];
  });
}
