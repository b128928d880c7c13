/**
 * Leads from a row of a table to the item of a loop, if the table contains the items or the iterations of a loop.
 */
import { createContext, useContext } from 'react';

/** Shows an item, from 0, in a node of the loop, or in the first one. */
type ShowItem = (item: number, node: string | undefined) => void;

/** Identifies a list. */
interface ListPlace {
  /** Path of the list in bindings. Undefined if bindings cannot refer to it. */
  readonly binding: string | undefined;
  /** Label of the list: the key of a field. */
  readonly label: string;
}

/** Returns undefined for a list that is not that of a loop. */
export type FindLoop = (list: ListPlace) => ShowItem | undefined;

export const LoopLists = createContext<FindLoop>(() => undefined);

export function useLoopOf(list: ListPlace): ShowItem | undefined {
  return useContext(LoopLists)(list);
}
