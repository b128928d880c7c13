/**
 * Changes a flow file's `layout`: positions of nodes, groups and notes.
 */
import type { GroupDoc, NodePosition, NoteDoc } from '../flow/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { ChangePath } from './flow-change.ts';
import { nodeIds, refused, withKey, withValueAt } from './raw-flow.ts';

/** Sets positions in whole pixels; null removes a position. @throws EngineError `edit.refused` for missing nodes */
export function moveNodes(root: JsonMap, positions: Readonly<Record<string, NodePosition | null>>): JsonMap {
  const ids = nodeIds(root);
  const places = new Map(Object.entries(placesOf(root)));
  for (const [id, position] of Object.entries(positions)) {
    if (position === null) places.delete(id);
    else if (ids.has(id)) places.set(id, placeAt(position, places.get(id)));
    else throw refused(`No node has the id "${id}".`, id);
  }
  return withPlaces(root, places);
}

/** Keeps an entry's other keys. */
function placeAt({ x, y }: NodePosition, known: JsonValue | undefined): JsonValue {
  const whole = { x: Math.round(x) || 0, y: Math.round(y) || 0 };
  if (!isJsonMap(known)) return whole;
  return known['x'] === whole.x && known['y'] === whole.y ? known : { ...known, ...whole };
}

function withPlaces(root: JsonMap, places: ReadonlyMap<string, JsonValue>): JsonMap {
  const before = placesOf(root);
  const isSame =
    places.size === Object.keys(before).length && Array.from(places).every(([id, at]) => before[id] === at);
  if (isSame) return root;
  return setLayout(root, ['nodes'], places.size === 0 ? undefined : Object.fromEntries(places));
}

function placesOf(root: JsonMap): JsonMap {
  const layout = root['layout'];
  const places = isJsonMap(layout) ? layout['nodes'] : undefined;
  return isJsonMap(places) ? places : {};
}

/** @throws EngineError `edit.refused` if a value on the path is not a map */
export function setLayout(root: JsonMap, path: ChangePath, value: JsonValue | undefined): JsonMap {
  return withValueAt(root, ['layout', ...path], value);
}

/** Adds notes or groups. @throws EngineError `edit.refused` for a taken ID */
export function addToLayout(
  root: JsonMap,
  part: 'notes' | 'groups',
  entries: Readonly<Record<string, NoteDoc | GroupDoc>> = {},
): JsonMap {
  let added = root;
  for (const [id, entry] of Object.entries(entries)) {
    const layout = added['layout'];
    const known = isJsonMap(layout) ? layout[part] : undefined;
    if (isJsonMap(known) && Object.hasOwn(known, id)) throw refused(`The ${part} already contain "${id}".`);
    added = setLayout(added, [part, id], { ...entry });
  }
  return added;
}

/** Removes the positions of deleted nodes and their group membership. Also removes groups without nodes. */
export function forgetNodes(root: JsonMap, gone: ReadonlySet<string>): JsonMap {
  const places = Object.entries(placesOf(root)).filter(([id]) => !gone.has(id));
  let left = withPlaces(root, new Map(places));
  const layout = left['layout'];
  const groups = isJsonMap(layout) ? layout['groups'] : undefined;
  if (!isJsonMap(groups)) return left;
  for (const [id, group] of Object.entries(groups)) {
    const members = isJsonMap(group) ? group['nodes'] : undefined;
    if (!isJsonMap(group) || !isJsonList(members)) continue;
    const kept = members.filter((member) => typeof member !== 'string' || !gone.has(member));
    if (kept.length === members.length) continue;
    const rest = kept.length === 0 ? undefined : withKey(group, { key: 'nodes', value: kept });
    left = setLayout(left, ['groups', id], rest);
  }
  return left;
}
