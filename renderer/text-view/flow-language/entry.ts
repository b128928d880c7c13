/**
 * The parts of an outline of YAML text, and the ways between them.
 */

/** A stretch of the text. Offsets are UTF-16 units. */
export interface Token {
  /** Without quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** An entry of a map, an item of a list, or the root. */
export interface Entry {
  readonly parent: Entry | null;
  /** Null for items and the root. */
  readonly key: Token | null;
  /** Column, from 0, of the key or the dash; entries between braces or brackets have that of the line's entry. -1 = the root. */
  readonly column: number;
  /** Whether it stands between braces or brackets. */
  readonly isInline: boolean;
  /** `text` = a block that begins with `|` or `>`. */
  kind: 'empty' | 'scalar' | 'text' | 'map' | 'list';
  /** The value, when it is a scalar or a text. Of a text, the token's `text` is empty. */
  value: Token | null;
  /** Between which places a value in braces or brackets stands, both signs included. */
  inline: { readonly start: number; end: number; readonly isClosed: boolean } | null;
  readonly children: Entry[];
  readonly start: number;
  /** Behind the last letter of it. */
  end: number;
}

/** Makes an entry and hangs it into its parent. */
export function addEntry(parent: Entry, part: Pick<Entry, 'key' | 'column' | 'isInline' | 'start'>): Entry {
  const entry: Entry = { ...part, parent, kind: 'empty', value: null, inline: null, children: [], end: part.start };
  parent.children.push(entry);
  return entry;
}

/** Keys and places in lists from the root to an entry. */
export function entryPath(entry: Entry): readonly (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = entry; at.parent !== null; at = at.parent) path.unshift(at.key?.text ?? at.parent.children.indexOf(at));
  return path;
}

/** The entry at a path; undefined when there is none. */
export function entryAt(root: Entry, path: readonly (string | number)[]): Entry | undefined {
  let found: Entry | undefined = root;
  for (const step of path) {
    found = typeof step === 'number' ? found?.children[step] : found?.children.find(({ key }) => key?.text === step);
  }
  return found;
}

/** The value that stands at a key of an entry, when it is a scalar. */
export function scalarAt(entry: Entry, key: string): string | undefined {
  return entryAt(entry, [key])?.value?.text;
}
