/**
 * Indexes the flows of a conversation catalog and all references to them, from its possibly unfinished text. Flows take
 * the role of nodes, so that features based on names work in catalogs as in flows.
 */
import { entryAt, scalarAt, type YamlEntry, type YamlToken } from './entry.ts';
import type { FlowIndex, NodeMention, NodePlace } from './flow-index.ts';
import { readOutline } from './yaml-outline.ts';

/** Indexes a catalog. Never throws. */
export function indexCatalogue(text: string): FlowIndex {
  const root = readOutline(text);
  const list = entryAt(root, ['flows']);
  const nodes = (list?.kind === 'list' ? list.children : []).map(
    (entry): NodePlace => ({ id: scalarAt(entry, 'name') ?? '', type: scalarAt(entry, 'intent') ?? '', entry }),
  );
  const mentions = nodes.flatMap(({ entry }) => mentionsIn(entry));
  mentions.sort((left, right) => left.start - right.start);
  return { text, root, nodes, edges: [], mentions, loopOf: new Map() };
}

function mentionsIn(flow: YamlEntry): readonly NodeMention[] {
  const needed = entryAt(flow, ['dependsOn'])?.children ?? [];
  return [
    ...tokenAt(flow, 'name').map((token) => mention(token, 'id')),
    ...tokenAt(flow, 'fallback').map((token) => mention(token, 'edge')),
    ...needed.flatMap(({ value }) => (value === null ? [] : mention(value, 'edge'))),
  ];
}

function tokenAt(entry: YamlEntry, key: string): readonly YamlToken[] {
  const value = entryAt(entry, [key])?.value ?? null;
  return value === null ? [] : [value];
}

/** Excludes the quotes. */
function mention({ text, start, end }: YamlToken, role: NodeMention['role']): NodeMention {
  const quotes = (end - start - text.length) / 2;
  return { text, start: start + quotes, end: end - quotes, role };
}

/** Returns the names of the entries in a map of the file, such as its intents. */
export function keysAt(root: YamlEntry, key: string): readonly string[] {
  return entryAt(root, [key])?.children.flatMap(({ key: name }) => name?.text ?? []) ?? [];
}
