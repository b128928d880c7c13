/**
 * Determines what is being written at a position in a YAML text: a key of a map, or the value of an entry.
 */
import type { YamlEntry, YamlToken } from './entry.ts';

export interface Cursor {
  /**
   * `key` is a key of the map that `entry` has or will have. `value` is the value of `entry`. `either` is an item of a
   * list, which may be a value or become a map.
   */
  readonly role: 'key' | 'value' | 'either';
  readonly entry: YamlEntry;
  /** The existing text that would be replaced. May be empty. */
  readonly word: YamlToken;
  /** Whether the key being written has its colon. */
  readonly hasColon: boolean;
}

/** Returns what is being written at an offset. Undefined inside comments and where it cannot be determined. */
export function cursorAt(root: YamlEntry, text: string, offset: number): Cursor | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const entry = innermostAt(root, offset);
  if (entry.isInline || isInside(entry.inline, offset)) return inlineCursor(entry, text, offset);
  const isInText = entry.kind === 'text' && entry.value !== null && offset > entry.value.start;
  if (isInText && entry.value !== null && text.lastIndexOf('\n', offset - 1) >= entry.value.start) {
    return { role: 'value', entry, word: emptyAt(offset), hasColon: false };
  }
  if (/(?:^|\s)#[^"']*$/.test(text.slice(lineStart, offset)) && !isInside(entry.value, offset)) return undefined;
  return blockCursor(root, text, { lineStart, offset });
}

/** Returns the innermost entry at an offset. An offset directly after an entry belongs to it. */
export function innermostAt(root: YamlEntry, offset: number): YamlEntry {
  let found = root;
  for (;;) {
    const inner: YamlEntry | undefined = lastBefore(found.children, offset);
    if (inner === undefined || offset > inner.end) return found;
    found = inner;
  }
}

/** Returns the last of some entries that starts at or before an offset. */
function lastBefore(entries: readonly YamlEntry[], offset: number): YamlEntry | undefined {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

function isInside(place: { start: number; end: number; isClosed?: boolean } | null, offset: number): boolean {
  if (place === null || offset <= place.start) return false;
  return place.isClosed === true ? offset < place.end : offset <= place.end;
}

const emptyAt = (offset: number): YamlToken => ({ text: '', start: offset, end: offset });

interface YamlCursorPosition {
  readonly lineStart: number;
  readonly offset: number;
}

/** Matches dashes, followed by a possible beginning of a key. */
const keyStart = /^([ \t]*(?:-[ \t]+)*)([^\s:#'"{}[\]-][^:#{}[\]]*)?$/;
const valueStart = /^[ \t]*(?:-[ \t]+)*(?:"[^"]*"|'[^']*'|[^\s#"'][^#]*?)[ \t]*:[ \t]+/;

function blockCursor(root: YamlEntry, text: string, { lineStart, offset }: YamlCursorPosition): Cursor | undefined {
  const before = text.slice(lineStart, offset);
  const value = valueStart.exec(before);
  if (value !== null) {
    const entry = keyedEntryOnLine(root, lineStart, offset);
    return entry === undefined ? undefined : { role: 'value', entry, word: wordOf(entry, offset), hasColon: false };
  }
  const key = keyStart.exec(before);
  if (key === null) return undefined;
  const indent = key[1] ?? '';
  const start = lineStart + indent.length;
  const rest = /^[^\s:#]*/.exec(text.slice(offset))?.[0] ?? '';
  const word = { text: text.slice(start, offset + rest.length), start, end: offset + rest.length };
  const hasColon = /^[ \t]*:(?:\s|$)/.test(text.slice(word.end));
  const entry = containerAt(root, { lineStart, offset: start });
  if (entry === undefined) return undefined;
  return { role: indent.includes('-') && entry.key === null ? 'either' : 'key', entry, word, hasColon };
}

/** Returns the entry with a key before the offset on its line. */
function keyedEntryOnLine(root: YamlEntry, lineStart: number, offset: number): YamlEntry | undefined {
  let found: YamlEntry | undefined;
  let entry: YamlEntry | undefined = lastBefore(root.children, offset);
  while (entry !== undefined) {
    if (entry.start >= lineStart && entry.key !== null) found = entry;
    entry = lastBefore(entry.children, offset);
  }
  return found;
}

/** Returns the entry with the map that a key at this column and line would belong to. */
function containerAt(root: YamlEntry, { lineStart, offset }: YamlCursorPosition): YamlEntry | undefined {
  const column = offset - lineStart;
  let container: YamlEntry = root;
  let entry: YamlEntry | undefined = lastBefore(root.children, offset - 1);
  while (entry !== undefined && entry.column < column && !entry.isInline) {
    container = entry;
    entry = lastBefore(entry.children, offset - 1);
  }
  // A scalar from the lines above may continue here. One that starts here is the key itself, without its colon.
  const goesOn = container.kind === 'scalar' && (container.value?.start ?? 0) < lineStart;
  return goesOn ? undefined : container;
}

function wordOf({ value, kind }: YamlEntry, offset: number): YamlToken {
  if (value === null || kind === 'text' || offset < value.start || offset > value.end) return emptyAt(offset);
  return value;
}

/** Returns the cursor in braces or brackets. */
function inlineCursor(entry: YamlEntry, text: string, offset: number): Cursor | undefined {
  if (isInside(entry.inline, offset)) {
    return { role: entry.kind === 'map' ? 'key' : 'either', entry, word: emptyAt(offset), hasColon: false };
  }
  const { key, value, parent } = entry;
  if (key !== null && parent !== null && offset <= key.end) {
    const hasColon = /^\s*:/.test(text.slice(key.end));
    return { role: 'key', entry: parent, word: key, hasColon };
  }
  if (key === null && parent !== null)
    return { role: 'either', entry, word: value ?? emptyAt(offset), hasColon: false };
  return { role: 'value', entry, word: wordOf(entry, offset), hasColon: false };
}
