/**
 * Indexes the nodes and edges of a flow file and all references to them, from its possibly unfinished text.
 */

import { conditionSightsOf, isLoop } from '../../../engine/isomorphic.ts';
import { entryAt, scalarAt, type YamlEntry, type YamlToken } from './entry.ts';
import { readOutline } from './yaml-outline.ts';

export interface NodePlace {
  readonly id: string;
  readonly type: string;
  readonly entry: YamlEntry;
}

interface EdgePlace {
  readonly from: string;
  readonly to: string;
  readonly entry: YamlEntry;
}

/** A reference to a node. */
export interface NodeMention extends YamlToken {
  readonly role: 'id' | 'edge' | 'body' | 'binding' | 'condition' | 'layout';
}

export interface FlowIndex {
  readonly text: string;
  readonly root: YamlEntry;
  readonly nodes: readonly NodePlace[];
  readonly edges: readonly EdgePlace[];
  /** In text order. */
  readonly mentions: readonly NodeMention[];
  /** The loop of each node in a body. */
  readonly loopOf: ReadonlyMap<string, NodePlace>;
}

/** Indexes a flow file. Never throws. */
export function indexFlow(text: string): FlowIndex {
  const root = readOutline(text);
  const isSteps = isStepText(root);
  const nodes = itemsAt(root, [isSteps ? 'steps' : 'nodes']).map((entry, index) => ({
    id: scalarAt(entry, 'id') ?? (isSteps ? (scalarAt(entry, 'name') ?? `step_${index}`) : ''),
    type: scalarAt(entry, 'type') ?? '',
    entry,
  }));
  const edges = itemsAt(root, ['edges']).map((entry) => ({
    from: scalarAt(entry, 'from') ?? '',
    to: scalarAt(entry, 'to') ?? '',
    entry,
  }));
  const loopOf = new Map<string, NodePlace>();
  for (const node of nodes) {
    for (const { text: id } of bodyOf(node)) if (!loopOf.has(id)) loopOf.set(id, node);
  }
  const mentions = [
    ...nodes.flatMap((node) => (isSteps ? stepMentions(text, node) : mentionsIn(text, node))),
    ...edges.flatMap(mentionsOfEdge),
    ...layoutMentions(root),
  ];
  mentions.sort((left, right) => left.start - right.start);
  return { text, root, nodes, edges, mentions, loopOf };
}

/** Returns whether a text is, or will become, a list of steps. */
export function isStepText(root: YamlEntry): boolean {
  return entryAt(root, ['steps']) !== undefined && entryAt(root, ['nodes']) === undefined;
}

/** Returns the node at an offset, including the whitespace after it. */
export function nodeAt({ nodes, text }: FlowIndex, offset: number): NodePlace | undefined {
  return placeAt(nodes, text, offset);
}

/** Returns the edge at an offset, including the whitespace after it. */
export function edgeAt({ edges, text }: FlowIndex, offset: number): EdgePlace | undefined {
  return placeAt(edges, text, offset);
}

function placeAt<Place extends { readonly entry: YamlEntry }>(
  places: readonly Place[],
  text: string,
  offset: number,
): Place | undefined {
  const found = places.findLast(({ entry }) => entry.start <= offset);
  return found !== undefined && text.slice(found.entry.end, offset).trim() === '' ? found : undefined;
}

/** Returns the reference at an offset. */
export function mentionAt({ mentions }: FlowIndex, offset: number): NodeMention | undefined {
  return mentions.find(({ start, end }) => start <= offset && offset <= end);
}

function itemsAt(root: YamlEntry, path: readonly string[]): readonly YamlEntry[] {
  const list = entryAt(root, path);
  return list?.kind === 'list' ? list.children : [];
}

function bodyOf({ type, entry }: NodePlace): readonly YamlToken[] {
  return isLoop(type) ? itemsAt(entry, ['input', 'body']).flatMap(({ value }) => value ?? []) : [];
}

