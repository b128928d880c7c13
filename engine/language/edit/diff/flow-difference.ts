/**
 * What differs between two texts of a flow file: the units that a person accepts or rejects.
 */
import type { JsonMap, JsonValue } from '../../json/json-value.ts';
import type { ChangePath } from '../flow-change.ts';

/** A node in a list of the file, or a step in a step flow. Steps without an ID are named by type and number. */
interface PartOfNode {
  readonly id: string;
}

interface ChangedValue {
  readonly path: ChangePath;
  /** Undefined for a new value. */
  readonly before: JsonValue | undefined;
  /** Undefined for a removed value. */
  readonly after: JsonValue | undefined;
}

/** One change. Nodes have the names that they have in the second text. */
export type DifferencePart =
  | ({ readonly what: 'node-added' | 'node-removed'; readonly node: JsonMap } & PartOfNode)
  | ({ readonly what: 'node-renamed'; readonly from: string } & PartOfNode)
  /** The node's place in the file changes relative to other nodes. Nodes that are ready together start in that order. */
  | ({ readonly what: 'node-moved' } & PartOfNode)
  /** A value of a node, with a path such as `['input', 'prompt']`; an empty path for a node of another type. */
  | ({ readonly what: 'node-changed' } & PartOfNode & ChangedValue)
  /** `name` is the edge's name in runs. */
  | {
      readonly what: 'edge-added' | 'edge-removed';
      readonly name: string;
      readonly from: string;
      readonly to: string;
      readonly edge: JsonMap;
    }
  | { readonly what: 'edge-changed'; readonly name: string; readonly before: JsonMap; readonly after: JsonMap }
  | { readonly what: 'edges-moved' }
  /** A value of `flow`, of `layout`, or under another key of the file. The path includes that key. */
  | ({ readonly what: 'flow-changed' | 'layout-changed' | 'file-changed' } & ChangedValue)
  /** Comments or formatting: everything that has no effect on values. */
  | { readonly what: 'text-changed' };

/** Parts that are accepted or rejected together. */
export interface FlowDifference {
  /** Unique among the differences of two texts, and the same whenever they are compared. */
  readonly key: string;
  /** The main part first. */
  readonly parts: readonly DifferencePart[];
  /** Keys of differences without which this one makes no sense. They are accepted with it. */
  readonly needs: readonly string[];
  /** Line of the main part in the second text, or in the first one if it was removed. Starts at 1. */
  readonly line: number;
  /** One sentence in English, for example `Adds the node approve between draft and send`. */
  readonly text: string;
}

/** Lines of a text, both inclusive. The first line is 1. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** The lines that a difference is about in each text. None for comments and formatting. */
export interface DifferenceLines {
  readonly key: string;
  readonly before: readonly LineSpan[];
  readonly after: readonly LineSpan[];
}

/** All differences between two texts of a flow, in the order of the file. */
export interface FlowDiff {
  readonly differences: readonly FlowDifference[];
}

/** Returns a name for a part that is unique within a comparison. */
export function keyOf(part: DifferencePart): string {
  switch (part.what) {
    case 'node-added':
    case 'node-removed':
    case 'node-renamed':
    case 'node-moved':
      return `${part.what} ${part.id}`;
    case 'node-changed':
      return `${part.what} ${part.id} ${JSON.stringify(part.path)}`;
    case 'edge-added':
    case 'edge-removed':
    case 'edge-changed':
      return `${part.what} ${part.name}`;
    case 'edges-moved':
    case 'text-changed':
      return part.what;
    default:
      return `${part.what} ${JSON.stringify(part.path)}`;
  }
}

/** Returns the keys with those of all differences that they need. */
export function withNeeds({ differences }: FlowDiff, keys: Iterable<string>): ReadonlySet<string> {
  const byKey = new Map(differences.map((one) => [one.key, one]));
  const taken = new Set<string>();
  const queue = [...keys];
  for (const key of queue) {
    const difference = byKey.get(key);
    if (difference === undefined || taken.has(key)) continue;
    taken.add(key);
    queue.push(...difference.needs);
  }
  return taken;
}
