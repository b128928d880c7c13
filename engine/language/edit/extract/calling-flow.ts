/**
 * Builds the original flow with a call in place of the extracted nodes.
 */
import { pathText } from '../../bindings/binding-path.ts';
import { callType } from '../../flow/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, jsonEquals } from '../../json/json-value.ts';
import { forgetNodes, moveNodes, setLayout } from '../change-layout.ts';
import { edgeKeys, inOrder, listAt, nodeKeys, textAt, withKey, withList, withValueAt } from '../raw-flow.ts';
import { hasFailFastOff } from './entry-gates.ts';
import type { ExtractionPlan } from './extraction-plan.ts';
import { bindingTo, isAlwaysThere } from './new-flow.ts';

/** @param root the file, with updated paths in the nodes that stay */
export function callingFlow(root: JsonMap, plan: ExtractionPlan): JsonMap {
  const called = withList(root, 'nodes', nodesOf(root, plan));
  const connected = withList(called, 'edges', edgesOf(root, plan));
  return withLayout(withOutputs(connected, plan), root, plan);
}

/** The new node takes the index of the first node that it replaces. */
function nodesOf(root: JsonMap, plan: ExtractionPlan): readonly JsonValue[] {
  const { taken, nodeId } = plan;
  const [first = ''] = taken.outer;
  return listAt(root, 'nodes').flatMap((node): readonly JsonValue[] => {
    const id = textAt(node, 'id') ?? '';
    if (id === first) return [callOf(root, plan)];
    if (taken.ids.has(id)) return [];
    return [id === taken.level && isJsonMap(node) ? withBody(node, taken.outer, nodeId) : node];
  });
}

function withBody(loop: JsonMap, outer: readonly string[], nodeId: string): JsonMap {
  const { input } = loop;
  const body = isJsonMap(input) ? input['body'] : undefined;
  if (!isJsonMap(input) || !isJsonList(body)) return loop;
  const place = body.findIndex((id) => outer.includes(String(id)));
  const left = body.flatMap((id, index) => {
    if (index === place) return [nodeId];
    return outer.includes(String(id)) ? [] : [id];
  });
  return withKey(loop, { key: 'input', value: withKey(input, { key: 'body', value: left }) });
}

function callOf(root: JsonMap, plan: ExtractionPlan): JsonMap {
  const { nodeId, file, name, values, taken, levels } = plan;
  const own = [...values.flowInputs].map(([key, isSure]): [string, JsonValue] => [
    key,
    bindingTo(pathText(['flow', 'input', key]), isAlwaysThere(root, key, isSure)),
  ]);
  const others = values.inputs.map((named): [string, JsonValue] => [
    named.name,
    bindingTo(values.pathOfInput(named), named.isSure),
  ]);
  const input = [...own, ...others];
  // If a node ends the run despite the flow's policy, its call does too.
  const ends = hasFailFastOff(root) && taken.outer.some((id) => levels.node(id)?.policy?.continueOnError === false);
  const node = {
    id: nodeId,
    type: callType,
    // The card's display name.
    ...(name === nodeId ? {} : { name }),
    input: { flow: file, ...(input.length === 0 ? {} : { input: Object.fromEntries(input) }) },
    ...(ends ? { policy: { continueOnError: false } } : {}),
  };
  return inOrder(node, nodeKeys);
}

function edgesOf(root: JsonMap, plan: ExtractionPlan): readonly JsonValue[] {
  const edges: JsonValue[] = [];
  for (const edge of listAt(root, 'edges')) {
    const led = isJsonMap(edge) ? ledToCall(edge, plan) : undefined;
    const isNew = led === edge || !edges.some((known) => led !== undefined && saysTheSame(known, led));
    if (led !== undefined && isNew) edges.push(led);
  }
  return edges;
}

/** Returns the same edge if neither end is extracted; undefined if both are. */
function ledToCall(edge: JsonMap, { taken, nodeId, gates }: ExtractionPlan): JsonMap | undefined {
  const [isFrom, isTo] = [taken.ids.has(textAt(edge, 'from') ?? ''), taken.ids.has(textAt(edge, 'to') ?? '')];
  if (isFrom === isTo) return isFrom ? undefined : edge;
  const moved = withKey(edge, { key: isFrom ? 'from' : 'to', value: nodeId }, edgeKeys);
  return isTo && !gates.keepsConditions ? withKey(moved, { key: 'when', value: undefined }) : moved;
}

/** Ignores edge names. */
function saysTheSame(left: JsonValue, right: JsonMap): boolean {
  return ['from', 'to', 'when'].every((key) =>
    jsonEquals(isJsonMap(left) ? (left[key] ?? null) : null, right[key] ?? null),
  );
}

/** Declares outputs that were implicit before. */
function withOutputs(root: JsonMap, { ends, taken, values }: ExtractionPlan): JsonMap {
  if (ends.length === 0) return root;
  const outputs = ends.map((id): [string, JsonValue] => [
    id,
    bindingTo(taken.ids.has(id) ? values.pathOfWhole(id) : id, false),
  ]);
  return withValueAt(root, ['flow', 'outputs'], Object.fromEntries(outputs));
}

function withLayout(changed: JsonMap, root: JsonMap, plan: ExtractionPlan): JsonMap {
  const { taken, nodeId, notes = [] } = plan;
  const layout = isJsonMap(root['layout']) ? root['layout'] : {};
  const placed = withGroups(changed, layout, plan);
  const places = isJsonMap(layout['nodes']) ? layout['nodes'] : {};
  const own = taken.outer.flatMap((id) => (isJsonMap(places[id]) ? [places[id]] : []));
  const forgotten = forgetNodes(placed, taken.ids);
  const at = { x: mean(own, 'x'), y: mean(own, 'y') };
  const moved = own.length === 0 ? forgotten : moveNodes(forgotten, { [nodeId]: at });
  const known = isJsonMap(layout['notes']) ? layout['notes'] : {};
  const gone = notes.filter((id) => Object.hasOwn(known, id));
  return gone.reduce((left, id) => setLayout(left, ['notes', id], undefined), moved);
}

/** Adds the new node to groups that contain all replaced nodes and others. */
function withGroups(root: JsonMap, layout: JsonMap, { taken, nodeId }: ExtractionPlan): JsonMap {
  const groups = isJsonMap(layout['groups']) ? layout['groups'] : {};
  return Object.entries(groups).reduce((left, [id, group]) => {
    const members = isJsonMap(group) ? group['nodes'] : undefined;
    if (!isJsonList(members)) return left;
    const holdsMore = members.some((member) => !taken.ids.has(String(member)));
    if (!holdsMore || !taken.outer.every((member) => members.includes(member))) return left;
    const place = members.findIndex((member) => taken.ids.has(String(member)));
    return setLayout(left, ['groups', id, 'nodes'], members.toSpliced(place, 0, nodeId));
  }, root);
}

function mean(places: readonly JsonMap[], key: 'x' | 'y'): number {
  const values = places.map((place) => Number(place[key])).filter(Number.isFinite);
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
