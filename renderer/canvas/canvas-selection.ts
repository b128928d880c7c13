/**
 * What is selected on a canvas. One card at most is the flow's selected node, which the whole window knows; more can be
 * selected on the canvas alone, to fit them in view.
 */
import type { NodeChange } from '@xyflow/react';
import { useCallback, useMemo, useState } from 'react';
import { useStores } from '../stores/stores-context.tsx';
import { useSelection } from '../stores/use-flow.ts';
import type { CardNode } from './node-card.tsx';

const none: ReadonlySet<string> = new Set();

export interface CanvasSelection {
  /** The selected node of the flow; null = none. */
  readonly primary: string | null;
  readonly ids: ReadonlySet<string>;
  /** Selects these cards, `primary` being the node that the window shows. */
  select(ids: Iterable<string>, primary: string | null): void;
  /** Takes over clicks and boxes as React Flow reports them. */
  applyChanges(changes: readonly NodeChange<CardNode>[]): void;
}

/** The next selection after changes: the node shown stays while it is selected, else the last one added is shown. */
export function changeSelection(
  before: { readonly ids: ReadonlySet<string>; readonly primary: string | null },
  changes: readonly { readonly id: string; readonly selected: boolean }[],
): { ids: ReadonlySet<string>; primary: string | null } {
  const ids = new Set(before.ids);
  for (const { id, selected } of changes) {
    if (selected) ids.add(id);
    else ids.delete(id);
  }
  const isKept = before.primary !== null && ids.has(before.primary);
  return { ids, primary: isKept ? before.primary : ([...ids].at(-1) ?? null) };
}

export function useCanvasSelection(path: string): CanvasSelection {
  const { nodeId: primary } = useSelection(path);
  const { selection } = useStores();
  const [chosen, setChosen] = useState(none);
  const ids = useMemo(() => {
    if (primary === null) return none;
    return chosen.has(primary) ? chosen : new Set([primary]);
  }, [chosen, primary]);
  const select = useCallback(
    (next: Iterable<string>, nextPrimary: string | null) => {
      setChosen(new Set(next));
      selection.getState().selectNode(path, nextPrimary);
    },
    [selection, path],
  );
  const applyChanges = useCallback(
    (changes: readonly NodeChange<CardNode>[]) => {
      const selects = changes.filter((change) => change.type === 'select');
      if (selects.length === 0) return;
      const next = changeSelection({ ids, primary }, selects);
      select(next.ids, next.primary);
    },
    [ids, primary, select],
  );
  return useMemo(() => ({ primary, ids, select, applyChanges }), [primary, ids, select, applyChanges]);
}