function mentionsIn(text: string, node: NodePlace): readonly NodeMention[] {
  const id = entryAt(node.entry, ['id'])?.value;
  const input = entryAt(node.entry, ['input']);
  return [
    ...(id == null ? [] : [mention(id, 'id')]),
    ...bodyOf(node).map((token) => mention(token, 'body')),
    ...(input === undefined ? [] : valuesIn(input).flatMap((value) => bindingsIn(text, value))),
    ...conditionMentions(node.entry, ['when']),
    ...Object.keys(conditionSightsOf(node.type ?? '')).flatMap((key) => conditionMentions(node.entry, ['input', key])),
  ];
}

/** Returns the references to a step: its ID, and templates that use its output. */
function stepMentions(text: string, { entry }: NodePlace): readonly NodeMention[] {
  const id = entryAt(entry, ['id'])?.value;
  const params = entryAt(entry, ['params']);
  const read = params === undefined ? [] : valuesIn(params).flatMap((value) => stepsReadIn(text, value));
  return [...(id == null ? [] : [mention(id, 'id')]), ...read];
}

function stepsReadIn(text: string, { start, end }: YamlToken): readonly NodeMention[] {
  const found = text.slice(start, end).matchAll(/\{\{\s*artifacts\.step\.([\w-]+(?:\.[\w-]+)*?)\.output\b/g);
  return Array.from(found, ({ index, 0: whole, 1: id = '' }) => {
    const at = start + index + whole.length - '.output'.length - id.length;
    return { text: id, start: at, end: at + id.length, role: 'binding' as const };
  });
}

function mentionsOfEdge({ entry }: EdgePlace): readonly NodeMention[] {
  const ends = ['from', 'to'].flatMap((key) => entryAt(entry, [key])?.value ?? []);
  return [...ends.map((token) => mention(token, 'edge')), ...conditionMentions(entry, ['when'])];
}

function conditionMentions(entry: YamlEntry, path: readonly string[]): readonly NodeMention[] {
  const when = entryAt(entry, path);
  if (when === undefined) return [];
  return pathValues(when).map((token) => ({ ...firstStep(mention(token, 'condition')) }));
}

/** Returns the paths in a condition. */
function pathValues(entry: YamlEntry): readonly YamlToken[] {
  const isPath = entry.key?.text === 'var' || entry.key?.text === 'exists';
  const own = isPath && entry.value !== null ? [entry.value] : [];
  return [...own, ...entry.children.flatMap(pathValues)];
}

function layoutMentions(root: YamlEntry): readonly NodeMention[] {
  const layout = entryAt(root, ['layout']);
  if (layout === undefined) return [];
  const places = entryAt(layout, ['nodes'])?.children.flatMap(({ key }) => key ?? []) ?? [];
  const groups = entryAt(layout, ['groups'])?.children ?? [];
  const members = groups.flatMap((group) => itemsAt(group, ['nodes']).flatMap(({ value }) => value ?? []));
  return [...places, ...members].map((token) => mention(token, 'layout'));
}

function valuesIn(entry: YamlEntry): readonly YamlToken[] {
  return [...(entry.value === null ? [] : [entry.value]), ...entry.children.flatMap(valuesIn)];
}

function bindingsIn(text: string, { start, end }: YamlToken): readonly NodeMention[] {
  const found = text.slice(start, end).matchAll(/(?<!\\)\{\{\s*\??\s*([A-Za-z_]\w*)/g);
  return Array.from(found, ({ index, 0: whole, 1: id = '' }) => {
    const at = start + index + whole.length - id.length;
    return { text: id, start: at, end: at + id.length, role: 'binding' as const };
  });
}

/** Excludes the quotes. */
function mention({ text, start, end }: YamlToken, role: NodeMention['role']): NodeMention {
  const quotes = (end - start - text.length) / 2;
  return { text, start: start + quotes, end: end - quotes, role };
}

function firstStep({ text, start, role }: NodeMention): NodeMention {
  const id = /^[^.[]*/.exec(text)?.[0] ?? '';
  return { text: id, start, end: start + id.length, role };
}
