/**
 * Determines which nodes an extraction includes, and whether they can be extracted together.
 */
import type { EdgeDoc } from '../../flow/flow-doc.ts';
import { isLoop } from '../../flow/loops.ts';
import { refused } from '../raw-flow.ts';
import type { FlowLevels, LoopLevel } from './flow-levels.ts';

export interface ExtractSelection {
  /** All extracted nodes, including those in the bodies of extracted loops. */
  readonly ids: ReadonlySet<string>;
  /** Nodes that are not in an extracted loop's body, in file order. */
  readonly outer: readonly string[];
  /** The graph that contains the outer nodes. */
  readonly level: LoopLevel;
  readonly edgesIn: readonly EdgeDoc[];
  readonly edgesOut: readonly EdgeDoc[];
}

/** @throws EngineError `edit.refused` if a loop would be split, or the new node would wait for itself */
export function takeNodes(levels: FlowLevels, chosen: readonly string[]): ExtractSelection {
  const known = chosen.filter((id) => levels.node(id) !== undefined);
  if (known.length === 0) throw refused('No nodes are selected. Select at least one node.');
  const ids = withBodies(levels, new Set(known));
  const outer = levels.nodes.flatMap(({ id }) => (ids.has(id) && !ids.has(levels.levelOf(id) ?? '') ? [id] : []));
  const [first = ''] = outer;
  const level = levels.levelOf(first);
  const stray = outer.find((id) => levels.levelOf(id) !== level);
  if (stray !== undefined) throw halfLoop(levels, first, stray);
  refuseReturn(levels, ids, outer);
  return {
    ids,
    outer,
    level,
    edgesIn: levels.edges.filter(({ from, to }) => !ids.has(from) && ids.has(to)),
    edgesOut: levels.edges.filter(({ from, to }) => ids.has(from) && !ids.has(to)),
  };
}

/** A loop selected on its own includes its body. */
function withBodies(levels: FlowLevels, chosen: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(chosen);
  for (const id of chosen) {
    if (!isLoop(levels.node(id)?.type)) continue;
    const body = levels.below(id);
    const left = body.filter((inner) => !chosen.has(inner));
    if (left.length > 0 && left.length < body.length) {
      throw refused(
        `The selection includes only a part of the loop "${id}": its body also contains ${named(left)}. Select the whole body as well, or only the loop, which includes its body.`,
        id,
      );
    }
    for (const inner of left) all.add(inner);
  }
  return all;
}

function halfLoop(levels: FlowLevels, first: string, stray: string) {
  const loop = levels.levelOf(first) ?? levels.levelOf(stray) ?? '';
  const inner = levels.levelOf(first) === undefined ? stray : first;
  const other = inner === first ? stray : first;
  return refused(
    `The selection includes only a part of the loop "${loop}": "${inner}" is in its body, but "${other}" is not. Select the whole loop with its body, or only nodes of that body.`,
    inner,
  );
}

/** A path that leaves the selection and comes back would connect the new node to itself. */
function refuseReturn(levels: FlowLevels, ids: ReadonlySet<string>, outer: readonly string[]): void {
  for (const id of outer) {
    const outside = [...levels.behind(id)].filter((other) => !ids.has(other));
    for (const between of outside) {
      const back = [...levels.behind(between)].find((other) => ids.has(other));
      if (back === undefined) continue;
      throw refused(
        `"${between}" runs between "${id}" and "${back}", so the new node would have to wait for itself. Select "${between}" as well, or deselect "${id}" or "${back}".`,
        between,
      );
    }
  }
}

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, 3).map((id) => `"${id}"`);
  return ids.length > shown.length ? `${shown.join(', ')} and ${ids.length - shown.length} more` : shown.join(' and ');
}
