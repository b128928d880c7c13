/**
 * Builds the flow for the extracted nodes.
 */
import { pathText } from '../../bindings/binding-path.ts';
import { findLoops } from '../../flow/loops.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../json/json-value.ts';
import { listAt, textAt } from '../raw-flow.ts';
import type { ExtractionPlan } from './extraction-plan.ts';
import type { ExtractSelection } from './selection.ts';

/** @param root the file, with updated paths in the extracted nodes */
export function newFlow(root: JsonMap, plan: ExtractionPlan): JsonMap {
  const { taken, gates } = plan;
  const nodes = listAt(root, 'nodes').filter((node) => taken.ids.has(textAt(node, 'id') ?? ''));
  const inner = listAt(root, 'edges').filter((edge) => isWithin(edge, taken));
  const begin = freeName('begin', plan);
  const isGated = gates.begins.length > 0;
  const beginNode: JsonMap = { id: begin, type: 'control.noop', input: {} };
  const beginEdges = gates.begins.map(({ to, when }, index): JsonValue => {
    const changed = when === undefined ? undefined : conditionIn(root, plan, index);
    return { from: begin, to, ...(changed === undefined ? {} : { when: changed }) };
  });
  const layout = layoutOf(root, plan);
  const entries = Object.entries(root).flatMap(([key, value]): (readonly [string, JsonValue])[] => {
    if (key === 'flow') return [[key, headerOf(root, plan)]];
    if (key === 'nodes') return [[key, isGated ? [beginNode, ...nodes] : nodes]];
    if (key === 'edges') return [[key, [...beginEdges, ...inner]]];
    if (key === 'layout') return layout === undefined ? [] : [[key, layout]];
    return [[key, value]];
  });
  return Object.fromEntries(entries);
}

function isWithin(edge: JsonValue, { ids }: ExtractSelection): boolean {
  return ids.has(textAt(edge, 'from') ?? '') && ids.has(textAt(edge, 'to') ?? '');
}

/** Returns the condition with updated paths. Start edges are built from the incoming edges in the same order. */
function conditionIn(root: JsonMap, { levels, gates }: ExtractionPlan, index: number): JsonValue | undefined {
  const when = gates.begins[index]?.when;
  const place = levels.edges.findIndex((edge) => edge.when === when);
  const edge = listAt(root, 'edges')[place];
  return isJsonMap(edge) ? edge['when'] : undefined;
}

function freeName(wanted: string, { levels }: ExtractionPlan): string {
  const items = findLoops(levels.nodes).loops.flatMap(({ as }) => as ?? []);
  const taken = new Set([...levels.nodes.map(({ id }) => id), ...items]);
  let name = wanted;
  for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`;
  return name;
}

function headerOf(root: JsonMap, { name, values }: ExtractionPlan): JsonMap {
  const flow = isJsonMap(root['flow']) ? root['flow'] : {};
  const input: [string, JsonValue][] = [];
  const inputs: [string, JsonValue][] = [];
  for (const [key, isSure] of values.flowInputs) {
    const { doc, plain } = inputOf(root, key);
    if (doc !== undefined && isAlwaysThere(root, key, isSure)) inputs.push([key, doc]);
    if (doc === undefined || plain !== undefined || !isAlwaysThere(root, key, isSure)) input.push([key, plain ?? null]);
  }
  for (const named of values.inputs) input.push([named.name, null]);
  const outputs = values.outputs.map(
    ({ name: key, path, isSure }) => [key, bindingTo(pathText(path), isSure)] as const,
  );
  return {
    name,
    ...picked(flow, ['version']),
    ...(input.length === 0 ? {} : { input: Object.fromEntries(input) }),
    ...(inputs.length === 0 ? {} : { inputs: Object.fromEntries(inputs) }),
    ...(outputs.length === 0 ? {} : { outputs: Object.fromEntries(outputs) }),
    ...picked(flow, ['policy', 'nodePacks']),
  };
}

/**
 * Returns a binding that resolves to null, which also counts as missing, if there is no value. The reader then decides
 * how to handle this.
 */
export function bindingTo(path: string, isSure: boolean): string {
  return isSure ? `{{${path}}}` : `{{${path} | default:null}}`;
}

/** Returns a flow input's declaration and its plain default. */
function inputOf(root: JsonMap, key: string): { readonly doc?: JsonValue; readonly plain?: JsonValue } {
  const flow = isJsonMap(root['flow']) ? root['flow'] : {};
  const [doc, plain] = [flow['inputs'], flow['input']].map((map) =>
    isJsonMap(map) && Object.hasOwn(map, key) ? map[key] : undefined,
  );
  return { ...(doc === undefined ? {} : { doc }), ...(plain === undefined ? {} : { plain }) };
}

/** Whether a declared input can be declared the same way when it is passed on: null has no type. */
export function isAlwaysThere(root: JsonMap, key: string, isSure: boolean): boolean {
  const { doc, plain } = inputOf(root, key);
  if (!isJsonMap(doc)) return isSure;
  return isSure || doc['required'] === true || (doc['default'] ?? null) !== null || (plain ?? null) !== null;
}

function picked(map: JsonMap, keys: readonly string[]): JsonMap {
  return Object.fromEntries(keys.flatMap((key) => (map[key] === undefined ? [] : [[key, map[key]]])));
}

/** Returns positions, complete groups, and the selected notes. */
function layoutOf(root: JsonMap, { taken, notes = [] }: ExtractionPlan): JsonMap | undefined {
  const { layout } = root;
  if (!isJsonMap(layout)) return undefined;
  const kept = Object.entries(layout).flatMap(([key, value]): (readonly [string, JsonValue])[] => {
    if (key === 'direction') return [[key, value]];
    const keeps = { nodes: isTakenNode, groups: isTakenGroup, notes: isTakenNote }[key];
    if (keeps === undefined || !isJsonMap(value)) return [];
    const left = Object.entries(value).filter(([id, entry]) => keeps(id, entry));
    return left.length === 0 ? [] : [[key, Object.fromEntries(left)]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);

  function isTakenNode(id: string): boolean {
    return taken.ids.has(id);
  }
  function isTakenGroup(_: string, group: JsonValue): boolean {
    const members = isJsonMap(group) ? group['nodes'] : undefined;
    return isJsonList(members) && members.length > 0 && members.every((id) => taken.ids.has(String(id)));
  }
  function isTakenNote(id: string): boolean {
    return notes.includes(id);
  }
}
