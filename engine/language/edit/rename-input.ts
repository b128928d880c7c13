/**
 * Renames a flow input everywhere in the file, and finds its uses.
 */
import { applyEdits, type TextEdit } from '../../base/text-edit.ts';
import { pathText, readPath } from '../bindings/binding-path.ts';
import { nameEdges } from '../flow/compile-flow.ts';
import type { EdgeDoc } from '../flow/flow-doc.ts';
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
import { listAt, refused, textAt, withList } from './raw-flow.ts';
import type { NodeRename } from './rename-node.ts';

/** Where a flow has its inputs: plain defaults and declarations. */
const places = ['input', 'inputs'] as const;

/** @throws EngineError `edit.refused` if the flow does not have the input, or another input has the new name */
export function renameInput(root: JsonMap, renaming: NodeRename): JsonMap {
  const { from, to } = renaming;
  const names = inputNames(root);
  if (!names.has(from)) throw refused(`The flow has no input "${from}".`);
  if (from === to) return root;
  if (to === '') throw refused('The name of an input must not be empty.');
  if (names.has(to)) throw refused(`Another input already has the name "${to}". Rename one.`);
  return mapEntries(changePaths(root, inputEdits(renaming)), (key, flow) => {
    if (key !== 'flow' || !isJsonMap(flow)) return flow;
    return mapEntries(flow, (part, value) => {
      if (part === 'triggers' && isJsonList(value)) return mapItems(value, (trigger) => renameGiven(trigger, renaming));
      return isPlace(part) && isJsonMap(value) ? withKeyName(value, renaming) : value;
    });
  });
}

/** Renames the input that a trigger provides. */
function renameGiven(trigger: JsonValue, renaming: NodeRename): JsonValue {
  if (!isJsonMap(trigger)) return trigger;
  return mapEntries(trigger, (key, value) =>
    key === 'inputs' && isJsonMap(value) ? withKeyName(value, renaming) : value,
  );
}

function isPlace(key: string): boolean {
  return places.some((place) => place === key);
}

function inputNames(root: JsonMap): ReadonlySet<string> {
  const flow = root['flow'];
  const maps = places.map((place) => (isJsonMap(flow ?? null) ? (flow as JsonMap)[place] : undefined));
  return new Set(maps.flatMap((map) => (isJsonMap(map ?? null) ? Object.keys(map as JsonMap) : [])));
}

function withKeyName(map: JsonMap, { from, to }: NodeRename): JsonMap {
  if (!Object.hasOwn(map, from)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]));
}

/** Changes the paths in all of a flow file's bindings and conditions. */
function changePaths(root: JsonMap, edits: PathEdits): JsonMap {
  const nodes = mapItems(listAt(root, 'nodes'), (node) => changeInNode(node, edits));
  const changed = withList(root, 'nodes', nodes);
  const edges = mapItems(listAt(root, 'edges'), (edge) => changeInEdge(edge, edits));
  const withEdges = root['edges'] === undefined ? changed : withList(changed, 'edges', edges);
  return mapEntries(withEdges, (key, flow) => (key === 'flow' ? changeInOutputs(flow, edits) : flow));
}

function changeInNode(node: JsonValue, edits: PathEdits): JsonValue {
  if (!isJsonMap(node)) return node;
  return mapEntries(node, (key, value) => {
    if (key === 'when') return changeCondition(value, edits);
    return key === 'input' ? changeInput(textAt(node, 'type') ?? '', value, edits) : value;
  });
}

function changeInEdge(edge: JsonValue, edits: PathEdits): JsonValue {
  if (!isJsonMap(edge)) return edge;
  return mapEntries(edge, (key, value) => (key === 'when' ? changeCondition(value, edits) : value));
}

function changeInOutputs(flow: JsonValue, edits: PathEdits): JsonValue {
  if (!isJsonMap(flow)) return flow;
  return mapEntries(flow, (key, value) => (key === 'outputs' ? changeBindings(value, edits) : value));
}

