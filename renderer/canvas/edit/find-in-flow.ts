/**
 * Searches a flow: finds nodes and triggers that contain text, replaces it, and moves from one match to the next.
 */
import {
  type FlowChange,
  type FlowDoc,
  isJsonList,
  isJsonMap,
  type JsonValue,
  type NodeDoc,
  triggerKindOf,
} from '../../../engine/isomorphic.ts';
import type { CanvasEditor } from '../state/canvas-editor.ts';
import { text } from '../text.ts';

/** Returns the IDs of nodes with the text in their ID, name, type or any other value, in file order. */
export function findNodes({ nodes }: Pick<FlowDoc, 'nodes'>, query: string): readonly string[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return nodes.filter((node) => textsOf(node).some((text) => text.toLowerCase().includes(wanted))).map(({ id }) => id);
}

/** Returns the IDs of triggers with the text in their ID, kind or any other value, in file order. */
export function findTriggers({ flow: { triggers = [] } }: Pick<FlowDoc, 'flow'>, query: string): readonly string[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const found = triggers.filter((trigger) =>
    ['trigger', triggerKindOf(trigger) ?? '', ...textsIn(trigger as unknown as JsonValue)].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
  return found.map(({ id }) => id);
}

function textsOf({ id, type, name = '', description = '', input, config = {} }: NodeDoc): string[] {
  return [id, type, name, description, ...textsIn(input), ...textsIn(config)];
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonMap(value) ? Object.values(value).flatMap(textsIn) : [];
}

interface Replacement {
  /** Number of nodes that change. */
  readonly nodeCount: number;
  /** Null if there is nothing to replace. */
  readonly change: FlowChange | null;
}

/**
 * Replaces text in names, descriptions, inputs and settings, ignoring case. IDs and types are kept: renaming a node is
 * another command.
 */
export function replaceInFlow({ nodes }: Pick<FlowDoc, 'nodes'>, query: string, by: string): Replacement {
  const wanted = query.trim();
  if (wanted === '' || wanted === by) return { nodeCount: 0, change: null };
  const pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');
  const changes = nodes.flatMap((node) => {
    const { id, name, description, input, config = {} } = node;
    const parts: [path: (string | number)[], value: JsonValue][] = [
      ...(name === undefined ? [] : [[['name'], name] as [string[], string]]),
      ...(description === undefined ? [] : [[['description'], description] as [string[], string]]),
      [['input'], input],
      [['config'], config],
    ];
    return parts.flatMap(([path, value]) =>
      replacedTexts(path, value, (found) => found.replaceAll(pattern, () => by)).map(
        (found) => ({ do: 'set-node', id, ...found }) as const,
      ),
    );
  });
  const nodeCount = new Set(changes.map((change) => change.id)).size;
  const label = text.undo.replace({ count: nodeCount });
  return { nodeCount, change: changes.length === 0 ? null : { do: 'all', changes, label } };
}

interface FlowTextMatch {
  readonly path: (string | number)[];
  readonly value: string;
}

function replacedTexts(
  path: (string | number)[],
  value: JsonValue,
  replace: (text: string) => string,
): FlowTextMatch[] {
  if (typeof value === 'string') {
    const replaced = replace(value);
    return replaced === value ? [] : [{ path, value: replaced }];
  }
  if (isJsonList(value)) return value.flatMap((item, index) => replacedTexts([...path, index], item, replace));
  if (!isJsonMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => replacedTexts([...path, key], item, replace));
}

let query = '';

/** Returns the last search text in any flow of the window. */
export function lastQuery(): string {
  return query;
}

export function noteQuery(wanted: string): void {
  query = wanted;
}

/** Selects the next or previous match relative to the selected node, and wraps around. */
export function stepToMatch(
  { doc, selection, stores, path }: Pick<CanvasEditor, 'doc' | 'selection' | 'stores' | 'path'>,
  by: 1 | -1,
): void {
  const triggers = findTriggers(doc, query);
  const nodes = findNodes(doc, query);
  const count = triggers.length + nodes.length;
  if (count === 0) return;
  const { primary, chosen } = selection;
  const [trigger = ''] = chosen.triggers;
  const node = primary === null ? -1 : nodes.indexOf(primary);
  const here = node === -1 ? triggers.indexOf(trigger) : triggers.length + node;
  const next = here === -1 ? (by === 1 ? 0 : count - 1) : (here + by + count) % count;
  const [id, found] = [nodes[next - triggers.length], triggers[next]];
  if (found !== undefined) stores.selection.getState().choose(path, { triggers: [found] }, null);
  else if (id !== undefined) selection.select([id], id);
}
