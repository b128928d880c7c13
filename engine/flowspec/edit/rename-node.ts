/**
 * A new id for a node, wherever the file names it.
 */
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import { readPath } from '../binding-path.ts';
import { parseTemplate } from '../binding-template.ts';
import { nodeIdPattern, reservedNodeIds } from '../flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json-value.ts';
import { isLoop } from '../loops.ts';
import { inputConditions } from '../when.ts';
import { listAt, nodeIds, nodeIndex, refused, textAt, withList } from './raw-flow.ts';

export interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** @throws EngineError `edit.refused` for an id that no node may have, or another has */
export function checkNewId(id: string, taken: ReadonlySet<string>): void {
  if (!nodeIdPattern.test(id)) {
    throw refused(`"id" must begin with a letter or _ and hold only letters without accents, digits and _.`);
  }
  if (reservedNodeIds.has(id)) {
    throw refused(`The id "${id}" is reserved: it has a meaning of its own in bindings. Choose another.`);
  }
  if (taken.has(id)) throw refused(`Another node has the id "${id}" already. Rename one.`);
}

/** @throws EngineError `edit.refused` when there is no such node or the new id is not possible */
export function renameNode(root: JsonMap, renaming: Renaming): JsonMap {
  const { from, to } = renaming;
  const index = nodeIndex(root, from);
  if (from === to) return root;
  checkNewId(to, nodeIds(root));
  const nodes = listAt(root, 'nodes');
  if (nodes.some((node) => itemNameOf(node) === to)) {
    throw refused(`The item of a loop is called "${to}" already. Choose another name.`);
  }
  const renamed = nodes.map((node, place) => renameInNode(node, { ...renaming, isItself: place === index }));
  const edges = listAt(root, 'edges').map((edge) => renameInEdge(edge, renaming));
  const withNodes = withList(withList(root, 'nodes', renamed), 'edges', edges);
  return renameInLayout(renameInOutputs(withNodes, renaming), renaming);
}

/** What the flow gives. */
function renameInOutputs(root: JsonMap, renaming: Renaming): JsonMap {
  return mapEntries(root, (key, flow) => {
    if (key !== 'flow' || !isJsonMap(flow)) return flow;
    return mapEntries(flow, (part, value) => (part === 'outputs' ? renameInValue(value, renaming) : value));
  });
}

function itemNameOf(node: JsonValue): string | undefined {
  return isJsonMap(node) && isLoop(node['type']) ? textAt(node['input'], 'as') : undefined;
}

function renameInNode(node: JsonValue, renaming: Renaming & { readonly isItself: boolean }): JsonValue {
  if (!isJsonMap(node)) return node;
  const type = textAt(node, 'type') ?? '';
  return mapEntries(node, (key, value) => {
    if (key === 'id') return renaming.isItself ? renaming.to : value;
    if (key === 'when') return renameInWhen(value, renaming);
    if (key !== 'input') return value;
    const bound = renameInValue(value, renaming);
    if (!isJsonMap(bound)) return bound;
    const conditions = new Set(inputConditions({ type, input: bound }).map(({ key: name }) => name));
    return mapEntries(bound, (name, part) => {
      if (conditions.has(name)) return renameInWhen(part, renaming);
      return name === 'body' && isLoop(type) ? renameInList(part, renaming) : part;
    });
  });
}

function renameInEdge(edge: JsonValue, renaming: Renaming): JsonValue {
  if (!isJsonMap(edge)) return edge;
  return mapEntries(edge, (key, value) => {
    if (key === 'when') return renameInWhen(value, renaming);
    return (key === 'from' || key === 'to') && value === renaming.from ? renaming.to : value;
  });
}

function renameInLayout(root: JsonMap, renaming: Renaming): JsonMap {
  return mapEntries(root, (key, layout) => {
    if (key !== 'layout' || !isJsonMap(layout)) return layout;
    return mapEntries(layout, (part, value) => {
      if (part === 'nodes' && isJsonMap(value)) return renameKey(value, renaming);
      if (part !== 'groups' || !isJsonMap(value)) return value;
      return mapEntries(value, (_, group) => (isJsonMap(group) ? mapEntries(group, renameMembers) : group));
    });
  });

  function renameMembers(key: string, value: JsonValue): JsonValue {
    return key === 'nodes' ? renameInList(value, renaming) : value;
  }
}

function renameKey(map: JsonMap, { from, to }: Renaming): JsonMap {
  if (!Object.hasOwn(map, from) || Object.hasOwn(map, to)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]));
}

