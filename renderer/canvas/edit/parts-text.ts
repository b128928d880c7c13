/**
 * Describes parts of a flow in the names of edits and in notices.
 */
import { text } from '../text.ts';

interface PartsToName {
  /** IDs of nodes. A single one is named, several are counted. */
  readonly nodes?: readonly string[];
  /** Number of notes. */
  readonly notes?: number;
  /** IDs, named like nodes. */
  readonly triggers?: readonly string[];
}

/** Returns text such as `greet`, `3 nodes` or `3 nodes and 1 note`. */
export function partsText({ nodes = [], notes = 0, triggers = [] }: PartsToName): string {
  return allOf([
    ...namesOrCount(nodes, text.parts.nodes),
    ...(notes === 0 ? [] : [text.parts.notes({ count: notes })]),
    ...namesOrCount(triggers, text.parts.triggers),
  ]);
}

function namesOrCount(ids: readonly string[], countText: typeof text.parts.nodes): readonly string[] {
  return ids.length < 2 ? ids : [countText({ count: ids.length })];
}

/** Joins parts to text such as `3 nodes, 2 edges and 1 note`. */
export function allOf(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : text.parts.both({ first: parts.slice(0, -1).join(', '), last });
}
