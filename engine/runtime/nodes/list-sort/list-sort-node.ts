import { Breather } from '../../../base/breather.ts';
import type { Clock } from '../../../base/clock.ts';
import { resolveBindingPath } from '../../../language/bindings/binding-path.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { forEachItem, itemContext, readItemPath } from '../item-context.ts';
import { listSortType } from './list-sort-type.ts';

export const listSortNode = defineNodeType(listSortType, {
  capabilities: [],
  run: async ({ input: { items }, config: { by, desc }, clock, signal }) => {
    const path = readItemPath(by);
    const rows: SortRow[] = [];
    await forEachItem(items, { clock, signal }, (item, index) => {
      rows.push({ item, key: resolveBindingPath(path, itemContext(item, index)) });
    });
    const sorted = await sortRows(rows, desc ? (a, b) => compareKeys(b, a) : compareKeys, { clock, signal });
    return { items: sorted.map(({ item }) => item) };
  },
});

interface SortRow {
  readonly item: JsonValue;
  readonly key: JsonValue | undefined;
}

type SortComparator = (a: JsonValue, b: JsonValue) => number;

let collator: Intl.Collator | undefined;

/** Compares text the same way on every system, regardless of its language. Creating a collator takes milliseconds. */
function compareTexts(a: string, b: string): number {
  collator ??= new Intl.Collator('en');
  return collator.compare(a, b);
}

/** Orders numbers before strings before booleans before lists and maps. */
function compareKeys(a: JsonValue, b: JsonValue): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === 'number' || typeof a === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  return compareTexts(JSON.stringify(a), JSON.stringify(b));
}

function rankOf(key: JsonValue): number {
  if (typeof key === 'number') return 0;
  if (typeof key === 'string') return 1;
  return typeof key === 'boolean' ? 2 : 3;
}

/** Number of items sorted without a pause, which takes a few milliseconds. */
const runLength = 2_000;

/** Items without a key come last in either direction. Yields to other work between the steps. */
async function sortRows(
  rows: readonly SortRow[],
  order: SortComparator,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly SortRow[]> {
  const breather = new Breather(clock);
  const rest = async (): Promise<void> => {
    if (!breather.isDue()) return;
    await breather.rest();
    signal.throwIfAborted();
  };
  const compare = (a: SortRow, b: SortRow): number => {
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined);
    return order(a.key, b.key);
  };
  let runs: (readonly SortRow[])[] = [];
  for (let start = 0; start < rows.length; start += runLength) {
    runs.push(rows.slice(start, start + runLength).sort(compare));
    await rest();
  }
  while (runs.length > 1) {
    const merged: (readonly SortRow[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], { compare, rest }));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

interface Merging {
  readonly compare: (a: SortRow, b: SortRow) => number;
  readonly rest: () => Promise<void>;
}

async function merge(
  left: readonly SortRow[],
  right: readonly SortRow[],
  { compare, rest }: Merging,
): Promise<readonly SortRow[]> {
  const merged: SortRow[] = [];
  let at = 0;
  for (const row of left) {
    for (let other = right[at]; other !== undefined && compare(other, row) < 0; other = right[++at]) merged.push(other);
    merged.push(row);
    if (merged.length % runLength === 0) await rest();
  }
  for (const row of right.slice(at)) merged.push(row);
  return merged;
}
