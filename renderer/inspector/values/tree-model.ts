/**
 * A value as the rows of a tree. Rows are created when their parent is expanded, and nothing here is recursive, so a
 * value may be large and nested to any depth.
 */
import { pathText } from '../../../engine/isomorphic.ts';
import type { TreeRow } from '../../ui/tree-rows.ts';
import { matcherOf } from './table-model.ts';

/** An entry of a list or map. */
export interface ValueRow extends TreeRow {
  readonly parent: ValueRow | null;
  readonly key: string | number;
  readonly value: unknown;
}

/** A list or map with more entries is collapsed at first. Deeper levels are as well if there are more rows than this. */
const mostOpenEntries = 50;
const openLevels = 2;
/** Maximum numbers of rows to expand and values to search at once. */
const mostExpanded = 10_000;
const mostSearched = 200_000;
/** Maximum number of results of a search. */
export const mostFound = 1000;

/** Returns the entries of a list or map. Undefined for other values. */
function entriesOf(value: unknown): readonly (readonly [string | number, unknown])[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
}

export function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** The rows of one value. They stay the same objects while the tree changes, except for `isExpanded`. */
export class ValueRows {
  readonly #top: readonly ValueRow[];
  readonly #children = new Map<string, readonly ValueRow[]>();
  #lastId = 0;

  constructor(value: object) {
    this.#top = this.#create(value, null);
  }

  #create(value: unknown, parent: ValueRow | null): readonly ValueRow[] {
    const entries = entriesOf(value) ?? [];
    return entries.map(([key, entry], index) => ({
      id: String(this.#lastId++),
      label: String(key),
      level: (parent?.level ?? 0) + 1,
      isExpanded: sizeOf(entry) === 0 ? null : false,
      position: index + 1,
      size: entries.length,
      parent,
      key,
      value: entry,
    }));
  }

  #childrenOf(row: ValueRow): readonly ValueRow[] {
    if (row.isExpanded === null) return [];
    let children = this.#children.get(row.id);
    if (children === undefined) {
      children = this.#create(row.value, row);
      this.#children.set(row.id, children);
    }
    return children;
  }

  /** Visits rows in the order of the tree, those below a row only if `enters` returns true for it. */
  *#walk(enters: (row: ValueRow) => boolean): Generator<ValueRow> {
    const waiting = [...this.#top].reverse();
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      yield row;
      if (!enters(row)) continue;
      const children = this.#childrenOf(row);
      for (let index = children.length - 1; index >= 0; index--) waiting.push(children[index] as ValueRow);
    }
  }

  /** Returns the rows in view. @param expanded IDs of the expanded rows */
  shown(expanded: ReadonlySet<string>): readonly ValueRow[] {
    const rows: ValueRow[] = [];
    for (const row of this.#walk(({ id }) => expanded.has(id))) {
      rows.push(expanded.has(row.id) ? { ...row, isExpanded: true } : row);
    }
    return rows;
  }

  /** Returns the rows that are expanded at first: two levels without long lists, and more while there are few rows. */
  openAtFirst(): ReadonlySet<string> {
    const ids = new Set<string>();
    const waiting = [...this.#top];
    let count = waiting.length;
    for (let index = 0; index < waiting.length; index++) {
      const row = waiting[index];
      const size = sizeOf(row?.value);
      if (row === undefined || size === 0 || size > mostOpenEntries) continue;
      if (row.level >= openLevels && count + size > mostOpenEntries) continue;
      ids.add(row.id);
      count += size;
      waiting.push(...this.#childrenOf(row));
    }
    return ids;
  }

  /** Returns all rows that can be expanded, up to a limit. */
  all(): ReadonlySet<string> {
    const ids = new Set<string>();
    let visited = 0;
    for (const row of this.#walk((one) => ids.has(one.id))) {
      // The walk continues below a row after it has been visited here.
      if (row.isExpanded !== null) ids.add(row.id);
      visited += 1;
      if (visited >= mostExpanded) break;
    }
    return ids;
  }

  /** Returns the rows with a text in their key or value, up to a limit. */
  find(query: string): readonly ValueRow[] {
    if (query === '') return [];
    const matches = matcherOf(query);
    const found: ValueRow[] = [];
    let visited = 0;
    for (const row of this.#walk(() => true)) {
      const isScalar = typeof row.value !== 'object' || row.value === null;
      if ((typeof row.key === 'string' && matches(row.key)) || (isScalar && matches(row.value))) found.push(row);
      visited += 1;
      if (found.length >= mostFound || visited >= mostSearched) break;
    }
    return found;
  }
}

/** Returns the IDs of the rows above a row. */
export function parentsOf(row: ValueRow): readonly string[] {
  const ids: string[] = [];
  for (let above = row.parent; above !== null; above = above.parent) ids.push(above.id);
  return ids;
}

/** Returns the keys from the top of the value to a row. */
export function keysOf(row: ValueRow): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: ValueRow | null = row; at !== null; at = at.parent) keys.push(at.key);
  return keys.reverse();
}

/**
 * Returns the path of an entry as in bindings, such as `fetch.body[0].title`. Without a binding for the whole value,
 * the path starts inside it.
 */
export function entryPath(binding: string | undefined, keys: readonly (string | number)[]): string {
  const [first, ...rest] = keys;
  const start = typeof first === 'string' ? first : `[${first ?? ''}]`;
  const path = binding === undefined ? start : binding;
  const further = binding === undefined ? rest : keys;
  const segments = further.map((key) => (typeof key === 'number' ? `[${key}]` : pathText(['', key])));
  return path + segments.join('');
}
