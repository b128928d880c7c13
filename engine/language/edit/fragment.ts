/**
 * A part of a flow as text, for the clipboard and for other windows, files and programs; and the change that pastes it
 * into a flow.
 */
import {
  type EdgeDoc,
  type FlowDoc,
  type GroupDoc,
  type NodeDoc,
  type NodePosition,
  type NoteDoc,
  nodeIdPattern,
  reservedNodeIds,
} from '../flow/flow-doc.ts';
import { findLoops, isLoop } from '../flow/loops.ts';
import { salvageDoc } from '../flow/salvage-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../json/json-value.ts';
import type { TriggerDoc } from '../triggers/trigger-doc.ts';
import { readQuickly } from '../yaml/quick-yaml.ts';
import type { FlowChange } from './flow-change.ts';
import { newManner } from './flow-manner.ts';
import { edgeKeys, inOrder, nodeKeys, textAt } from './raw-flow.ts';
import { renameNode } from './rename-node.ts';
import { entryLines } from './yaml/write-value.ts';
import { readYamlText } from './yaml/yaml-text.ts';

export interface Fragment {
  readonly nodes: readonly NodeDoc[];
  /** Edges between the nodes. */
  readonly edges: readonly EdgeDoc[];
  /** Edges from nodes that were not copied. */
  readonly incoming: readonly EdgeDoc[];
  /** Positions by node ID; may be missing for some nodes. */
  readonly positions: Readonly<Record<string, NodePosition>>;
  readonly notes: Readonly<Record<string, NoteDoc>>;
  /** Groups with only those members that are among the nodes; each has at least one. */
  readonly groups: Readonly<Record<string, GroupDoc>>;
  readonly triggers: readonly TriggerDoc[];
}

/** IDs of a fragment's parts. */
interface FragmentSelection {
  readonly nodes: Iterable<string>;
  readonly notes?: ReadonlySet<string>;
  readonly groups?: ReadonlySet<string>;
  readonly triggers?: ReadonlySet<string>;
}

/** Written where a flow file may also have it: keys for other programs start with `x-`. */
const incomingKey = 'x-incoming';

/**
 * Returns the YAML of some of a document's nodes with the edges between and to them, their positions, notes,
 * groups and triggers.
 */
