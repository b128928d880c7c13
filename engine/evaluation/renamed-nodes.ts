/**
 * Follows nodes that were renamed since a test was written, so that a new name does not make the test fail.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import type { Engine } from '../engine.ts';
import type { CaseDoc, ExpectDoc } from '../language/cases/case-doc.ts';
import { followRenames } from '../language/edit/diff/find-renames.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../language/json/json-value.ts';
import { listGitVersions, readCommittedText } from '../world/files/git-versions.ts';

/** New names by old name. */
export type NodeRenames = ReadonlyMap<string, string>;

/** Where earlier versions of a flow are found: in Git, and in the history of runs. */
export interface EarlierVersions extends Pick<Engine, 'listRuns' | 'readDefinition' | 'workspace'> {}

/** Number of commits and of runs that are searched. */
const mostVersions = 10;

/** A binding starts with a node, and a node in a loop follows an item: `each[0].draft.text`. */
const inBinding = /(^|\]\.|\/)([^.[\]/]+)/g;
/** In the name of a node, every part is a node. */
const inName = /(^|\]\.|\.|\/)([^.[\]/]+)/g;
const templateBinding = /(\{\{\s*\??)([^.[\]{}\s]+)/g;

/** Returns the names of the nodes that a case mentions, without items. */
export function mentionedNodes(doc: CaseDoc): ReadonlySet<string> {
  const names = new Set<string>();
  renamedCase(doc, {
    get(name) {
      names.add(name);
      return undefined;
    },
  });
  names.delete('flow');
  return names;
}

/** Returns a case with the new names. */
export function renamedCase(doc: CaseDoc, renames: Pick<NodeRenames, 'get'>): CaseDoc {
  const renamed = (pattern: RegExp) => (text: string) =>
    text.replace(pattern, (_, lead: string, name: string) => `${lead}${renames.get(name) ?? name}`);
  const [binding, name] = [renamed(inBinding), renamed(inName)];
  const { expect, answers, pins } = doc;
  return {
    ...doc,
    ...(answers === undefined ? {} : { answers: answers.map((one) => ({ ...one, node: name(one.node) })) }),
    ...(pins === undefined ? {} : { pins: renamedPins(pins, name) }),
    ...(expect === undefined
      ? {}
      : { expect: renamedExpectations(expect, { binding, name, prompt: renamed(templateBinding) }) }),
  };
}

interface Renaming {
  readonly binding: (text: string) => string;
  readonly name: (text: string) => string;
  readonly prompt: (text: string) => string;
}

function renamedExpectations(expect: ExpectDoc, { binding, name, prompt }: Renaming): ExpectDoc {
  const { outputs, inputs, ran, skipped, judge } = expect;
  const judges = judge === undefined ? [] : [judge].flat();
  const changed = judges.map((one) => (one.prompt === undefined ? one : { ...one, prompt: prompt(one.prompt) }));
  const names = Array.isArray(ran) ? ran.map(name) : ran && withKeys(ran as Readonly<Record<string, number>>, name);
  return {
    ...expect,
    ...(outputs === undefined ? {} : { outputs: withKeys(outputs, binding) }),
    ...(inputs === undefined ? {} : { inputs: withKeys(inputs, binding) }),
    ...(names === undefined ? {} : { ran: names }),
    ...(skipped === undefined ? {} : { skipped: skipped.map(name) }),
    ...(judge === undefined
      ? {}
      : { judge: Array.isArray(judge) ? changed : (changed[0] as (typeof changed)[number]) }),
  };
}

/** The pinned output of a loop has the outputs of the nodes in it by ID. */
function renamedPins(pins: JsonMap, name: (text: string) => string): JsonMap {
  const ofItem = (item: JsonValue): JsonValue =>
    isJsonMap(item) && isJsonMap(item['outputs']) ? { ...item, outputs: withKeys(item['outputs'], name) } : item;
  const renamed = Object.entries(pins).map(([key, value]) => {
    const items = isJsonMap(value) ? value['iterations'] : undefined;
    return [name(key), isJsonList(items) ? { ...(value as JsonMap), iterations: items.map(ofItem) } : value] as const;
  });
  return Object.fromEntries(renamed);
}

function withKeys<Value>(
  map: Readonly<Record<string, Value>>,
  change: (key: string) => string,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [change(key), value]));
}

/** The last result: the cases of a file ask for the same flow. */
let latest: { readonly text: string; readonly missing: string; readonly renames: Promise<NodeRenames> } | undefined;

/**
 * Finds the new names of nodes in earlier versions of the flow: the saved file, then the latest commits and runs.
 * @param missing names that the flow no longer has
 */
export async function findRenamed(
  flow: { readonly path: string; readonly text: string },
  missing: readonly string[],
  versions: EarlierVersions,
): Promise<NodeRenames> {
  const key = [...missing].sort().join('\n');
  if (latest?.text !== flow.text || latest.missing !== key)
    latest = { text: flow.text, missing: key, renames: search(flow, missing, versions) };
  return await latest.renames;
}

async function search(
  { path, text }: { readonly path: string; readonly text: string },
  missing: readonly string[],
  versions: EarlierVersions,
): Promise<NodeRenames> {
  const found = new Map<string, string>();
  const after = mapIn(text);
  if (after === undefined) return found;
  const seen = new Set([text]);
  for await (const earlier of earlierTexts(path, versions)) {
    if (seen.has(earlier)) continue;
    seen.add(earlier);
    const before = mapIn(earlier);
    if (before === undefined) continue;
    for (const { from, to } of followRenames(before, after).renames)
      if (missing.includes(from) && !found.has(from)) found.set(from, to);
    if (found.size === missing.length) break;
  }
  return found;
}

async function* earlierTexts(
  path: string,
  { workspace, listRuns, readDefinition }: EarlierVersions,
): AsyncGenerator<string> {
  // The tested text may be unsaved.
  const saved = await readFile(join(workspace, path), 'utf8').catch(() => undefined);
  if (saved !== undefined) yield saved;
  const commits = await listGitVersions(workspace, path).then(
    (versions) => versions.commits.slice(0, mostVersions),
    () => [],
  );
  for (const { commit } of commits) {
    const { text } = await readCommittedText(workspace, { path, ref: commit }).catch(() => ({ text: null }));
    if (text !== null) yield text;
  }
  const runs = await listRuns({ limit: mostVersions, sourcePath: path }).catch(() => []);
  for (const { runId } of runs) {
    const text = await readDefinition(runId).catch(() => undefined);
    if (text !== undefined) yield text;
  }
}

function mapIn(text: string): JsonMap | undefined {
  try {
    const value = parseYaml(text) as JsonValue;
    return isJsonMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
