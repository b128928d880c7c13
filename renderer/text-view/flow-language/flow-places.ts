/**
 * Definitions and references in a flow file: go to definition, find all references, and the outline.
 */
import { entryAt, scalarAt, type YamlToken } from './entry.ts';
import { type FlowIndex, mentionAt, type NodeMention, type NodePlace } from './flow-index.ts';

/** Something that is defined elsewhere: a node of this file, an agent, or a workspace file. */
export type DefinitionTarget =
  | { readonly kind: 'node'; readonly from: YamlToken; readonly node: NodePlace; readonly at: YamlToken }
  | { readonly kind: 'agent'; readonly from: YamlToken; readonly name: string }
  | { readonly kind: 'file'; readonly from: YamlToken; readonly path: string };

/** Returns the definition for a position in the text. */
export function targetAt(index: FlowIndex, offset: number): DefinitionTarget | undefined {
  const mention = mentionAt(index, offset);
  const node = mention === undefined ? undefined : index.nodes.find(({ id }) => id === mention.text);
  const at = node === undefined ? undefined : idOf(index, node);
  if (mention !== undefined && node !== undefined && at !== undefined) return { kind: 'node', from: mention, node, at };
  return outsideTargets(index).find(({ from }) => from.start <= offset && offset <= from.end);
}

/** Returns the agents and files that nodes refer to by literal names. */
export function outsideTargets({ nodes }: FlowIndex): readonly Exclude<DefinitionTarget, { kind: 'node' }>[] {
  return nodes.flatMap(({ type, entry }): Exclude<DefinitionTarget, { kind: 'node' }>[] => {
    const key = type === 'agent' ? 'agent' : type === 'file.read' ? 'path' : undefined;
    const from = key === undefined ? undefined : entryAt(entry, ['input', key])?.value;
    if (from == null || from.text === '' || from.text.includes('{{')) return [];
    return [type === 'agent' ? { kind: 'agent', from, name: from.text } : { kind: 'file', from, path: from.text }];
  });
}

/** Returns all references to the node named at an offset. */
export function mentionsOf(index: FlowIndex, offset: number): readonly NodeMention[] {
  const mention = mentionAt(index, offset);
  return mention === undefined ? [] : index.mentions.filter(({ text }) => text === mention.text);
}

/** Returns the name that can be changed at an offset: that of a node in the file. */
export function renamableAt(index: FlowIndex, offset: number): NodeMention | undefined {
  const mention = mentionAt(index, offset);
  return mention !== undefined && index.nodes.some(({ id }) => id === mention.text) ? mention : undefined;
}

/** A line of the outline: a node, with the nodes of its body. */
interface OutlineLine {
  readonly name: string;
  readonly type: string;
  readonly place: YamlToken;
  readonly start: number;
  readonly end: number;
  /** ID of the loop around it. */
  readonly loop: string | undefined;
}

/** Returns the nodes of a flow in text order. */
export function outlineOf(index: FlowIndex): readonly OutlineLine[] {
  return index.nodes.flatMap((node) => {
    const place = idOf(index, node);
    if (place === undefined) return [];
    const { start, end } = node.entry;
    const label = scalarAt(node.entry, 'name');
    const name = label === undefined ? node.id : `${node.id} · ${label}`;
    return [{ name, type: node.type, place, start, end, loop: index.loopOf.get(node.id)?.id }];
  });
}

function idOf({ mentions }: FlowIndex, { entry }: NodePlace): YamlToken | undefined {
  return mentions.find(({ role, start }) => role === 'id' && entry.start <= start && start <= entry.end);
}
