/**
 * The selection on a canvas, shared with the whole window: cards, edges, notes and groups.
 */
import type { EdgeChange, NodeChange } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import type { Stores } from '../../stores/stores.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useSelection } from '../../stores/use-flow.ts';
import { type Chosen, initialFlowView, withoutDeletedElements } from '../../stores/window/selection.ts';
import { partOf } from './canvas-elements.ts';

export interface CanvasSelection {
  /** The selected node that the window shows, or null. */
  readonly primary: string | null;
  /** Ids of the selected cards. */
  readonly ids: ReadonlySet<string>;
  readonly chosen: Chosen;
  /** Replaces the selection with these cards. `primary` is the node that the window shows. */
  select(ids: Iterable<string>, primary: string | null): void;
  /** Returns the current selection, not the rendered one: a key may be pressed right after a click, before the page renders. */
  now(): Chosen;
}

/** The part of a React Flow change that concerns the selection. */
interface SelectChange {
  readonly part: keyof Chosen;
  readonly id: string;
  readonly selected: boolean;
}

/** Returns the selection after the changes. */
export function changeChoice(before: Chosen, changes: readonly SelectChange[]): Chosen {
  const next = {
    nodes: new Set(before.nodes),
    edges: new Set(before.edges),
    notes: new Set(before.notes),
    groups: new Set(before.groups),
    triggers: new Set(before.triggers),
  };
  for (const { part, id, selected } of changes) {
    if (selected) next[part].add(id);
    else next[part].delete(id);
  }
  return next;
}

/** Applies selections by click or box that React Flow reports. */
export function takeSelectChanges(
  { selection, openFiles }: Pick<Stores, 'selection' | 'openFiles'>,
  path: string,
  changes: readonly SelectChange[],
): void {
  if (changes.length === 0) return;
  const { choose, views } = selection.getState();
  const { chosen } = views.get(path) ?? initialFlowView;
  const doc = openFiles.getState().files.get(path)?.doc ?? null;
  const added = changes.filter(({ part, selected }) => part === 'nodes' && selected);
  // A clicked card becomes the primary one. A box has no primary card.
  const [clicked] = added.length === 1 ? added : [];
  choose(path, changeChoice(doc === null ? chosen : withoutDeletedElements(doc, chosen), changes), clicked?.id);
}

/**
 * Handles a plain click on one of several selected elements by selecting only that one. React Flow keeps them all
 * selected, for a drag.
 */
export function chooseAlone({ selection }: Pick<Stores, 'selection'>, path: string, key: string): void {
  const { part, id } = partOf(key);
  const { chosen } = selection.getState().views.get(path) ?? initialFlowView;
  const isOneOfMany = chosen[part].has(id) && countChosen(chosen) > 1;
  if (isOneOfMany) selection.getState().choose(path, { [part]: [id] }, part === 'nodes' ? id : null);
}

function countChosen(chosen: Chosen): number {
  return Object.values(chosen).reduce((count: number, part: ReadonlySet<string>) => count + part.size, 0);
}

/** Returns the selection changes of cards, notes and groups. */
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
    const next = withoutDeletedElements(doc, wished);
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
