/**
 * A change of a catalogue → the catalogue that it leads to, as the plain value of its text. What a change leaves alone stays the
 * same object.
 */
import { refused, textAt, withKey, withValueAt } from '../../flowspec/edit/raw-flow.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../flowspec/json-value.ts';
import { universalIntents } from '../catalogue.ts';
import { isCatalogueName, mostFlowTypes } from '../catalogue-doc.ts';
import type { CatalogueChange } from './catalogue-change.ts';

/** Keys in the order in which they are written. */
const flowKeys = [
  'name',
  'intent',
  'description',
  'examples',
  'slots',
  'tools',
  'output',
  'policy',
  'fallback',
  'lats',
  'dependsOn',
  'every',
];
const rootKeys = ['version', 'name', 'description', 'model', 'nlu', 'thresholds', 'slotTypes', 'intents', 'flows'];

/** @throws EngineError `edit.refused` for a change that cannot be made */
export function changeCatalogue(root: JsonMap, change: CatalogueChange): JsonMap {
  switch (change.do) {
    case 'add-flow':
      return addFlow(root, change);
    case 'remove-flow':
      return removeFlow(root, change.flow);
    case 'rename-flow':
      return renameFlow(root, change.flow, change.to);
    case 'rename-slot':
      return renameSlot(root, change);
    case 'rename-intent':
      return renameIntent(root, change.intent, change.to);
    case 'set-in-flow':
      return setInFlow(root, change);
    case 'set-in-catalogue':
      return setIn(root, change, rootKeys);
  }
}

function flowsOf(root: JsonMap): readonly JsonValue[] {
  const flows = root['flows'] ?? [];
  if (!isJsonList(flows))
    throw refused('"flows" holds no list, so nothing can be changed in it. Mend it in the text first.');
  return flows;
}

function flowNamed(root: JsonMap, name: string): { readonly index: number; readonly flow: JsonMap } {
  const flows = flowsOf(root);
  const index = flows.findIndex((flow) => textAt(flow, 'name') === name);
  const flow = flows[index];
  if (!isJsonMap(flow)) throw refused(`No flow has the name "${name}".`);
  return { index, flow };
}

function withFlows(root: JsonMap, flows: readonly JsonValue[]): JsonMap {
  return withKey(root, { key: 'flows', value: flows }, rootKeys);
}

function checkName(what: string, name: string, taken: readonly string[]): void {
  if (!isCatalogueName(name))
    throw refused(
      `"${name}" is no name of ${what}: it has letters, digits and _, begins with no digit, at most 64 of them.`,
    );
  if (taken.includes(name)) throw refused(`There is ${what} "${name}" already. Choose another name.`);
}

function namesOf(root: JsonMap): readonly string[] {
  return flowsOf(root).flatMap((flow) => textAt(flow, 'name') ?? []);
}

function addFlow(root: JsonMap, { flow, after }: Extract<CatalogueChange, { do: 'add-flow' }>): JsonMap {
  const flows = flowsOf(root);
  checkName('a flow', textAt(flow, 'name') ?? '', namesOf(root));
  if (flows.length >= mostFlowTypes) throw refused(`A catalogue has at most ${mostFlowTypes} flows.`);
  const place = after === undefined ? flows.length : flowNamed(root, after).index + 1;
  const added = withFlows(root, flows.toSpliced(place, 0, flow));
  const intent = textAt(flow, 'intent');
  const intents = root['intents'];
  const isKnown = intent === undefined || universalIntents.includes(intent) || intentsOf(root).includes(intent);
  if (isKnown || (intents !== undefined && !isJsonMap(intents))) return added;
  return withKey(added, { key: 'intents', value: { ...intents, [intent]: {} } }, rootKeys);
}

