/**
 * Changes a node ID everywhere in the file.
 */
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import { readPath } from '../bindings/binding-path.ts';
import { nodeIdPattern, reservedNodeIds } from '../flow/flow-doc.ts';
import { isLoop, passLoop, previousRoot } from '../flow/loops.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import {
  changeBindings,
  changeCondition,
  changeInput,
  mapEntries,
  mapItems,
  type PathEdits,
  templateEdits,
} from './node-paths.ts';
import { listAt, nodeIds, nodeIndex, refused, textAt, withList } from './raw-flow.ts';

export interface NodeRename {
  readonly from: string;
  readonly to: string;
}

/** @throws EngineError `edit.refused` if an ID is invalid or taken */
export function checkNewId(id: string, taken: ReadonlySet<string>): void {
  if (!nodeIdPattern.test(id)) {
    throw refused(`"id" must start with a letter or _ and contain only ASCII letters, digits and _.`);
  }
  if (reservedNodeIds.has(id)) {
    throw refused(`The id "${id}" is reserved because it has a special meaning in bindings. Choose another.`);
  }
  if (taken.has(id)) throw refused(`Another node already has the id "${id}". Rename one.`);
}

/** @throws EngineError `edit.refused` if there is no such node or the new ID is not allowed */
export function renameNode(root: JsonMap, renaming: NodeRename): JsonMap {
  const { from, to } = renaming;
  const index = nodeIndex(root, from);
  if (from === to) return root;
  checkNewId(to, nodeIds(root));
  const nodes = listAt(root, 'nodes');
  if (nodes.some((node) => itemNameOf(node) === to)) {
    throw refused(`The item of a loop already has the name "${to}". Choose another name.`);
  }
  const inFile = { ...renaming, paths: inPaths(renaming, namingRootsOf(nodes)) };
  const renamed = nodes.map((node, place) => renameInNode(node, { ...inFile, isItself: place === index }));
  const edges = listAt(root, 'edges').map((edge) => renameInEdge(edge, inFile));
  const withNodes = withList(withList(root, 'nodes', renamed), 'edges', edges);
  return renameInLayout(renameInOutputs(withNodes, inFile), renaming);
}

type RenamingInFile = NodeRename & { readonly paths: PathEdits };

/** Updates the flow's declared outputs. */
function renameInOutputs(root: JsonMap, { paths }: RenamingInFile): JsonMap {
  return mapEntries(root, (key, flow) => {
    if (key !== 'flow' || !isJsonMap(flow)) return flow;
    return mapEntries(flow, (part, value) => (part === 'outputs' ? changeBindings(value, paths) : value));
  });
}

function itemNameOf(node: JsonValue): string | undefined {
  return isJsonMap(node) && isLoop(node['type']) ? textAt(node['input'], 'as') : undefined;
}

function renameInNode(node: JsonValue, renaming: RenamingInFile & { readonly isItself: boolean }): JsonValue {
  if (!isJsonMap(node)) return node;
  const type = textAt(node, 'type') ?? '';
  return mapEntries(node, (key, value) => {
    if (key === 'id') return renaming.isItself ? renaming.to : value;
    if (key === 'when') return changeCondition(value, renaming.paths);
    if (key === 'config') return renameInTemplate(value, renaming);
    if (key !== 'input') return value;
    const bound = changeInput(type, value, renaming.paths);
    if (!isJsonMap(bound) || !isLoop(type)) return bound;
    return mapEntries(bound, (name, part) => (name === 'body' ? renameInList(part, renaming) : part));
  });
}

/** An item of a loop's results has the outputs of the nodes in the loop by ID: `{{this.outputs.ask.text}}`. */
function renameInTemplate(config: JsonValue, { from, to }: NodeRename): JsonValue {
  if (!isJsonMap(config)) return config;
  const ofItem = new RegExp(`\\b(this|item)\\.outputs\\.${from}(?![\\w-])`, 'g');
  return mapEntries(config, (key, value) => {
    if (key !== 'template' || typeof value !== 'string') return value;
    return value.replace(/\{\{[^{}]*\}\}/g, (binding) => binding.replace(ofItem, `$1.outputs.${to}`));
  });
}

function renameInEdge(edge: JsonValue, renaming: RenamingInFile): JsonValue {
  if (!isJsonMap(edge)) return edge;
  return mapEntries(edge, (key, value) => {
    if (key === 'when') return changeCondition(value, renaming.paths);
    return (key === 'from' || key === 'to') && value === renaming.from ? renaming.to : value;
  });
}

function renameInLayout(root: JsonMap, renaming: NodeRename): JsonMap {
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

function renameKey(map: JsonMap, { from, to }: NodeRename): JsonMap {
  if (!Object.hasOwn(map, from) || Object.hasOwn(map, to)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]));
}

function renameInList(list: JsonValue, { from, to }: NodeRename): JsonValue {
  return isJsonList(list) ? mapItems(list, (item) => (item === from ? to : item)) : list;
}

/** Other ways in which a path may refer to a node. */
interface NamingRoots {
  /** Whether this is a loop with its last iteration's outputs under `last`. */
  isPassLoop(id: string): boolean;
  /** Whether `previous` refers to the previous iteration rather than a node. */
  readonly hasPrevious: boolean;
}

function namingRootsOf(nodes: readonly JsonValue[]): NamingRoots {
  const loops = new Set(nodes.flatMap((node) => (textAt(node, 'type') === passLoop ? (textAt(node, 'id') ?? []) : [])));
  return {
    isPassLoop: (id) => loops.has(id),
    hasPrevious: nodes.every((node) => textAt(node, 'id') !== previousRoot),
  };
}

const noLoops: NamingRoots = { isPassLoop: () => false, hasPrevious: false };
const anyLoops: NamingRoots = { isPassLoop: () => true, hasPrevious: true };

/** Returns the edits inside one string that result from renaming; undefined if the strings differ otherwise. */
export function renamingEdits(before: string, after: string, renaming: NodeRename): readonly TextEdit[] | undefined {
  for (const roots of [noLoops, anyLoops]) {
    const edits = inPaths(renaming, roots);
    const ways = [templateEdits(before, edits), edits({ text: before, offset: 0, isStrict: false })];
    const found = ways.find((way) => applyEdits(before, way) === after);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inPaths({ from, to }: NodeRename, roots: NamingRoots): PathEdits {
  return ({ text, offset }) => {
    const { segments, spans } = readPath(text, offset) ?? { segments: [], spans: [] };
    return spans.flatMap(([start, end], index) => {
      if (segments[index] !== from || !namesNode(segments, index, roots)) return [];
      // In brackets, with quotes around it.
      const inset = end - start === from.length ? 0 : 2;
      return [{ start: start + inset, end: end - inset, text: to }];
    });
  };
}

/**
 * A path names a node at the root, after `previous`, and as a member of a loop's output, including nested loops:
 * `each.iterations.0.outputs.sort`, `polish.last.sort`.
 */
function namesNode(segments: readonly string[], index: number, roots: NamingRoots): boolean {
  if (index === 0) return true;
  if (index === 1) return roots.hasPrevious && segments[0] === previousRoot;
  if (segments[index - 1] === 'last')
    return roots.isPassLoop(segments[index - 2] ?? '') && namesNode(segments, index - 2, roots);
  const isMember = index >= 4 && segments[index - 3] === 'iterations' && segments[index - 1] === 'outputs';
  return isMember && namesNode(segments, index - 4, roots);
}
