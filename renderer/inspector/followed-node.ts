/**
 * Keeps the form of a node on screen while its id changes, so that focus and what is typed stay.
 */
import { createContext, useRef, useState } from 'react';
import type { FlowDoc } from '../../engine/isomorphic.ts';

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** Hears of a rename before it is made. */
export const RenameContext = createContext<(rename: Rename) => void>(() => {});

export interface FollowedNode {
  readonly nodeId: string;
  /** The same for one node under all its names. */
  readonly key: number;
  readonly onRename: (rename: Rename) => void;
}

/** The node that is meant by a selected id: between a rename and the selection of the new id, the one with the new id. */
export function useFollowedNode(selectedId: string, doc: FlowDoc | null): FollowedNode {
  const [rename, setRename] = useState<Rename | null>(null);
  const keys = useRef(new Map<string, number>());
  const next = useRef(0);
  const has = (id: string): boolean => doc?.nodes.some((node) => node.id === id) === true;
  const isRenamed = rename?.from === selectedId && !has(rename.from) && has(rename.to);
  const nodeId = isRenamed ? rename.to : selectedId;
  const keyOf = (id: string): number => {
    const key = keys.current.get(id) ?? next.current++;
    keys.current.set(id, key);
    return key;
  };
  return {
    nodeId,
    key: keyOf(nodeId),
    onRename(made) {
      const key = keyOf(made.from);
      keys.current.set(made.to, key);
      setRename(made);
    },
  };
}
