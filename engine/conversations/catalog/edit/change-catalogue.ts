/**
 * Applies a change to a catalog that is given as plain JSON. Unchanged parts remain the same objects.
 */
import { refused, textAt, withKey, withValueAt } from '../../../language/edit/raw-flow.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../language/json/json-value.ts';
import { baseOf, universalIntents } from '../catalogue.ts';
import { type CatalogueDoc, isCatalogueName, mostFlowTypes, slotParamNames } from '../catalogue-doc.ts';
import { slotParams, slotTypeNames } from '../slot-types.ts';
import type { CatalogueChange } from './catalogue-change.ts';

/** A flow's keys in the order in which they are written. */
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

/** @throws EngineError `edit.refused` for a change that is not possible */
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
    case 'rename-slot-type':
      return renameSlotType(root, change.slotType, change.to);
    case 'remove-slot-type':
      return removeSlotType(root, change.slotType);
    case 'rename-intent':
      return renameIntent(root, change.intent, change.to);
    case 'set-in-flow':
      return setInFlow(root, change);
    case 'set-in-catalogue':
      return setInCatalogue(root, change);
  }
}

function flowsOf(root: JsonMap): readonly JsonValue[] {
  const flows = root['flows'] ?? [];
  if (!isJsonList(flows))
    throw refused('"flows" is not a list, so it cannot be changed here. Fix it in the text first.');
  return flows;
}

function flowNamed(root: JsonMap, name: string): { readonly index: number; readonly flow: JsonMap } {
  const flows = flowsOf(root);
  const index = flows.findIndex((flow) => textAt(flow, 'name') === name);
  const flow = flows[index];
  if (!isJsonMap(flow)) throw refused(`No flow is named "${name}".`);
  return { index, flow };
}

function withFlows(root: JsonMap, flows: readonly JsonValue[]): JsonMap {
  return withKey(root, { key: 'flows', value: flows }, rootKeys);
}

function checkName(what: string, name: string, taken: readonly string[]): void {
  if (!isCatalogueName(name))
    throw refused(
      `"${name}" is not a valid name for ${what}. Use at most 64 letters, digits and _, and do not start with a digit.`,
    );
  if (taken.includes(name)) throw refused(`There is already ${what} "${name}". Choose another name.`);
}

function namesOf(root: JsonMap): readonly string[] {
  return flowsOf(root).flatMap((flow) => textAt(flow, 'name') ?? []);
}

function addFlow(root: JsonMap, { flow, after }: Extract<CatalogueChange, { do: 'add-flow' }>): JsonMap {
  const flows = flowsOf(root);
  checkName('a flow', textAt(flow, 'name') ?? '', namesOf(root));
  if (flows.length >= mostFlowTypes) throw refused(`A catalog can have at most ${mostFlowTypes} flows.`);
  const place = after === undefined ? flows.length : flowNamed(root, after).index + 1;
  const added = withFlows(root, flows.toSpliced(place, 0, flow));
  const intent = textAt(flow, 'intent');
  const intents = root['intents'];
  const isKnown = intent === undefined || universalIntents.includes(intent) || intentsOf(root).includes(intent);
  if (isKnown || (intents !== undefined && !isJsonMap(intents))) return added;
  return withKey(added, { key: 'intents', value: { ...intents, [intent]: {} } }, rootKeys);
}

/** Removes a name from `fallback` and `dependsOn`, or replaces it. */
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
  if (left.length === 0) throw refused('A catalog needs at least one flow. Add another one first.');
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
  if (!isJsonMap(slots) || !Object.hasOwn(slots, slot)) throw refused(`Flow "${change.flow}" has no slot "${slot}".`);
  if (slot === to) return root;
  checkName('a slot', to, Object.keys(slots));
  return setInFlow(root, { do: 'set-in-flow', flow: change.flow, path: ['slots'], value: renamedKey(slots, slot, to) });
}

function slotTypesOf(root: JsonMap, name: string): JsonMap {
  const slotTypes = root['slotTypes'];
  if (isJsonMap(slotTypes) && Object.hasOwn(slotTypes, name)) return slotTypes;
  throw refused(`The file has no slot type "${name}".`);
}