/** Without one name in `fallback` and `dependsOn`, or with another in its place. */
function withReference(flow: JsonValue, from: string, to: string | undefined): JsonValue {
  if (!isJsonMap(flow)) return flow;
  const changed = flow['fallback'] === from ? withKey(flow, { key: 'fallback', value: to }) : flow;
  const needed = changed['dependsOn'];
  if (!isJsonList(needed) || !needed.includes(from)) return changed;
  const names = needed.flatMap((name) => (name === from ? (to ?? []) : name));
  return withKey(changed, { key: 'dependsOn', value: names.length === 0 ? undefined : names });
}

function removeFlow(root: JsonMap, name: string): JsonMap {
  const { index } = flowNamed(root, name);
  const left = flowsOf(root).toSpliced(index, 1);
  if (left.length === 0) throw refused('A catalogue needs a flow. Add another one first.');
  return withFlows(
    root,
    left.map((flow) => withReference(flow, name, undefined)),
  );
}

function renameFlow(root: JsonMap, from: string, to: string): JsonMap {
  const { index } = flowNamed(root, from);
  if (from === to) return root;
  checkName('a flow', to, namesOf(root));
  const flows = flowsOf(root).map((flow, place) => {
    const referring = withReference(flow, from, to);
    return place === index && isJsonMap(referring) ? withKey(referring, { key: 'name', value: to }) : referring;
  });
  return withFlows(root, flows);
}

function renamedKey(map: JsonMap, from: string, to: string): JsonMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === from ? to : key, value]));
}

function renameSlot(root: JsonMap, change: Extract<CatalogueChange, { do: 'rename-slot' }>): JsonMap {
  const { flow } = flowNamed(root, change.flow);
  const { slot, to } = change;
  const slots = flow['slots'];
  if (!isJsonMap(slots) || !Object.hasOwn(slots, slot))
    throw refused(`The flow "${change.flow}" has no slot "${slot}".`);
  if (slot === to) return root;
  checkName('a slot', to, Object.keys(slots));
  return setInFlow(root, { do: 'set-in-flow', flow: change.flow, path: ['slots'], value: renamedKey(slots, slot, to) });
}

function intentsOf(root: JsonMap): readonly string[] {
  return isJsonMap(root['intents']) ? Object.keys(root['intents']) : [];
}

function renameIntent(root: JsonMap, from: string, to: string): JsonMap {
  const intents = root['intents'];
  if (universalIntents.includes(from)) throw refused(`${from} is in every catalogue, and keeps its name.`);
  if (!isJsonMap(intents) || !Object.hasOwn(intents, from)) throw refused(`No intent has the name "${from}".`);
  if (from === to) return root;
  checkName('an intent', to, [...intentsOf(root), ...universalIntents]);
  const renamed = withKey(root, { key: 'intents', value: renamedKey(intents, from, to) });
  const flows = flowsOf(root).map((flow) =>
    isJsonMap(flow) && flow['intent'] === from ? withKey(flow, { key: 'intent', value: to }) : flow,
  );
  return withFlows(renamed, flows);
}

type SetValue = Pick<Extract<CatalogueChange, { do: 'set-in-catalogue' }>, 'path' | 'value'>;

function setIn(map: JsonMap, { path, value }: SetValue, order: readonly string[]): JsonMap {
  const [key] = path;
  if (typeof key !== 'string') throw refused('Nothing can be set there.');
  if (Object.hasOwn(map, key)) return withValueAt(map, path, value);
  return withKey(map, { key, value: withValueAt({}, path, value)[key] }, order);
}

function setInFlow(
  root: JsonMap,
  { flow: name, path, value }: Extract<CatalogueChange, { do: 'set-in-flow' }>,
): JsonMap {
  if (path.length === 1 && path[0] === 'name') throw refused('A flow is renamed, so that what names it follows.');
  const { index, flow } = flowNamed(root, name);
  const changed = setIn(flow, { path, value }, flowKeys);
  return changed === flow ? root : withFlows(root, flowsOf(root).with(index, changed));
}
