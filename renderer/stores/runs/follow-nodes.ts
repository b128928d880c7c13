/**
 * Moves what the user has attached to nodes, such as pins and breakpoints, when nodes are renamed in any way.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { NodeDoc } from '../../../engine/isomorphic.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';

/** What is attached to nodes. */
export interface NodeFollower {
  /** Called for each new state of a flow. */
  readonly onShown?: (path: string) => void;
  /** Returns the nodes of a flow to which something is attached. */
  readonly nodesOf: (path: string) => readonly string[];
  readonly rename: (path: string, from: string, to: string) => void;
  /** Called when a node no longer exists. */
  readonly onGone?: (id: string) => void;
}

/** Follows the nodes of open flows. Returns a function that stops it. */
export function followNodes(openFiles: StoreApi<OpenFiles>, followers: readonly NodeFollower[]): () => void {
  const seen = new Map<string, readonly NodeDoc[]>();

  const look = ({ kind, status, path, doc, isDocStale }: OpenFile): void => {
    if (kind !== 'flow' || status !== 'ready') return;
    for (const { onShown } of followers) onShown?.(path);
    const before = seen.get(path);
    if (doc === null || isDocStale || doc.nodes === before) return;
    seen.set(path, doc.nodes);
    if (before === undefined) return;
    for (const follower of followers) followNames(follower, path, { before, now: doc.nodes });
  };

  return openFiles.subscribe(({ files }, former) => {
    if (files === former.files) return;
    for (const [path, file] of files) if (former.files.get(path) !== file) look(file);
  });
}

interface NodesThen {
  readonly before: readonly NodeDoc[];
  readonly now: readonly NodeDoc[];
}

function followNames({ nodesOf, rename, onGone }: NodeFollower, path: string, nodes: NodesThen): void {
  for (const id of nodesOf(path)) {
    if (nodes.now.some((node) => node.id === id) || nodes.before.every((node) => node.id !== id)) continue;
    const next = newIdOf(id, nodes);
    if (next === undefined) onGone?.(id);
    else rename(path, id, next);
  }
}

/** Returns the new ID of a renamed node: a new node of the same type at the same position in the file. */
function newIdOf(id: string, { before, now }: NodesThen): string | undefined {
  const index = before.findIndex((node) => node.id === id);
  const same = now[index];
  if (index < 0 || now.length !== before.length || same?.type !== before[index]?.type) return undefined;
  return before.some((node) => node.id === same?.id) ? undefined : same?.id;
}
