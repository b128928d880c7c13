/**
 * Updates the conditions that refer to a switch branch when the branch is renamed.
 */
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import { mapEntries, mapItems } from './node-paths.ts';
import { listAt, nodeIndex, textAt, withList } from './raw-flow.ts';

/** The node type whose branches are named in `input.cases`. */
const switchType = 'control.switch';

interface RouteRenaming {
  /** Path to the selected branch in a condition. */
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** Updates conditions if a change to a switch only renamed one of its branches. */
export function followRoute(before: JsonMap, after: JsonMap, id: string): JsonMap {
  const renamed = renamedRoute(casesOf(before, id), casesOf(after, id));
  if (renamed === undefined) return after;
  const renaming = { ...renamed, path: `${id}.route` };
  return (['nodes', 'edges'] as const).reduce((root, key) => {
    if (root[key] === undefined) return root;
    return withList(
      root,
      key,
      mapItems(listAt(root, key), (item) => renameInItem(item, renaming)),
    );
  }, after);
}

function casesOf(root: JsonMap, id: string): readonly JsonValue[] | undefined {
  const node = listAt(root, 'nodes')[nodeIndex(root, id)];
  if (!isJsonMap(node) || node['type'] !== switchType || !isJsonMap(node['input'])) return undefined;
  const { cases } = node['input'];
  return isJsonList(cases) ? cases : undefined;
}

/** Also undefined if two branches have the same name, before or after, because the edges are then ambiguous. */
function renamedRoute(
  before: readonly JsonValue[] | undefined,
  after: readonly JsonValue[] | undefined,
): Omit<RouteRenaming, 'path'> | undefined {
  if (before === undefined || after === undefined || before.length !== after.length) return undefined;
  const [old, now] = [before, after].map((cases) => ['default', ...cases.map((entry) => textAt(entry, 'route'))]);
  const place = now?.findIndex((route, index) => route !== old?.[index]) ?? -1;
  const [from, to] = [old?.[place], now?.[place]];
  if (from === undefined || to === undefined || old?.includes(to) || now?.includes(from)) return undefined;
  const isOnlyOne = now?.every((route, index) => index === place || route === old?.[index]);
  return isOnlyOne === true ? { from, to } : undefined;
}

function renameInItem(item: JsonValue, renaming: RouteRenaming): JsonValue {
  if (!isJsonMap(item)) return item;
  return mapEntries(item, (key, value) => (key === 'when' ? renameInWhen(value, renaming) : value));
}

function renameInWhen(when: JsonValue, renaming: RouteRenaming): JsonValue {
  if (isJsonList(when)) return mapItems(when, (part) => renameInWhen(part, renaming));
  if (!isJsonMap(when)) return when;
  const { path, from, to } = renaming;
  const name = (value: JsonValue): JsonValue => (value === from ? to : value);
  if (!Object.hasOwn(when, 'var')) return mapEntries(when, (_, part) => renameInWhen(part, renaming));
  if (when['var'] !== path) return when;
  return mapEntries(when, (key, value) => {
    if (key !== 'value') return value;
    return isJsonList(value) ? mapItems(value, name) : name(value);
  });
}
