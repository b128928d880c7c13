/**
 * Going from one node to the next that holds what was searched for.
 */
import type { CanvasDesk } from '../state/canvas-desk.ts';
import { findNodes } from './find-in-flow.ts';

let query = '';

/** What was searched for last, in any flow of the window. */
export function lastQuery(): string {
  return query;
}

export function noteQuery(wanted: string): void {
  query = wanted;
}

/** Selects the next match behind the selected node, or the one before it, and goes round. */
export function stepToMatch({ doc, selection }: Pick<CanvasDesk, 'doc' | 'selection'>, by: 1 | -1): void {
  const found = findNodes(doc, query);
  if (found.length === 0) return;
  const here = selection.primary === null ? -1 : found.indexOf(selection.primary);
  const next = found.at(here === -1 ? (by === 1 ? 0 : -1) : (here + by) % found.length);
  if (next !== undefined) selection.select([next], next);
}