function renameSlotType(root: JsonMap, from: string, to: string): JsonMap {
  const slotTypes = slotTypesOf(root, from);
  if (from === to) return root;
  checkName('a type', to, [...Object.keys(slotTypes), ...slotTypeNames]);
  const renamed = withKey(root, { key: 'slotTypes', value: renamedKey(slotTypes, from, to) });
  const flows = flowsOf(root).map((flow) => {
    const slots = isJsonMap(flow) ? flow['slots'] : undefined;
    if (!isJsonMap(flow) || !isJsonMap(slots)) return flow;
    const typed = Object.entries(slots).map(([name, slot]) => [
      name,
      textAt(slot, 'type') === from ? withKey(slot as JsonMap, { key: 'type', value: to }) : slot,
    ]);
    return withKey(flow, { key: 'slots', value: Object.fromEntries(typed) });
  });
  return withFlows(renamed, flows);
}

function removeSlotType(root: JsonMap, name: string): JsonMap {
  slotTypesOf(root, name);
  const users = flowsOf(root).flatMap((flow) => {
    const slots = isJsonMap(flow) && isJsonMap(flow['slots']) ? Object.entries(flow['slots']) : [];
    return slots.flatMap(([slot, value]) =>
      textAt(value, 'type') === name ? [`${textAt(flow, 'name')}.${slot}`] : [],
    );
  });
  if (users.length > 0) throw refused(`${name} is the type of ${users.join(', ')}. Change their type first.`);
  return setIn(root, { path: ['slotTypes', name], value: undefined }, rootKeys);
}

function intentsOf(root: JsonMap): readonly string[] {
  return isJsonMap(root['intents']) ? Object.keys(root['intents']) : [];
}

function renameIntent(root: JsonMap, from: string, to: string): JsonMap {
  const intents = root['intents'];
  if (universalIntents.includes(from)) throw refused(`${from} is part of every catalog and cannot be renamed.`);
  if (!isJsonMap(intents) || !Object.hasOwn(intents, from)) throw refused(`No intent is named "${from}".`);
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
  if (typeof key !== 'string') throw refused('This place has no value to set.');
  if (Object.hasOwn(map, key)) return withValueAt(map, path, value);
  return withKey(map, { key, value: withValueAt({}, path, value)[key] }, order);
}

/** Removes the settings that the new type does not have, because the file would be invalid with them. */
function withItsSettings(
  entry: JsonValue | undefined,
  typeName: string | undefined,
  slotTypes: JsonValue | undefined,
): JsonValue | undefined {
  // Only the names of the types are used, and an invalid type is ignored.
  const base = baseOf(
    typeName ?? '',
    (isJsonMap(slotTypes) ? slotTypes : {}) as NonNullable<CatalogueDoc['slotTypes']>,
  );
  if (!isJsonMap(entry) || base === undefined) return entry;
  const known = slotParams(base.type);
  const foreign = slotParamNames.filter((param) => !known.includes(param));
  return foreign.reduce<JsonMap>((map, key) => withKey(map, { key, value: undefined }), entry);
}

function setInCatalogue(root: JsonMap, change: SetValue): JsonMap {
  const { path, value } = change;
  const [section, name, ...rest] = path;
  const entries = root[String(section)];
  if (typeof name !== 'string' || rest.length === 0 || !isJsonMap(entries)) return setIn(root, change, rootKeys);
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (!isJsonMap(entry)) return setIn(root, change, rootKeys);
  // An intent or slot type without properties remains as an empty map.
  const set = withValueAt(entry, rest, value);
  const isRetyped = section === 'slotTypes' && rest[0] === 'base';
  const kept = isRetyped ? withItsSettings(set, textAt(set, 'base'), undefined) : set;
  return setIn(root, { path: [String(section), name], value: kept }, rootKeys);
}

function setInFlow(
  root: JsonMap,
  { flow: name, path, value }: Extract<CatalogueChange, { do: 'set-in-flow' }>,
): JsonMap {
  if (path.length === 1 && path[0] === 'name')
    throw refused('Rename the flow instead, so that references to it are updated.');
  const { index, flow } = flowNamed(root, name);
  const set = setIn(flow, { path, value }, flowKeys);
  const [section, slot, key] = path;
  const changed =
    section === 'slots' && typeof slot === 'string' && key === 'type' ? withSlotSettings(set, slot, root) : set;
  return changed === flow ? root : withFlows(root, flowsOf(root).with(index, changed));
}

function withSlotSettings(flow: JsonMap, slot: string, root: JsonMap): JsonMap {
  const slots = flow['slots'];
  if (!isJsonMap(slots)) return flow;
  const kept = withItsSettings(slots[slot], textAt(slots[slot], 'type'), root['slotTypes']);
  return withKey(flow, { key: 'slots', value: withKey(slots, { key: slot, value: kept }) });
}
