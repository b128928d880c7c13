/**
 * Which item of a loop a view shows, and how views name it.
 */
import { baseNodeId, loopStepsOf } from '../../../engine/isomorphic.ts';
import { text } from './text.ts';

/**
 * Returns the path to show for a node in a body: the followed path with the selected items inserted, by the IDs of
 * their loops in the file. Within an item other than the followed one, inner loops start at their first item.
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

/** The properties of a loop used to name its items. */
interface NamedItems {
  /** Name of an item. Null for `item` or `pass`. */
  readonly as: string | null;
  /** Number of items. Null if it is not known. */
  readonly total: number | null;
  /** Null for a loop over items. */
  readonly mostPasses: number | null;
}

/**
 * Returns the label of an item, used in all views: `mail 2 of 3`, or `item 2` if nothing is known about its loop.
 * @param item from 0
 */
export function loopItemText(item: number, loop: NamedItems | undefined): string {
  const { as = null, total = null, mostPasses = null } = loop ?? {};
  const name = as ?? (mostPasses === null ? text.items.item : text.items.pass);
  return total === null
    ? text.items.place({ name, number: item + 1 })
    : text.items.placeOf({ name, number: item + 1, total });
}

/**
 * Returns the labels of the items in a path, outermost first: `folder 1 of 2, mail 2 of 3`. Empty outside loops.
 * @param loops loops by their paths in the run
 */
export function itemText(place: string, loops?: { get(loop: string): NamedItems | undefined }): string {
  return loopStepsOf(place)
    .map(({ loop, item }) => loopItemText(item, loops?.get(loop)))
    .join(', ');
}
