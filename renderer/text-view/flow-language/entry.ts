/**
 * The data structure of a YAML outline, and functions to navigate it.
 */
import type { JsonValue } from '../../../engine/isomorphic.ts';

/** A range of the text. Offsets are in UTF-16 units. */
export interface YamlToken {
  /** Without quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** An entry of a map, an item of a list, or the root. */
export interface YamlEntry {
  readonly parent: YamlEntry | null;
  /** Null for items and the root. */
  readonly key: YamlToken | null;
  /**
   * Column of the key or the dash, from 0. Entries in braces or brackets have the column of the line's entry. -1 for
   * the root.
   */
  readonly column: number;
  /** Whether the entry is in braces or brackets. */
  readonly isInline: boolean;
  /** `text` is a block that starts with `|` or `>`. */
  kind: 'empty' | 'scalar' | 'text' | 'map' | 'list';
  /** The value, if it is a scalar or a block of text. For a block, the token's `text` is empty. */
  value: YamlToken | null;
  /** Range of a value in braces or brackets, including both delimiters. */
  inline: { readonly start: number; end: number; readonly isClosed: boolean } | null;
  readonly children: YamlEntry[];
  readonly start: number;
  /** Offset after its last character. */
  end: number;
}

/** Creates an entry and adds it to its parent. */
export function addEntry(parent: YamlEntry, part: Pick<YamlEntry, 'key' | 'column' | 'isInline' | 'start'>): YamlEntry {
  const entry: YamlEntry = { ...part, parent, kind: 'empty', value: null, inline: null, children: [], end: part.start };
  parent.children.push(entry);
  return entry;
}

/** Returns the keys and list indexes from the root to an entry. */
export function entryPath(entry: YamlEntry): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = entry; at.parent !== null; at = at.parent) path.unshift(at.key?.text ?? at.parent.children.indexOf(at));
  return path;
}

/** Returns the entry at a path, or undefined. */
export function entryAt(root: YamlEntry, path: readonly (string | number)[]): YamlEntry | undefined {
  let found: YamlEntry | undefined = root;
  for (const step of path) {
    found = typeof step === 'number' ? found?.children[step] : found?.children.find(({ key }) => key?.text === step);
  }
  return found;
}

/** Returns the value of a key, if it is a scalar. */
export function scalarAt(entry: YamlEntry, key: string): string | undefined {
  return entryAt(entry, [key])?.value?.text;
}

/** Returns the parts of an entry's value that determine its type. A block is only known to be text. */
export function jsonAt({ kind, value, children }: YamlEntry): JsonValue {
  if (kind === 'list') return children.map(jsonAt);
  if (kind === 'map') return Object.fromEntries(children.map((child) => [child.key?.text ?? '', jsonAt(child)]));
  if (kind === 'empty' || value === null) return null;
  const isQuoted = value.end - value.start > value.text.length;
  if (kind === 'text' || isQuoted) return value.text;
  if (value.text === 'true' || value.text === 'false') return value.text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(value.text) ? Number(value.text) : value.text;
}
