/**
 * Describes parts of a flow in the names of edits and in notices.
 */
import { text } from '../text.ts';

interface PartsToName {
  /** IDs of nodes. A single one is named, several are counted. */
  readonly nodes?: readonly string[];
  /** Number of notes. */
  readonly notes?: number;
}

/** Returns text such as `greet`, `3 nodes` or `3 nodes and 1 note`. */
export function partsText({ nodes = [], notes = 0 }: PartsToName): string {
  const [node = ''] = nodes;
  const named = nodes.length === 1 ? node : text.parts.nodes({ count: nodes.length });
  return allOf([...(nodes.length === 0 ? [] : [named]), ...(notes === 0 ? [] : [text.parts.notes({ count: notes })])]);
}

/** Joins parts to text such as `3 nodes, 2 edges and 1 note`. */
export function allOf(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : text.parts.both({ first: parts.slice(0, -1).join(', '), last });
}
