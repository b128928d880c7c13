/**
 * Groups items by key. Keys are in the order of their first items. (`Map.groupBy` is missing in Node 20, which runs our
 * tests.)
 */
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * Returns whether two JSON values are deeply equal. Every keystroke compares thousands of values, so this allocates no
 * objects.
 */
export function isSameData(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left)) return Array.isArray(right) && isSameList(left, right);
  return !Array.isArray(right) && isSameMap(left as PlainMap, right as PlainMap);
}

type PlainMap = Readonly<Record<string, unknown>>;

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    if (!isSameData(left[index], right[index])) return false;
  }
  return true;
}

function isSameMap(left: PlainMap, right: PlainMap): boolean {
  let more = 0;
  for (const key in left) {
    if (!Object.hasOwn(right, key) || !isSameData(left[key], right[key])) return false;
    more++;
  }
  for (const _key in right) more--;
  return more === 0;
}
