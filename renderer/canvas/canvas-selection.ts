/**
 * What is selected on a canvas, as the whole window knows it: cards, edges, notes and groups.
 */
import type { EdgeChange, NodeChange } from '@xyflow/react';
import { useMemo } from 'react';
import { type Chosen, initialFlowView } from '../stores/selection.ts';
import type { Stores } from '../stores/stores.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useSelection } from '../stores/use-flow.ts';
import { partOf } from './canvas-ids.ts';

export interface CanvasSelection {
  /** The selected node that the window shows; null = none. */
  readonly primary: string | null;
  /** Cards. */
  readonly ids: ReadonlySet<string>;
  readonly chosen: Chosen;
  /** Selects these cards and nothing else, `primary` being the node that the window shows. */
  select(ids: Iterable<string>, primary: string | null): void;
}

/** What of a choice a change of React Flow is about. */
export interface SelectChange {
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

/** Takes over clicks and boxes as React Flow reports them. */
export function takeSelectChanges(
  { selection }: Pick<Stores, 'selection'>,
  path: string,
  changes: readonly SelectChange[],
): void {
  if (changes.length === 0) return;
  const { choose, views } = selection.getState();
  choose(path, changeChoice((views.get(path) ?? initialFlowView).chosen, changes));
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

export function useCanvasSelection(path: string): CanvasSelection {
  const { nodeId: primary, chosen } = useSelection(path);
  const { selection } = useStores();
  return useMemo(
    () => ({
      primary,
      ids: chosen.nodes,
      chosen,
      select: (ids, next) => selection.getState().choose(path, { nodes: ids }, next),
    }),
    [primary, chosen, selection, path],
  );
}