function renameInList(list: JsonValue, { from, to }: Renaming): JsonValue {
  return isJsonList(list) ? mapItems(list, (item) => (item === from ? to : item)) : list;
}

/** Bindings in text, at any depth. */
function renameInValue(value: JsonValue, renaming: Renaming): JsonValue {
  if (typeof value === 'string') return renameInTemplate(value, renaming);
  if (isJsonList(value)) return mapItems(value, (item) => renameInValue(item, renaming));
  return isJsonMap(value) ? mapEntries(value, (_, item) => renameInValue(item, renaming)) : value;
}

function renameInTemplate(text: string, renaming: Renaming): string {
  return text.includes('{{') ? applyEdits(text, templateEdits(text, renaming)) : text;
}

function renameInWhen(when: JsonValue, renaming: Renaming): JsonValue {
  if (isJsonList(when)) return mapItems(when, (part) => renameInWhen(part, renaming));
  if (!isJsonMap(when)) return when;
  return mapEntries(when, (key, value) => {
    if (key === 'not' || key === 'and' || key === 'or') return renameInWhen(value, renaming);
    if (key === 'exists') return renameInPath(value, renaming);
    if (!isJsonMap(value)) return value;
    return mapEntries(value, (name, inner) => (name === 'var' ? renameInPath(inner, renaming) : inner));
  });
}

function renameInPath(path: JsonValue, renaming: Renaming): JsonValue {
  return typeof path === 'string' ? applyEdits(path, pathEdits(path, { ...renaming, offset: 0 })) : path;
}

/** The changes inside one text that lead from it to another by a renaming; undefined when they do not. */
export function renamingEdits(before: string, after: string, renaming: Renaming): readonly TextEdit[] | undefined {
  const ways = [templateEdits(before, renaming), pathEdits(before, { ...renaming, offset: 0 })];
  return ways.find((edits) => applyEdits(before, edits) === after);
}

function templateEdits(text: string, renaming: Renaming): TextEdit[] {
  const bindings = parseTemplate(text).parts.filter((part) => typeof part !== 'string');
  const edits: TextEdit[] = [];
  let next = 0;
  let position = 0;
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', position)) {
    const binding = bindings[next];
    const isEscaped = open > position && text[open - 1] === '\\';
    if (binding === undefined || isEscaped || !text.startsWith(binding.source, open)) {
      position = isEscaped ? open + 2 : behindToken(text, open);
      continue;
    }
    const head = /^\{\{\s*\??\s*/.exec(binding.source)?.[0].length ?? 2;
    edits.push(...pathEdits(text, { ...renaming, offset: open + head }));
    position = open + binding.source.length;
    next++;
  }
  return edits;
}

/** Behind a faulty token, as the parser reads it. */
function behindToken(text: string, open: number): number {
  const close = text.indexOf('}}', open);
  return close === -1 ? text.length : close + 2;
}

/** In a path, a node is named at the root, and as a member of what a loop gives: `each.iterations.0.outputs.sort`. */
function pathEdits(text: string, { from, to, offset }: Renaming & { readonly offset: number }): TextEdit[] {
  const { segments, spans } = readPath(text, offset) ?? { segments: [], spans: [] };
  return spans.flatMap(([start, end], index) => {
    if (segments[index] !== from || !namesNode(segments, index)) return [];
    // In brackets, with quotes around it.
    const inset = end - start === from.length ? 0 : 2;
    return [{ start: start + inset, end: end - inset, text: to }];
  });
}

/** The root, and each member of what a loop gives for an item, also of a loop in a loop. */
function namesNode(segments: readonly string[], index: number): boolean {
  if (index === 0) return true;
  return (
    index % 4 === 0 &&
    segments[index - 3] === 'iterations' &&
    segments[index - 1] === 'outputs' &&
    namesNode(segments, index - 4)
  );
}

/** The same map when no value changes. */
export function mapEntries(map: JsonMap, change: (key: string, value: JsonValue) => JsonValue): JsonMap {
  let isSame = true;
  const entries = Object.entries(map).map(([key, value]) => {
    const changed = change(key, value);
    if (changed !== value) isSame = false;
    return [key, changed] as const;
  });
  return isSame ? map : Object.fromEntries(entries);
}

/** The same list when no item changes. */
export function mapItems(list: readonly JsonValue[], change: (item: JsonValue) => JsonValue): readonly JsonValue[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}
