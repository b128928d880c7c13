/**
 * Keeps the selection consistent with the flow on screen.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { FlowDoc } from '../../engine/isomorphic.ts';
import type { LiveRun, LiveRuns } from './runs/live/live-runs.ts';
import type { OpenFile } from './text/file.ts';
import type { OpenFiles } from './text/files.ts';
import { type Chosen, type Selection, withoutDeletedElements } from './window/selection.ts';

/**
 * Returns the old and the new ID of a node if it is the only one that was renamed. Undefined if nodes were added,
 * removed or moved, because then the old and new nodes cannot be matched.
 */
export function renamedNode(before: FlowDoc, now: FlowDoc): { readonly from: string; readonly to: string } | undefined {
  if (before.nodes.length !== now.nodes.length) return undefined;
  const changed = before.nodes.flatMap(({ id, type }, index) => {
    const after = now.nodes[index];
    return after === undefined || after.id === id ? [] : [{ from: id, to: after.id, isSameType: after.type === type }];
  });
  const [only] = changed;
  const isRename = only?.isSameType === true && changed.length === 1 && !before.nodes.some(({ id }) => id === only.to);
  return isRename ? { from: only.from, to: only.to } : undefined;
}

function isSame(left: Chosen, right: Chosen): boolean {
  return (Object.keys(left) as (keyof Chosen)[]).every((part) => left[part] === right[part]);
}

function renameIn(nodes: ReadonlySet<string>, { from, to }: { readonly from: string; readonly to: string }) {
  return nodes.has(from) ? new Set([...nodes].map((id) => (id === from ? to : id))) : nodes;
}

/**
 * Keeps the selected nodes that still exist in `now`, with new IDs if they were renamed. `before` is the previous flow,
 * or undefined for the first one.
 */
function keepPresent(selection: Selection, path: string, before: FlowDoc | undefined, now: FlowDoc): void {
  const view = selection.views.get(path);
  if (view === undefined) return;
  const { nodeId, chosen } = view;
  const rename = before === undefined ? undefined : renamedNode(before, now);
  const renamed = rename === undefined ? chosen : { ...chosen, nodes: renameIn(chosen.nodes, rename) };
  const present = withoutDeletedElements(now, renamed);
  if (isSame(present, chosen)) return;
  const primary = nodeId === rename?.from ? rename?.to : (nodeId ?? undefined);
  selection.choose(path, present, primary !== undefined && present.nodes.has(primary) ? primary : undefined);
}

interface Followed {
  readonly selection: StoreApi<Selection>;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly liveRuns: StoreApi<LiveRuns>;
}

/**
 * Deselects a node when it disappears from the flow on screen for any reason: undo, redo, the text, a change on disk,
 * another version. A renamed node stays selected. Returns a function that unsubscribes.
 */
export function followSelection(
  { selection, openFiles, liveRuns }: Followed,
  onScreen: (path: string) => OpenFile | undefined,
): () => void {
  const shown = new Map<string, FlowDoc>();
  const follow = (): void => {
    const { files } = openFiles.getState();
    for (const path of shown.keys()) if (!files.has(path)) shown.delete(path);
    for (const path of files.keys()) {
      const file = onScreen(path);
      const before = shown.get(path);
      if (file?.doc == null || file.isDocStale || file.doc === before) continue;
      shown.set(path, file.doc);
      keepPresent(selection.getState(), path, before, file.doc);
    }
  };
  const ends = [openFiles.subscribe(follow), liveRuns.subscribe(follow)];
  return () => {
    for (const end of ends) end();
  };
}

/** Selects the node at which a breakpoint stops a run that is on screen. Returns a function that unsubscribes. */
export function followHits({ selection, liveRuns }: Pick<Followed, 'selection' | 'liveRuns'>): () => void {
  const former = new Map<string, LiveRun['state']['pause']>();
  return liveRuns.subscribe(({ runs, shown }) => {
    for (const [path, { runId }] of shown) {
      const pause = runs.get(runId)?.state.pause;
      if (pause === former.get(path)) continue;
      former.set(path, pause);
      const [place] = pause?.reason === 'breakpoint' ? (pause.nextNode?.split('/') ?? []) : [];
      if (place !== undefined) selection.getState().selectPlace(path, place);
    }
  });
}