export function fragmentText(doc: FlowDoc, parts: FragmentSelection): string {
  const chosen = new Set(parts.nodes);
  const nodes = doc.nodes.filter(({ id }) => chosen.has(id));
  const leading = doc.edges.filter(({ to }) => chosen.has(to));
  const edges = leading.filter(({ from }) => chosen.has(from));
  const incoming = leading.filter(({ from }) => !chosen.has(from));
  const layout = layoutOf(doc, chosen, parts);
  const triggers = (doc.flow.triggers ?? []).filter(({ id }) => parts.triggers?.has(id));
  const sections: readonly (readonly [key: string, value: JsonValue, section: string])[] = [
    ['flow', triggers.length === 0 ? [] : { triggers: triggers as unknown as JsonValue }, 'flow'],
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

function layoutOf(doc: FlowDoc, chosen: ReadonlySet<string>, { notes, groups }: FragmentSelection): JsonMap {
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

/** Returns groups without the members that were not copied, omitting groups that become empty. */
function groupsWith(
  groups: Readonly<Record<string, GroupDoc>>,
  nodes: ReadonlySet<string>,
): Readonly<Record<string, GroupDoc>> {
  const kept = Object.entries(groups).map(([id, group]) => {
    return [id, { ...group, nodes: group.nodes.filter((member) => nodes.has(member)) }] as const;
  });
  return Object.fromEntries(kept.filter(([, group]) => group.nodes.length > 0));
}

/**
 * Maximum length, in UTF-16 units, of text that is not in the usual format: the full parser takes seconds for longer
 * text.
 */
const maxUnusualLength = 256 * 1024;

/**
 * Reads pasted text: a fragment, an entire flow file, a list of nodes, one node, or only notes or triggers. Returns null if it is
 * none of these, or if parsing it would block the window for too long.
 */
export function readFragment(text: string): Fragment | null {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const value = readValue(plain) ?? readValue(withFirstIndent(plain));
  const root = value === null ? null : rootOf(value);
  if (root === null) return null;
  const doc = salvageDoc({ ...root, nodes: isJsonList(root['nodes']) ? root['nodes'].map(withId) : [] })?.doc;
  const { nodes: allPlaces = {}, notes = {}, groups = {} } = doc?.layout ?? {};
  const { triggers = [] } = doc?.flow ?? {};
  if (doc === undefined || doc.nodes.length + Object.keys(notes).length + triggers.length === 0) return null;
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
    triggers,
  };
}

/**
 * A selection that starts at the dash or the first key of an entry lacks the indentation before it. Indents the first
 * line to match the second one.
 */
function withFirstIndent(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const second = rest.find((line) => line.trim() !== '') ?? '';
  const wanted = second.length - second.trimStart().length - (/^- +/.exec(first)?.[0].length ?? 0);
  return wanted > 0 ? `${' '.repeat(wanted)}${text}` : text;
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
  const isNode = typeof value['type'] === 'string' || !(isJsonMap(value['layout']) || isJsonMap(value['flow']));
  return isNode ? { nodes: [value] } : { ...value, nodes: [] };
}

/** A node written without an ID is named after its type. */
function withId(node: JsonValue): JsonValue {
  const type = textAt(node, 'type');
  if (!isJsonMap(node) || type === undefined || Object.hasOwn(node, 'id')) return node;
  return { id: type, ...node };
}

export interface PasteOptions {
  /** Position of the upper left corner of the pasted nodes; without it, everything keeps its position. */
  readonly at?: NodePosition;
  /** Offset by which to move the nodes instead. */
  readonly by?: NodePosition;
  /** Whether to keep edges from nodes that were not copied but exist in the document. */
  readonly keepIncoming?: boolean;
  /** The loop to whose body the nodes are added. */
  readonly loopId?: string;
}

/** Horizontal distance between cards without a position. */
const columnWidth = 304;

/**
 * Returns the change that pastes a fragment. Appends a number to IDs that are taken, and updates bindings, conditions
 * and bodies inside the fragment.
 */
export function pasteChange(
  doc: FlowDoc,
  fragment: Fragment,
  options: PasteOptions = {},
): Extract<FlowChange, { do: 'add' }> {
  const { keepIncoming = false, loopId } = options;
  const known = new Set(doc.nodes.map(({ id }) => id));
  const incoming = keepIncoming ? fragment.incoming.filter(({ from }) => known.has(from)) : [];
  const members = new Set(fragment.nodes.map(({ id }) => id));
  const root = {
    nodes: fragment.nodes.map((node) => withoutStrangers(node, members)),
    edges: [...fragment.edges, ...incoming].map(({ id: _, ...edge }) => edge),
    layout: { nodes: placed(fragment, options), groups: fragment.groups },
    // Documents are plain JSON; their types only name the keys.
  } as unknown as JsonMap;
  const renamed = newIds(doc, fragment).reduce((current, renaming) => renameNode(current, renaming), root);
  const { nodes, edges, layout } = renamed as unknown as FlowDoc;
  const notes = withFreeIds(movedNotes(fragment, options), doc.layout?.notes, 'note');
  const groups = withFreeIds(layout?.groups ?? {}, doc.layout?.groups, 'group');
  return {
    do: 'add',
    nodes,
    edges,
    positions: layout?.nodes ?? {},
    ...(loopId === undefined ? {} : { loopId }),
    ...(Object.keys(notes).length === 0 ? {} : { notes }),
    ...(Object.keys(groups).length === 0 ? {} : { groups }),
  };
}

/** Returns the triggers of a fragment with IDs that the document does not use. */
export function pastedTriggers({ flow }: FlowDoc, { triggers }: Fragment): readonly TriggerDoc[] {
  const taken = new Set((flow.triggers ?? []).map(({ id }) => id));
  return triggers.map((trigger) => {
    const base = trigger.id.replace(/_\d+$/, '');
    let { id } = trigger;
    for (let count = 2; taken.has(id); count++) id = `${base}_${count}`;
    taken.add(id);
    return { ...trigger, id };
  });
}

/** Limits the loop's body to the nodes that were copied. */
function withoutStrangers(node: NodeDoc, members: ReadonlySet<string>): NodeDoc {
  const { body } = node.input;
  if (!isLoop(node.type) || !isJsonList(body)) return node;
  const isMember = (id: JsonValue): boolean => typeof id === 'string' && members.has(id);
  return { ...node, input: { ...node.input, body: body.filter(isMember) } };
}

function newIds(doc: FlowDoc, { nodes }: Fragment): readonly { from: string; to: string }[] {
  const names = [doc.nodes, nodes].flatMap((list) => findLoops(list).loops.map(({ as }) => as ?? ''));
  const taken = new Set([...doc.nodes.map(({ id }) => id), ...names]);
  const free = (id: string): boolean => !taken.has(id) && !reservedNodeIds.has(id) && nodeIdPattern.test(id);
  const kept = new Set(nodes.map(({ id }) => id).filter(free));
  const others = nodes.filter(({ id }) => !kept.has(id));
  // No old ID is used as a new one, so that consecutive renames do not interfere.
  for (const { id } of nodes) taken.add(id);
  return others.map(({ id: from }) => {
    const base =
      from
        .replace(/\W/g, '_')
        .replace(/^(?=\d)/, '_')
        .replace(/_\d+$/, '') || 'node';
    let to = base;
    for (let count = 2; !free(to); count++) to = `${base}_${count}`;
    taken.add(to);
    return { from, to };
  });
}

/** Returns layout entries under unused IDs: their own, or `note_2`. */
function withFreeIds<Entry>(
  entries: Readonly<Record<string, Entry>>,
  known: Readonly<Record<string, unknown>> = {},
  name: string,
): Readonly<Record<string, Entry>> {
  const taken = new Set([...Object.keys(known), '__proto__']);
  const named = Object.entries(entries).map(([wanted, entry]) => {
    let id = wanted;
    for (let count = 1; taken.has(id); count++) id = count === 1 ? name : `${name}_${count}`;
    taken.add(id);
    return [id, entry] as const;
  });
  return Object.fromEntries(named);
}

/** Returns the offset for everything that has a position. */
function shiftOf({ positions, notes }: Fragment, { at, by }: PasteOptions): NodePosition {
  const places = [...Object.values(positions), ...Object.values(notes)];
  if (at === undefined || places.length === 0) return by ?? { x: 0, y: 0 };
  const left = Math.min(...places.map(({ x }) => x));
  const top = Math.min(...places.map(({ y }) => y));
  return { x: at.x - left, y: at.y - top };
}

function movedNotes(fragment: Fragment, options: PasteOptions): Fragment['notes'] {
  const by = shiftOf(fragment, options);
  const moved = Object.entries(fragment.notes).map(([id, note]) => {
    return [id, { ...note, x: Math.round(note.x + by.x), y: Math.round(note.y + by.y) }] as const;
  });
  return Object.fromEntries(moved);
}

function placed(fragment: Fragment, options: PasteOptions): Readonly<Record<string, NodePosition>> {
  const places = Object.entries(fragment.positions);
  const { at } = options;
  if (places.length === 0 && at !== undefined) {
    return Object.fromEntries(fragment.nodes.map(({ id }, index) => [id, { x: at.x + index * columnWidth, y: at.y }]));
  }
  const by = shiftOf(fragment, options);
  return Object.fromEntries(places.map(([id, { x, y }]) => [id, { x: x + by.x, y: y + by.y }]));
}
