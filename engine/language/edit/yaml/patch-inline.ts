/**
 * Edits lists and maps in flow style: adds and removes parts with their commas, on one or more lines.
 */
import { type CST, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml';
import { joinLines, type NewParts, type Patch } from './patch.ts';
import { columnOf, isFirstInLine, lineEnd, lineStart, nextLine } from './source-lines.ts';
import { contentEnd, isAbsent, itemTokens, tokensOf, Unpatchable, type YamlPair } from './yaml-text.ts';

interface InlinePart {
  readonly start: number;
  readonly end: number;
  /** Offset of the comma after it. */
  readonly comma: number | undefined;
}

/** The change to the parts of a flow-style list or map; at least one old part must stay. */
interface InlineChange {
  readonly collection: YAMLMap | YAMLSeq;
  readonly removed: ReadonlySet<number>;
  readonly added: readonly NewParts<string>[];
}

export function changeInline(patch: Patch, { collection, removed, added }: InlineChange): void {
  if (removed.size === 0 && added.length === 0) return;
  const parts = partsOf(patch, collection);
  const runs = new Map(runsOf(removed).map((run) => [run.first, run]));
  for (const group of added) {
    const run = runs.get(group.behind + 1);
    if (run !== undefined)
      replaceRun(patch, { start: partAt(parts, run.first).start, end: partAt(parts, run.last).end }, group.parts);
    else if (group.behind === -1) addFirst(patch, parts, group.parts);
    else addBehind(patch, parts, group);
    runs.delete(group.behind + 1);
  }
  for (const run of runs.values()) removeRun(patch, parts, run);
}

/** Replaces old parts with new ones. */
function replaceRun(patch: Patch, { start, end }: InlineSpan, texts: readonly string[]): void {
  const between = isFirstInLine(patch.text.source, start) ? `,${newLineAt(patch, start)}` : ', ';
  patch.edits.push({ start, end, text: texts.join(between) });
}

function partsOf(patch: Patch, collection: YAMLMap | YAMLSeq): readonly InlinePart[] {
  const { srcToken } = collection;
  if (srcToken?.type !== 'flow-collection') throw new Unpatchable();
  const commas = srcToken.items.flatMap(({ start }) => start.filter(({ type }) => type === 'comma'));
  const spans = isSeq(collection) ? itemSpans(patch, collection) : pairSpans(patch, collection);
  return spans.map(({ start, end }, index) => {
    const limit = spans[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    return { start, end, comma: commas.find(({ offset }) => offset >= end && offset < limit)?.offset };
  });
}

export interface InlineSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns a flow-style list's items, without their commas. */
export function itemSpans({ text }: Patch, list: YAMLSeq): readonly InlineSpan[] {
  return itemTokens(list).map(({ start, sep }, index) => {
    const node = list.items[index] as ParsedNode | undefined;
    if (node === undefined || sep !== undefined || isAbsent(node)) throw new Unpatchable();
    return { start: propsStart(start) ?? node.range[0], end: contentEnd(text, node) };
  });
}

/** Returns a flow-style map's entries, without their commas. */
export function pairSpans({ text }: Patch, map: YAMLMap): readonly InlineSpan[] {
  return (map.items as YamlPair[]).map((pair) => {
    const { start, sep } = tokensOf(pair);
    if (start.some(({ type }) => type === 'explicit-key-ind')) throw new Unpatchable();
    const colon = sep?.find(({ type }) => type === 'map-value-ind');
    const emptyEnd = colon === undefined ? pair.key.range[1] : colon.offset + 1;
    const hasValue = pair.value !== null && !isAbsent(pair.value);
    const end = hasValue ? contentEnd(text, pair.value as ParsedNode) : emptyEnd;
    return { start: propsStart(start) ?? pair.key.range[0], end };
  });
}

function propsStart(tokens: readonly CST.SourceToken[]): number | undefined {
  return tokens.find(({ type }) => type === 'anchor' || type === 'tag')?.offset;
}

function partAt(parts: readonly InlinePart[], index: number): InlinePart {
  const part = parts[index];
  if (part === undefined) throw new Unpatchable();
  return part;
}

function addFirst(patch: Patch, parts: readonly InlinePart[], texts: readonly string[]): void {
  const { start } = partAt(parts, 0);
  const { source } = patch.text;
  const behind = isFirstInLine(source, start) ? `,${newLineAt(patch, start)}` : ', ';
  patch.edits.push({ start, end: start, text: texts.map((text) => text + behind).join('') });
}

function addBehind(patch: Patch, parts: readonly InlinePart[], added: NewParts<string>): void {
  const { source } = patch.text;
  const { start, end, comma } = partAt(parts, added.behind);
  const isLast = added.behind === parts.length - 1;
  if (!isFirstInLine(source, start)) {
    const place = isLast && comma !== undefined ? comma + 1 : end;
    const texts = added.parts.map((text) => (place === end ? `, ${text}` : ` ${text},`));
    patch.edits.push({ start: place, end: place, text: texts.join('') });
    return;
  }
  const place = endOfPartLine(source, (comma ?? end - 1) + 1);
  const ending = newLineAt(patch, start);
  const missing = comma === undefined ? ',' : '';
  const text = added.parts.map((part) => ending + part).join(',');
  const closing = comma === undefined ? '' : ',';
  if (place === end) patch.edits.push({ start: end, end, text: missing + text + closing });
  else {
    if (missing !== '') patch.edits.push({ start: end, end, text: missing });
    patch.edits.push({ start: place, end: place, text: text + closing });
  }
}

/** Returns the offset after a comment on the same line, or before any other content there. */
function endOfPartLine(source: string, offset: number): number {
  const end = lineEnd(source, offset);
  return /^[ \t]*(?:#.*)?$/.test(source.slice(offset, end)) ? end : offset;
}

/** Returns the line break and indentation of a part on its own line. */
function newLineAt(patch: Patch, start: number): string {
  const { source } = patch.text;
  return joinLines(patch, [source.slice(lineStart(source, start), start)], start);
}

/** Consecutive parts, by the first and last index. */
interface PartRun {
  readonly first: number;
  last: number;
}

function runsOf(removed: ReadonlySet<number>): readonly PartRun[] {
  const runs: PartRun[] = [];
  for (const index of [...removed].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run.last === index - 1) run.last = index;
    else runs.push({ first: index, last: index });
  }
  return runs;
}

function removeRun(patch: Patch, parts: readonly InlinePart[], { first, last }: PartRun): void {
  const { source } = patch.text;
  const { start } = partAt(parts, first);
  const { end, comma } = partAt(parts, last);
  const next = parts[last + 1];
  const ownsLines = isFirstInLine(source, start);
  if (next !== undefined) {
    if (ownsLines && isFirstInLine(source, next.start)) {
      const behind = nextLine(source, comma ?? end) ?? source.length;
      patch.edits.push({ start: start - columnOf(source, start), end: behind, text: '' });
    } else patch.edits.push({ start, end: next.start, text: '' });
    return;
  }
  const before = partAt(parts, first - 1);
  if (!ownsLines || before.comma === undefined) {
    patch.edits.push({ start: before.end, end, text: '' });
    return;
  }
  if (comma === undefined) patch.edits.push({ start: before.comma, end: before.comma + 1, text: '' });
  const cutStart = lineEnd(source, lineStart(source, lineStart(source, start) - 1));
  patch.edits.push({ start: cutStart, end: endOfPartLine(source, (comma ?? end - 1) + 1), text: '' });
}
