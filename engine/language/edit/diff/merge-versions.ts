/**
 * Merges two versions of a flow that were changed independently, change by change instead of line by line.
 */
import { applyEdits } from '../../../base/text-edit.ts';
import { isJsonMap } from '../../json/json-value.ts';
import { FlowComparison } from './comparison.ts';
import { type DifferencePart, type FlowDifference, keyOf } from './flow-difference.ts';

/** Three texts of a flow file. */
export interface FlowVersions {
  /** The text from which both others were made. */
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export interface MergedFlow {
  readonly text: string;
  /** Differences between the two versions that both have changed. The text has mine, except for the chosen ones. */
  readonly conflicts: readonly FlowDifference[];
}

/**
 * Merges two versions. The result is my text with their changes; everything else in it stays as it is. A place on the
 * canvas or in the file that both have changed stays mine, without a conflict.
 * @param theirKeys keys of conflicts in which their version is chosen
 * @throws EngineError `edit.refused` if a text is not a flow, or invalid YAML
 */
export function mergeVersions(versions: FlowVersions, theirKeys: ReadonlySet<string> = new Set()): MergedFlow {
  const { base, mine, theirs } = versions;
  if (mine === base || mine === theirs) return { text: theirs, conflicts: [] };
  if (theirs === base) return { text: mine, conflicts: [] };
  const between = new FlowComparison({ before: mine, after: theirs });
  const differences = between.differences();
  const names = new Map<string, string>();
  for (const part of differences.flatMap(({ parts }) => parts))
    if (part.what === 'node-renamed') names.set(part.from, part.id);
  const own = touchedBy(partsOf(base, mine), (id) => names.get(id) ?? id);
  const other = touchedBy(partsOf(base, theirs), (id) => id);
  const verdicts = new Map<string, MergeChoice>();
  const conflicts = differences.filter(({ key, parts }) => {
    const found = parts.map((part) => verdictOn(part, own, other));
    const isConflict = found.includes('conflict');
    for (const [index, part] of parts.entries()) {
      const verdict = isConflict ? (theirKeys.has(key) ? 'theirs' : 'mine') : (found[index] ?? 'mine');
      verdicts.set(keyOf(part), verdict);
    }
    return isConflict;
  });
  const edits = between.edits((part) => verdicts.get(keyOf(part)) === 'theirs');
  return { text: applyEdits(mine, [...edits]), conflicts };
}

type MergeChoice = 'mine' | 'theirs' | 'conflict';

function partsOf(before: string, after: string): readonly DifferencePart[] {
  return new FlowComparison({ before, after }).differences().flatMap(({ parts }) => parts);
}

/** What a version has changed. */
interface Touched {
  /** Keys of its parts. */
  readonly keys: ReadonlySet<string>;
  /** Nodes that it has changed or connected. */
  readonly nodes: ReadonlySet<string>;
  readonly renamed: ReadonlySet<string>;
  /** Nodes that it has added or removed, or whose type it has changed. */
  readonly whole: ReadonlySet<string>;
  readonly edges: ReadonlySet<string>;
}

/** @param nameOf returns the name that a node has in the comparison of both versions */
function touchedBy(parts: readonly DifferencePart[], nameOf: (id: string) => string): Touched {
  const touched = {
    keys: new Set<string>(),
    nodes: new Set<string>(),
    renamed: new Set<string>(),
    whole: new Set<string>(),
    edges: new Set<string>(),
  };
  for (const part of parts) {
    touched.keys.add(keyOf('id' in part ? { ...part, id: nameOf(part.id) } : part));
    for (const id of nodesOf(part)) touched.nodes.add(nameOf(id));
    if (part.what === 'node-renamed') touched.renamed.add(nameOf(part.id));
    if ('id' in part && isWhole(part)) touched.whole.add(nameOf(part.id));
    if ('name' in part) touched.edges.add(part.name);
    if ('edge' in part) touched.edges.add(`${nameOf(part.from)}->${nameOf(part.to)}`);
  }
  return touched;
}

function nodesOf(part: DifferencePart): readonly string[] {
  if ('id' in part) return part.what === 'node-moved' || part.what === 'node-renamed' ? [] : [part.id];
  if (part.what === 'edge-added' || part.what === 'edge-removed') return [part.from, part.to];
  if (part.what !== 'edge-changed') return [];
  return [part.before, part.after].flatMap(({ from, to }) => [String(from), String(to)]);
}

/** Whether a part concerns all of its node. */
function isWhole(part: DifferencePart): boolean {
  if (part.what === 'node-changed') return part.path.length === 0;
  return part.what === 'node-added' || part.what === 'node-removed';
}

/** Says which version of a part the result has. */
function verdictOn(part: DifferencePart, own: Touched, other: Touched): MergeChoice {
  const mine = isTouched(part, own);
  const theirs = isTouched(part, other);
  if (!theirs) return 'mine';
  if (!mine) return 'theirs';
  // Both have the same effect on runs, so nobody has to be asked.
  return isPlace(part) ? 'mine' : 'conflict';
}

function isTouched(part: DifferencePart, { keys, nodes, renamed, whole, edges }: Touched): boolean {
  if (part.what === 'node-renamed') return renamed.has(part.id);
  if ('id' in part && isWhole(part)) return nodes.has(part.id);
  if (part.what === 'node-changed') return keys.has(keyOf(part)) || whole.has(part.id) || hasInner(keys, part);
  if ('name' in part) return edges.has(part.name) || nodesOf(part).some((id) => whole.has(id));
  return keys.has(keyOf(part));
}

/** Whether a version has changed a value inside of this one, or around it. */
function hasInner(keys: ReadonlySet<string>, part: Extract<DifferencePart, { what: 'node-changed' }>): boolean {
  if (part.path.length !== 1) return false;
  const inner = [part.before, part.after].flatMap((value) => (isJsonMap(value) ? Object.keys(value) : []));
  return inner.some((key) => keys.has(keyOf({ ...part, path: [...part.path, key] })));
}

function isPlace(part: DifferencePart): boolean {
  const { what } = part;
  return what === 'node-moved' || what === 'edges-moved' || what === 'layout-changed' || what === 'text-changed';
}
