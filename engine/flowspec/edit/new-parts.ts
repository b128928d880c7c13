/**
 * Where new entries and items go: behind which of those that were there.
 */

/** New parts, and the index of the old one that they stand behind; -1 for the beginning. */
export interface NewParts<Part> {
  readonly behind: number;
  readonly parts: readonly Part[];
}

/**
 * Groups what is new among the parts of a list or map.
 * @param originOf index of the old part that one is; undefined for a new one
 */
export function groupNewParts<Item, Part>(
  after: readonly Item[],
  originOf: (item: Item, index: number) => number | undefined,
  write: (item: Item, index: number) => Part,
): readonly NewParts<Part>[] {
  const groups = new Map<number, Part[]>();
  let behind = -1;
  for (const [index, item] of after.entries()) {
    const origin = originOf(item, index);
    if (origin !== undefined) {
      behind = origin;
      continue;
    }
    const group = groups.get(behind);
    if (group === undefined) groups.set(behind, [write(item, index)]);
    else group.push(write(item, index));
  }
  return Array.from(groups, ([place, parts]) => ({ behind: place, parts }));
}
