/**
 * The `layout` of a flow file: places of nodes, groups and notes.
 */
import type { NodePosition } from '../flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json-value.ts';
import type { ChangePath } from './flow-change.ts';
import { nodeIds, withKey, withValueAt } from './raw-flow.ts';
import { refused } from './refused.ts';

/** Sets places, in whole pixels; null removes one. @throws EngineError `edit.refused` for nodes that do not exist */
export function moveNodes(root: JsonMap, positions: Readonly<Record<string, NodePosition | null>>): JsonMap {
  const ids = nodeIds(root);
  let moved = root;
  for (const [id, position] of Object.entries(positions)) {
    if (position !== null && !ids.has(id)) throw refused(`No node has the id "${id}".`, id);
    moved = position === null ? withoutPlace(moved, id) : withPlace(moved, id, position);
  }
  return moved;
}

function withPlace(root: JsonMap, id: string, { x, y }: NodePosition): JsonMap {
  const known = placesOf(root)[id];
  const whole = { x: Math.round(x) || 0, y: Math.round(y) || 0 };
  // What else stands in the entry stays.
  return setLayout(root, ['nodes', id], isJsonMap(known) ? { ...known, ...whole } : whole);
}

function withoutPlace(root: JsonMap, id: string): JsonMap {
  return Object.hasOwn(placesOf(root), id) ? setLayout(root, ['nodes', id], undefined) : root;
}

function placesOf(root: JsonMap): JsonMap {
  const layout = root['layout'];
  const places = isJsonMap(layout) ? layout['nodes'] : undefined;
  return isJsonMap(places) ? places : {};
}

/** @throws EngineError `edit.refused` when something on the way is no map */
export function setLayout(root: JsonMap, path: ChangePath, value: JsonValue | undefined): JsonMap {
  return withValueAt(root, ['layout', ...path], value);
}

/** Places of nodes that are gone go, and their membership in groups; a group without nodes goes as well. */
export function forgetNodes(root: JsonMap, gone: ReadonlySet<string>): JsonMap {
  let left = root;
  for (const id of gone) left = withoutPlace(left, id);
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