/** Returns the range of the input's name in its path, including the dot or brackets; undefined for other paths. */
function nameSpan(text: string, offset: number, name: string): readonly [start: number, end: number] | undefined {
  const { segments, spans } = readPath(text, offset) ?? { segments: [], spans: [] };
  const span = spans[2];
  if (span === undefined || segments[0] !== 'flow' || segments[1] !== 'input' || segments[2] !== name) return undefined;
  const [start, end] = span;
  return [text[start] === '[' ? start : start - 1, end];
}

/** Brackets keep their kind of quotes, because other quotes could end the surrounding YAML string. */
function inputEdits({ from, to }: NodeRename): PathEdits {
  return ({ text, offset }) => {
    const span = nameSpan(text, offset, from);
    if (span === undefined) return [];
    const [start, end] = span;
    const old = text.slice(start, start + 2);
    if (old === `["`) return [{ start, end, text: `[${JSON.stringify(to)}]` }];
    if (old === `['`) return [{ start, end, text: `['${to.replace(/[\\']/g, '\\$&')}']` }];
    return [{ start, end, text: pathText(['', to]) }];
  };
}

/** Returns the edits inside one string that result from renaming; undefined if the strings differ otherwise. */
export function inputRenamingEdits(
  before: string,
  after: string,
  renaming: NodeRename,
): readonly TextEdit[] | undefined {
  const edits = inputEdits(renaming);
  const ways = [templateEdits(before, edits), edits({ text: before, offset: 0, isStrict: false })];
  return ways.find((way) => way.length > 0 && applyEdits(before, way) === after);
}

/** A location in a flow file that uses an input. */
export type InputUse =
  | { readonly in: 'node'; readonly id: string }
  /** Code that names the input. Code receives inputs through the node's own input, so renaming does not change it. */
  | { readonly in: 'code'; readonly id: string }
  /** The edge's name in runs. */
  | { readonly in: 'edge'; readonly id: string }
  | { readonly in: 'outputs' };

/** Returns an input's uses in a flow file, in file order. */
export function usesOfInput(root: JsonMap, name: string): readonly InputUse[] {
  const reads = (act: (edits: PathEdits) => unknown): boolean => {
    let isRead = false;
    act(({ text, offset }) => {
      isRead ||= nameSpan(text, offset, name) !== undefined;
      return [];
    });
    return isRead;
  };
  const ofNodes = listAt(root, 'nodes').flatMap((node): readonly InputUse[] => {
    const id = textAt(node, 'id') ?? '';
    return [
      ...(reads((edits) => changeInNode(node, edits)) ? [{ in: 'node', id } as const] : []),
      ...(namesInCode(node, name) ? [{ in: 'code', id } as const] : []),
    ];
  });
  const edges = listAt(root, 'edges').filter(isJsonMap);
  const names = nameEdges(edges as unknown as readonly EdgeDoc[]);
  const ofEdges = edges.flatMap((edge, index): readonly InputUse[] =>
    reads((edits) => changeInEdge(edge, edits)) ? [{ in: 'edge', id: names[index]?.id ?? '' }] : [],
  );
  const outputs = reads((edits) => changeInOutputs(root['flow'] ?? null, edits)) ? [{ in: 'outputs' } as const] : [];
  return [...ofNodes, ...ofEdges, ...outputs];
}

/** Whether code contains the input's path or, if the node passes all inputs (`{{flow.input}}`), the input's name. */
function namesInCode(node: JsonValue, name: string): boolean {
  if (!isJsonMap(node)) return false;
  const code = textAt(node['config'], 'code');
  if (code === undefined) return false;
  if (code.includes(pathText(['flow', 'input', name]))) return true;
  let getsAll = false;
  changeInNode(node, ({ text, offset }) => {
    const { segments } = readPath(text, offset) ?? { segments: [] };
    getsAll ||= segments.length === 2 && segments[0] === 'flow' && segments[1] === 'input';
    return [];
  });
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return getsAll && new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'u').test(code);
}
