/**
 * Finds the edits to YAML text that produce a new value. Text that does not have to change is preserved.
 */
import { isAlias, isCollection, isMap, isScalar, isSeq, type ParsedNode, type Scalar } from 'yaml';
import { editBetween, type TextEdit } from '../../../base/text-edit.ts';
import { isJsonList, isJsonMap, type JsonValue, jsonEquals } from '../../json/json-value.ts';
import { type Patch, type PatchHints, presentValue, type Slot } from './patch.ts';
import { patchList } from './patch-list.ts';
import { patchMap } from './patch-map.ts';
import { replaceValue } from './replace-value.ts';
import { respell } from './respell-scalar.ts';
import type { Manner } from './write-value.ts';
import { isAbsent, Unpatchable, type YamlText } from './yaml-text.ts';

/**
 * Returns the edits. The caller must check that the edited text has the new value: aliases and unusual positions can
 * break any strategy.
 * @throws Unpatchable if the outermost value cannot be changed in parts
 */
export function patchYaml(
  text: YamlText,
  after: JsonValue,
  { manner, hints }: { readonly manner: Manner; readonly hints: PatchHints },
): TextEdit[] {
  const patch: Patch = {
    text,
    manner,
    hints,
    edits: [],
    anchored: new Map(),
    visit: (slot, value) => visit(patch, slot, value),
  };
  patch.visit({ place: 'root', node: text.root, path: [], intro: 0, column: 0 }, after);
  const edits = patch.edits.flatMap((edit) => trimmed(text.source, edit) ?? []);
  return edits.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Reduces an edit to the part that differs. */
function trimmed(source: string, { start, end, text }: TextEdit): TextEdit | null {
  const edit = editBetween(source.slice(start, end), text);
  return edit && { start: start + edit.start, end: start + edit.end, text: edit.text };
}

function visit(patch: Patch, slot: Slot, after: JsonValue): void {
  const { node } = slot;
  if (node === null || isAbsent(node)) {
    if (after !== null) replaceValue(patch, slot, after);
    return;
  }
  if (isAlias(node)) {
    if (!stillMeans(patch, node, after)) replaceValue(patch, slot, after);
    return;
  }
  if (node.anchor !== undefined) patch.anchored.set(node, after);
  const mark = patch.edits.length;
  const anchored = [...patch.anchored];
  try {
    visitParts(patch, slot, after);
  } catch (thrown) {
    if (!(thrown instanceof Unpatchable)) throw thrown;
    patch.edits.length = mark;
    patch.anchored.clear();
    for (const [target, value] of anchored) patch.anchored.set(target, value);
    replaceValue(patch, slot, after);
  }
}

/** An alias stays as long as its target has the required value. */
function stillMeans(patch: Patch, alias: ParsedNode, after: JsonValue): boolean {
  const target = isAlias(alias) ? patch.text.aliasTargets.get(alias) : undefined;
  const value = target === undefined ? undefined : patch.anchored.get(target);
  return value !== undefined && jsonEquals(value, after);
}

function visitParts(patch: Patch, slot: Slot, after: JsonValue): void {
  const { node, path } = slot;
  const before = presentValue(patch, path);
  if (before === after && patch.text.aliasTargets.size === 0) return;
  if (!isCollection(node)) visitScalar(patch, slot, after);
  else if (patch.hints.isWhole(path) && !jsonEquals(before, after)) replaceValue(patch, slot, after);
  else if (isMap(node) && isJsonMap(after)) patchMap(patch, { slot, map: node }, after);
  else if (isSeq(node) && isJsonList(after)) patchList(patch, { slot, list: node }, after);
  else replaceValue(patch, slot, after);
}

function visitScalar(patch: Patch, slot: Slot, after: JsonValue): void {
  const before = presentValue(patch, slot.path);
  if (before === after || !isScalar(slot.node)) return;
  const isText = typeof before === 'string' && typeof after === 'string';
  const edits = isText ? respelled(patch, slot.node as Scalar.Parsed, [before, after]) : undefined;
  if (edits === undefined) replaceValue(patch, slot, after);
  else patch.edits.push(...edits);
}

function respelled(
  { text, hints }: Patch,
  node: Scalar.Parsed,
  [before, after]: readonly [string, string],
): TextEdit[] | undefined {
  const known = hints.respell(before, after);
  if (known !== undefined) return respell(text.source, node, known);
  // Rewriting folded text would lose its line breaks.
  const [start, end] = node.range;
  const isFolded = node.type !== 'BLOCK_LITERAL' && text.source.slice(start, end).trimEnd().includes('\n');
  const edit = isFolded ? editBetween(before, after) : null;
  return edit === null ? undefined : respell(text.source, node, [edit]);
}
