/**
 * Which item of a loop a view shows, and how views name it.
 */
import { baseNodeId, loopStepsOf } from '../../../engine/isomorphic.ts';

/**
 * The place to look at of a node in a body: the one that is followed with the items that were chosen, by the loops' ids in the
 * file, put in. Inside of an item that is not the one followed, inner loops begin with their first item.
 */
export function placeWith(followed: string, chosen: ReadonlyMap<string, number>): string {
  let place = '';
  let isFollowed = true;
  for (const { loop, item } of loopStepsOf(followed)) {
    const loopId = baseNodeId(loop);
    const shown: number = chosen.get(loopId) ?? (isFollowed ? item : 0);
    isFollowed &&= shown === item;
    place += `${loopId}[${shown}].`;
  }
  return place + baseNodeId(followed);
}

/** What is known of a loop to name its items. */
interface NamedItems {
  /** What it calls its items; null = `item`, or `pass`. */
  readonly as: string | null;
  /** How many it has; null = that is not known. */
  readonly total: number | null;
  /** Null for a loop of items. */
  readonly mostPasses: number | null;
}

/** One item as every view names it: `mail 2 of 3`, or `item 2` while nothing is known of its loop. @param item from 0 */
export function itemWords(item: number, loop: NamedItems | undefined): string {
  const { as = null, total = null, mostPasses = null } = loop ?? {};
  const name = as ?? (mostPasses === null ? 'item' : 'pass');
  return total === null ? `${name} ${item + 1}` : `${name} ${item + 1} of ${total}`;
}

/**
 * The items on the way to a place, outermost first: `folder 1 of 2, mail 2 of 3`. Empty outside of loops.
 * @param loops by their places in the run
 */
export function itemText(place: string, loops?: { get(loop: string): NamedItems | undefined }): string {
  return loopStepsOf(place)
    .map(({ loop, item }) => itemWords(item, loops?.get(loop)))
    .join(', ');
}
