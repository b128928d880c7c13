/**
 * Edits maps and lists in block style: adds and removes entire lines, and leaves all others unchanged.
 */
import { isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { ValuePath } from '../../schema/schema-problems.ts';
import { joinLines, type NewParts, type Patch, type Slot } from './patch.ts';
import { replaceValue } from './replace-value.ts';
import { classifyLine, columnOf, isFirstInLine, lineEnd, lineStart, nextLine } from './source-lines.ts';
import { indented } from './write-value.ts';
import {
  blankLinesBefore,
  blockEnd,
  blockStart,
  contentEnd,
  introEnd,
  isAbsent,
  itemTokens,
  pairEnd,
  tokensOf,
  Unpatchable,
  type YamlPair,
} from './yaml-text.ts';

/** An entry or item, as lines. */
interface BlockPart {
  /** Offset of its key or dash. */
  readonly start: number;
  /** End of its lines, before the line break. */
  readonly end: number;
}

/** The change to a block's parts. */
interface BlockChange {
  readonly parts: readonly BlockPart[];
  readonly removed: ReadonlySet<number>;
  readonly added: readonly NewParts<readonly string[]>[];
  readonly path: ValuePath;
  readonly isList: boolean;
}

/** Returns a block map's entries as lines. @throws Unpatchable for keys that start with `?` */
export function partsOfMap({ text }: Patch, map: YAMLMap): readonly BlockPart[] {
  return (map.items as YamlPair[]).map((pair) => {
    const { start: before } = tokensOf(pair);
    if (before.some(({ type }) => type === 'explicit-key-ind')) throw new Unpatchable();
    const props = before.find(({ type }) => type === 'anchor' || type === 'tag');
    const start = props?.offset ?? pair.key.range[0];
    return { start, end: blockEnd(text, pairEnd(text, pair), columnOf(text.source, start)) };
  });
}

/** Returns a block list's items as lines. */
export function partsOfList({ text }: Patch, list: YAMLSeq): readonly BlockPart[] {
  return itemTokens(list).map(({ start: before }, index) => {
    const start = before.find(({ type }) => type === 'seq-item-ind')?.offset;
    const node = list.items[index] as YamlPair['value'] | undefined;
    if (start === undefined || node === undefined) throw new Unpatchable();
    const end = node === null || isAbsent(node) ? (introEnd(before, true) ?? start + 1) : contentEnd(text, node);
    return { start, end: blockEnd(text, end, columnOf(text.source, start)) };
  });
}

/**
 * Returns the text of each part, including the comments directly above it; undefined if a part does not start its line.
 */
export function blockSpans({ text }: Patch, parts: readonly BlockPart[]): readonly BlockPart[] | undefined {
  if (parts.some(({ start }) => !isFirstInLine(text.source, start))) return undefined;
  return parts.map(({ start, end }) => ({ start: blockStart(text, start), end }));
}

/** Removes and adds parts; at least one old part must stay. */
export function changeBlock(patch: Patch, change: BlockChange): void {
  const { parts, removed, added } = change;
  for (const { behind, parts: lines } of added) {
    if (behind === -1) addFirst(patch, change, lines);
    else addBehind(patch, { change, behind }, lines);
  }
  const leading = parts.findIndex((_, index) => !removed.has(index));
  for (const index of removed) {
    const part = parts[index];
    if (part === undefined) continue;
    if (index < leading) removeForward(patch, part, parts[index + 1]);
    else removeBackward(patch, part, parts[index - 1]);
  }
}

function addBehind(
  patch: Patch,
  { change, behind }: { readonly change: BlockChange; readonly behind: number },
  lines: readonly (readonly string[])[],
): void {
  const part = change.parts[behind];
  if (part === undefined) throw new Unpatchable();
  const { source } = patch.text;
  const column = columnOf(source, part.start);
  const isEnd = change.path.length === 0 && behind === change.parts.length - 1;
  const end = isEnd ? documentEnd(source, part.end) : part.end;
  const gap = Math.max(gapOf(patch, change, lines), isEnd && end > part.end ? 1 : 0);
  const text = lines.map((part) => joinLines(patch, [...blanks(gap), ...indented(part, column)], end)).join('');
  patch.edits.push({ start: end, end, text });
}

function addFirst(patch: Patch, change: BlockChange, lines: readonly (readonly string[])[]): void {
  const [first] = change.parts;
  if (first === undefined) throw new Unpatchable();
  const { source } = patch.text;
  const column = columnOf(source, first.start);
  const gap = gapOf(patch, change, lines);
  const ending = joinLines(patch, [''], first.start);
  const text = lines.map((part) => [...indented(part, column), ...blanks(gap), ''].join(ending)).join('');
  if (isFirstInLine(source, first.start)) {
    const start = blockStart(patch.text, first.start);
    patch.edits.push({ start, end: start, text });
  } else {
    // On the line of a dash, the new text replaces the old part.
    patch.edits.push({ start: first.start, end: first.start, text: text.trimStart() + ' '.repeat(column) });
  }
}

function blanks(count: number): readonly string[] {
  return Array.from({ length: count }, () => '');
}

/** Returns the offset after all comments at the end of the file. */
function documentEnd(source: string, end: number): number {
  let last = end;
  for (let start = nextLine(source, end); start !== undefined; start = nextLine(source, start)) {
    const { kind } = classifyLine(source, start);
    if (kind === 'content') break;
    if (kind === 'comment') last = lineEnd(source, start);
  }
  return last;
}

/** Returns the number of blank lines around new parts. */
function gapOf(patch: Patch, { parts, path, isList }: BlockChange, lines: readonly (readonly string[])[]): number {
  const last = parts.at(-1);
  if (parts.length > 1 && last !== undefined) return blankLinesBefore(patch.text, blockStart(patch.text, last.start));
  const isLong = lines.some(({ length }) => length > 1);
  return isList && path.length === 1 && isLong ? patch.manner.sectionGap : 0;
}

/** Removes a part with the blank lines before it, unless they belong to the previous part. */
function removeBackward(patch: Patch, { start, end }: BlockPart, before: BlockPart | undefined): void {
  const { source } = patch.text;
  if (!isFirstInLine(source, start)) throw new Unpatchable();
  let first = blockStart(patch.text, start);
  while (first > 0) {
    const above = lineStart(source, first - 1);
    if (classifyLine(source, above).kind !== 'blank') break;
    first = above;
  }
  const cutStart = first === 0 ? 0 : lineEnd(source, lineStart(source, first - 1));
  patch.edits.push({ start: Math.max(cutStart, before?.end ?? 0), end, text: '' });
}

/** Removes a part with the blank lines after it. */
function removeForward(patch: Patch, { start, end }: BlockPart, next: BlockPart | undefined): void {
  const { source } = patch.text;
  if (next === undefined) throw new Unpatchable();
  if (!isFirstInLine(source, start)) {
    removeBesideDash(patch, start, next.start);
    return;
  }
  let behind = nextLine(source, end) ?? source.length;
  while (behind < next.start && classifyLine(source, behind).kind === 'blank') {
    behind = nextLine(source, behind) ?? source.length;
  }
  patch.edits.push({ start: blockStart(patch.text, start), end: behind, text: '' });
}

/** Removes a map's first entry on the line of its dash. The next entry takes its place. */
function removeBesideDash(patch: Patch, start: number, next: number): void {
  if (/#/.test(patch.text.source.slice(start, next))) throw new Unpatchable();
  patch.edits.push({ start, end: next, text: '' });
}

/** Removes all parts below a key and writes the empty value after it. */
export function emptyBlock(patch: Patch, slot: Slot, parts: readonly BlockPart[]): void {
  const [first] = parts;
  const isBelow = first !== undefined && first.start > lineEnd(patch.text.source, slot.intro);
  const isList = isSeq(slot.node);
  if (!isBelow || slot.place !== 'entry') {
    replaceValue(patch, slot, isList ? [] : {});
    return;
  }
  patch.edits.push({ start: slot.intro, end: slot.intro, text: isList ? ' []' : ' {}' });
  for (const [index, part] of parts.entries()) removeBackward(patch, part, parts[index - 1]);
}
