/**
 * What is selected on a canvas, as the whole window knows it: cards, edges, notes and groups.
 */
import type { EdgeChange, NodeChange } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { type FlowDoc, nameEdges } from '../../../engine/isomorphic.ts';
import type { Stores } from '../../stores/stores.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useSelection } from '../../stores/use-flow.ts';
import { type Chosen, initialFlowView } from '../../stores/window/selection.ts';
import { partOf } from './canvas-elements.ts';

export interface CanvasSelection {
  /** The selected node that the window shows; null = none. */
  readonly primary: string | null;
  /** Cards. */
  readonly ids: ReadonlySet<string>;
  readonly chosen: Chosen;
  /** Selects these cards and nothing else, `primary` being the node that the window shows. */
  select(ids: Iterable<string>, primary: string | null): void;
  /** What is selected at this moment: a key may come before what a click has selected is drawn. */
  now(): Chosen;
}

/** What of a choice a change of React Flow is about. */
interface SelectChange {
  readonly part: keyof Chosen;
  readonly id: string;
  readonly selected: boolean;
}

/** The next choice after changes. */
export function changeChoice(before: Chosen, changes: readonly SelectChange[]): Chosen {
  const next = {
    nodes: new Set(before.nodes),
    edges: new Set(before.edges),
    notes: new Set(before.notes),
    groups: new Set(before.groups),
  };
  for (const { part, id, selected } of changes) {
    if (selected) next[part].add(id);
    else next[part].delete(id);
  }
  return next;
}

/** What of a choice the flow still has: an undo may have taken the rest away. */
export function presentIn({ nodes, edges, layout }: FlowDoc, chosen: Chosen): Chosen {
  const pick = (ids: ReadonlySet<string>, there: () => Iterable<string>): ReadonlySet<string> => {
    if (ids.size === 0) return ids;
    const known = new Set(there());
    const present = [...ids].filter((id) => known.has(id));
    return present.length === ids.size ? ids : new Set(present);
  };
  return {
    nodes: pick(chosen.nodes, () => nodes.map(({ id }) => id)),
    edges: pick(chosen.edges, () => nameEdges(edges).map(({ id }) => id)),
    notes: pick(chosen.notes, () => Object.keys(layout?.notes ?? {})),
    groups: pick(chosen.groups, () => Object.keys(layout?.groups ?? {})),
  };
}

/** Takes over clicks and boxes as React Flow reports them. */
export function takeSelectChanges(
  { selection, openFiles }: Pick<Stores, 'selection' | 'openFiles'>,
  path: string,
  changes: readonly SelectChange[],
): void {
  if (changes.length === 0) return;
  const { choose, views } = selection.getState();
  const { chosen } = views.get(path) ?? initialFlowView;
  const doc = openFiles.getState().files.get(path)?.doc ?? null;
  choose(path, changeChoice(doc === null ? chosen : presentIn(doc, chosen), changes));
}

/** Changes of cards, notes and groups. */
export function selectChangesOf(changes: readonly NodeChange[]): SelectChange[] {
  return changes.flatMap((change) =>
    change.type === 'select' ? [{ ...partOf(change.id), selected: change.selected }] : [],
  );
}

export function edgeSelectChangesOf(changes: readonly EdgeChange[]): SelectChange[] {
  return changes.flatMap((change) =>
    change.type === 'select' ? [{ part: 'edges', id: change.id, selected: change.selected }] : [],
  );
}

export function useCanvasSelection(path: string, doc: FlowDoc): CanvasSelection {
  const { nodeId, chosen: wished } = useSelection(path);
  const former = useRef(wished);
  const chosen = useMemo(() => {
    const next = presentIn(doc, wished);
    const isSame = (Object.keys(next) as (keyof Chosen)[]).every((part) => next[part] === former.current[part]);
    if (!isSame) former.current = next;
    return former.current;
  }, [doc, wished]);
  const primary = nodeId !== null && doc.nodes.some(({ id }) => id === nodeId) ? nodeId : null;
  const { selection } = useStores();
  return useMemo(
    () => ({
      primary,
      ids: chosen.nodes,
      chosen,
      select: (ids, next) => selection.getState().choose(path, { nodes: ids }, next),
      now: () => (selection.getState().views.get(path) ?? initialFlowView).chosen,
    }),
    [primary, chosen, selection, path],
  );
}
