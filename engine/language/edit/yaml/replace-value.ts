/**
 * Rewrites one value in a text entirely. The comment after it and a scalar's anchor stay.
 */
import { isAlias, isScalar, type ParsedNode } from 'yaml';
import type { JsonValue } from '../../json/json-value.ts';
import { joinLines, type Patch, type Slot } from './patch.ts';
import { lineEnd } from './source-lines.ts';
import {
  indented,
  itemLines,
  type TextStyle,
  type WrittenYamlValue,
  writeBelowKey,
  writeInline,
  writeScalar,
} from './write-value.ts';
import { contentEnd, isAbsent, isBlockText, Unpatchable } from './yaml-text.ts';

/** Replaces a slot's value. @throws Unpatchable at the root */
export function replaceValue(patch: Patch, slot: Slot, after: JsonValue): void {
  if (slot.place === 'root') throw new Unpatchable();
  if (slot.place === 'inline') replaceInline(patch, slot, after);
  else replaceInBlock(patch, slot, after);
}

/**
 * Returns the style of a slot's text. Empty text, and text with a blank at its end, can be written only with quotes, so
 * they do not indicate a preferred style: a pause while typing must not decide how the finished text is written.
 */
function styleIn({ node }: Slot): TextStyle | undefined {
  if (node === null || !isScalar(node) || isAbsent(node)) return undefined;
  const isQuoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE';
  return isQuoted && /^$|^ | $/.test(String(node.value)) ? undefined : (node.type as TextStyle);
}

function replaceInline(patch: Patch, slot: Slot, after: JsonValue): void {
  const { node, intro } = slot;
  const was = patch.manner.isJson ? 'QUOTE_DOUBLE' : styleIn(slot);
  const isSingle = typeof after !== 'object';
  const text = isSingle ? writeScalar(after, { isInline: true, was }) : writeInline(after, patch.manner);
  if (node === null || isAbsent(node)) {
    const blank = patch.text.source[intro - 1] === ':' ? ' ' : '';
    patch.edits.push({ start: intro, end: intro, text: blank + text });
    return;
  }
  if (!isAlias(node) && node.tag !== undefined) throw new Unpatchable();
  patch.edits.push({ start: node.range[0], end: contentEnd(patch.text, node), text });
}

/** A range of the text. */
interface Cut {
  readonly start: number;
  readonly end: number;
}

function replaceInBlock(patch: Patch, slot: Slot, after: JsonValue): void {
  const { node, intro } = slot;
  const { source } = patch.text;
  const written = writeInSlot(patch, slot, after);
  if (node === null || isAbsent(node)) {
    putInLine(patch, { start: intro, end: intro }, written);
    return;
  }
  const keyLineEnd = lineEnd(source, intro);
  const [start] = node.range;
  const end = contentEnd(patch.text, node);
  if (isScalar(node) && node.tag === undefined && (start <= keyLineEnd || written.lines.length === 0)) {
    // Keeps an anchor before a scalar, and a comment on the line above it.
    replaceScalar(patch, node, { ...written, head: written.head.trimStart() });
  } else if (end <= keyLineEnd) putInLine(patch, { start: intro, end }, written);
  else if (start > keyLineEnd)
    putInLines(patch, { cut: { start: intro, end }, headEnd: propsEnd(patch, slot) }, written);
  else patch.edits.push({ start: intro, end, text: written.head + joinLines(patch, written.lines, intro) });
}

function replaceScalar(patch: Patch, node: ParsedNode, written: WrittenYamlValue): void {
  const { source } = patch.text;
  const [start] = node.range;
  const firstLineEnd = lineEnd(source, start);
  const cut = { start, end: contentEnd(patch.text, node) };
  if (cut.end <= firstLineEnd) putInLine(patch, cut, written);
  else if (isBlockText(node))
    putInLines(patch, { cut, headEnd: start + headerLength(source.slice(start, firstLineEnd)) }, written);
  else patch.edits.push({ ...cut, text: written.head + joinLines(patch, written.lines, start) });
}

function headerLength(line: string): number {
  return /^\S+/.exec(line)?.[0].length ?? 0;
}

/** Returns the offset after an anchor or tag on the key's line. */
function propsEnd({ text: { source } }: Patch, { intro }: Slot): number {
  const props = /^(?:[ \t]+[&!]\S*)+/.exec(source.slice(intro, lineEnd(source, intro)));
  return intro + (props?.[0].length ?? 0);
}

function writeInSlot({ manner }: Patch, slot: Slot, value: JsonValue): WrittenYamlValue {
  const written = { value, path: slot.path, was: styleIn(slot) };
  if (slot.place === 'entry') return shifted(writeBelowKey(written, manner), slot.column);
  const [first = '', ...lines] = itemLines(written, manner);
  return shifted({ head: first.slice(1), lines }, slot.column);
}

function shifted({ head, lines }: WrittenYamlValue, column: number): WrittenYamlValue {
  return { head, lines: indented(lines, column) };
}

/**
 * Replaces a range within one line. New lines are inserted below it, so that a comment after the range stays in place.
 */
function putInLine(patch: Patch, cut: Cut, { head, lines }: WrittenYamlValue): void {
  const { source } = patch.text;
  const end = lineEnd(source, cut.end);
  const below = joinLines(patch, lines, end);
  if (below === '') patch.edits.push({ ...cut, text: head });
  else if (source.slice(cut.end, end).trim() === '') patch.edits.push({ start: cut.start, end, text: head + below });
  else patch.edits.push({ ...cut, text: head }, { start: end, end, text: below });
}

/** Replaces a value on the lines below its key. Keeps what follows `headEnd` on the key's line. */
function putInLines(
  patch: Patch,
  { cut, headEnd }: { cut: Cut; headEnd: number },
  { head, lines }: WrittenYamlValue,
): void {
  const keyLineEnd = lineEnd(patch.text.source, headEnd);
  patch.edits.push(
    { start: cut.start, end: headEnd, text: head },
    { start: keyLineEnd, end: cut.end, text: joinLines(patch, lines, headEnd) },
  );
}
