/**
 * Part of a flow as text: what the clipboard holds, for other windows, other files and other programs.
 */
import type { EdgeDoc, FlowDoc, GroupDoc, NodeDoc, NodePosition, NoteDoc } from '../flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json-value.ts';
import { readQuickly } from '../quick-yaml.ts';
import { salvageDoc } from '../salvage-doc.ts';
import { newManner } from './flow-manner.ts';
import { edgeKeys, inOrder, nodeKeys, textAt } from './raw-flow.ts';
import { entryLines } from './write-value.ts';
import { readYamlText } from './yaml-text.ts';

export interface Fragment {
  readonly nodes: readonly NodeDoc[];
  /** Between the nodes. */
  readonly edges: readonly EdgeDoc[];
  /** From nodes that stayed behind. */
  readonly incoming: readonly EdgeDoc[];
  /** By node id; of some nodes there may be none. */
  readonly positions: Readonly<Record<string, NodePosition>>;
  readonly notes: Readonly<Record<string, NoteDoc>>;
  /** With those members only that are among the nodes; each has one. */
  readonly groups: Readonly<Record<string, GroupDoc>>;
}

/** Ids of what a fragment is made of. */
export interface FragmentParts {
  readonly nodes: Iterable<string>;
  readonly notes?: ReadonlySet<string>;
  readonly groups?: ReadonlySet<string>;
}

/** Written where a flow file would hold it too: its keys for other programs begin with `x-`. */
const incomingKey = 'x-incoming';

/** YAML of some nodes of a document with the edges between them and to them, and their places; of notes and groups. */
export function fragmentText(doc: FlowDoc, parts: FragmentParts): string {
  const chosen = new Set(parts.nodes);
  const nodes = doc.nodes.filter(({ id }) => chosen.has(id));
  const leading = doc.edges.filter(({ to }) => chosen.has(to));
  const edges = leading.filter(({ from }) => chosen.has(from));
  const incoming = leading.filter(({ from }) => !chosen.has(from));
  const layout = layoutOf(doc, chosen, parts);
  const sections: readonly (readonly [key: string, value: JsonValue, section: string])[] = [
    ['nodes', nodes.map((node) => inOrder(node, nodeKeys)), 'nodes'],
    ['edges', edges.map((edge) => inOrder(edge, edgeKeys)), 'edges'],
    [incomingKey, incoming.map((edge) => inOrder(edge, edgeKeys)), 'edges'],
    ['layout', Object.keys(layout).length === 0 ? [] : layout, 'layout'],
  ];
  const manner = newManner();
  const lines = sections
    .filter(([, value]) => !isJsonList(value) || value.length > 0)
    .flatMap(([key, value, section]) => entryLines(key, { value, path: [section] }, manner));
  return `${lines.join('\n')}\n`;
}

function withoutMore([id, { x, y }]: readonly [string, NodePosition]): readonly [string, JsonValue] {
  return [id, { x, y }];
}

function layoutOf(doc: FlowDoc, chosen: ReadonlySet<string>, { notes, groups }: FragmentParts): JsonMap {
  const places = Object.entries(doc.layout?.nodes ?? {}).filter(([id]) => chosen.has(id));
  const framed = Object.entries(groupsWith(doc.layout?.groups ?? {}, chosen)).filter(([id]) => groups?.has(id));
  const written = Object.entries(doc.layout?.notes ?? {}).filter(([id]) => notes?.has(id));
  const layout = {
    nodes: places.map(withoutMore),
    groups: framed.map(([id, group]) => [id, inOrder(group, ['title', 'nodes', 'color'])] as const),
    notes: written.map(([id, note]) => [id, inOrder(note, ['x', 'y', 'width', 'height', 'text', 'color'])] as const),
  };
  const filled = Object.entries(layout).filter(([, entries]) => entries.length > 0);
  return Object.fromEntries(filled.map(([key, entries]) => [key, Object.fromEntries<JsonValue>(entries)]));
}

/** Groups without members that are left behind; those of which nothing is left are left out. */
function groupsWith(
  groups: Readonly<Record<string, GroupDoc>>,
  nodes: ReadonlySet<string>,
): Readonly<Record<string, GroupDoc>> {
  const kept = Object.entries(groups).map(([id, group]) => {
    return [id, { ...group, nodes: group.nodes.filter((member) => nodes.has(member)) }] as const;
  });
  return Object.fromEntries(kept.filter(([, group]) => group.nodes.length > 0));
}

/** The longest text, in UTF-16 units, that is read when it is not written as usual: the full reader takes seconds for more. */
const maxUnusualLength = 256 * 1024;

/**
 * Reads what somebody pasted: a fragment, a whole flow file, a list of nodes, one node, or notes alone. Null when it is none of these,
 * and for a text that would take long to read: a window waits for it.
 */
export function readFragment(text: string): Fragment | null {
  const value = readValue(text.startsWith('\uFEFF') ? text.slice(1) : text);
  const root = value === null ? null : rootOf(value);
  if (root === null) return null;
  const doc = salvageDoc({ ...root, nodes: isJsonList(root['nodes']) ? root['nodes'].map(withId) : [] })?.doc;
  const { nodes: allPlaces = {}, notes = {}, groups = {} } = doc?.layout ?? {};
  if (doc === undefined || (doc.nodes.length === 0 && Object.keys(notes).length === 0)) return null;
  const ids = new Set(doc.nodes.map(({ id }) => id));
  const edges = doc.edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const incoming = salvageDoc({ nodes: [], edges: root[incomingKey] ?? [] })?.doc.edges ?? [];
  const places = Object.entries(allPlaces).filter(([id]) => ids.has(id));
  return {
    nodes: doc.nodes,
    edges,
    incoming: incoming.filter(({ from, to }) => !ids.has(from) && ids.has(to)),
    positions: Object.fromEntries(places.map(([id, { x, y }]) => [id, { x, y }])),
    notes,
    groups: groupsWith(groups, ids),
  };
}

function readValue(text: string): JsonValue | null {
  const quick = readQuickly(text);
  if (quick !== undefined || text.length > maxUnusualLength) return quick ?? null;
  const read = readYamlText(text);
  return 'code' in read ? null : read.value;
}

function rootOf(value: JsonValue): JsonMap | null {
  if (isJsonList(value)) return { nodes: value };
  if (!isJsonMap(value)) return null;
  if (isJsonList(value['nodes'])) return value;
  const isNode = !isJsonMap(value['layout']) || typeof value['type'] === 'string';
  return isNode ? { nodes: [value] } : { ...value, nodes: [] };
}

/** A node that somebody wrote without an id is called after its type. */
function withId(node: JsonValue): JsonValue {
  const type = textAt(node, 'type');
  if (!isJsonMap(node) || type === undefined || Object.hasOwn(node, 'id')) return node;
  return { id: type, ...node };
}
