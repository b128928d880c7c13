/**
 * Ids on the canvas. A card has that of its node; notes and groups get a prefix that no id of a node can have.
 */
import type { Chosen } from '../../stores/window/selection.ts';

const prefixes = { notes: 'note:', groups: 'group:' } as const;

export function noteKey(noteId: string): string {
  return prefixes.notes + noteId;
}

export function groupKey(groupId: string): string {
  return prefixes.groups + groupId;
}

/** What an id on the canvas stands for. */
export function partOf(key: string): { readonly part: Exclude<keyof Chosen, 'edges'>; readonly id: string } {
  if (key.startsWith(prefixes.notes)) return { part: 'notes', id: key.slice(prefixes.notes.length) };
  if (key.startsWith(prefixes.groups)) return { part: 'groups', id: key.slice(prefixes.groups.length) };
  return { part: 'nodes', id: key };
}
