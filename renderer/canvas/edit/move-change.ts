/**
 * Converts new positions of cards and notes into a change of the file, and finds what moves along with the dragged
 * elements.
 */
import type { FlowChange, FlowDoc, NodePosition } from '../../../engine/isomorphic.ts';
import type { Chosen } from '../../stores/window/selection.ts';
import type { FlowProjection } from '../projection/flow-projection.ts';
import { type FlowWithLayout, withBodies } from '../projection/frames.ts';

import { noteKey, partOf } from '../state/canvas-elements.ts';
import { text } from '../text.ts';
import { partsText } from './parts-text.ts';

type MovedNodePositions = ReadonlyMap<string, NodePosition>;

/**
 * Returns the change that moves cards and notes to `places`, by their IDs on the canvas.
 *
 * The first card that is moved manually fixes all others at their current positions. Otherwise the layout would move
 * them, because it places cards without a position beside those with one.
 */
export function moveChange(placed: FlowWithLayout, places: MovedNodePositions): FlowChange {
  const cards = [...places].filter(([key]) => partOf(key).part === 'nodes');
  const notes = [...places].filter(([key]) => partOf(key).part === 'notes');
  const positions = { ...(cards.length === 0 ? {} : pinnedPlaces(placed)), ...wholePlaces(cards) };
  const changes: FlowChange[] = [
    ...(cards.length === 0 ? [] : [{ do: 'move', positions } as const]),
    ...notes.flatMap(([key, { x, y }]): FlowChange[] => [
      { do: 'set-layout', path: ['notes', partOf(key).id, 'x'], value: Math.round(x) },
      { do: 'set-layout', path: ['notes', partOf(key).id, 'y'], value: Math.round(y) },
    ]),
  ];
  return { do: 'all', changes, label: labelOf(cards, notes.length) };
}

/** Returns the positions of the cards that have none in the file. */
export function pinnedPlaces({ projection, layout }: FlowWithLayout): Record<string, NodePosition> {
  const unplaced = projection.nodes.filter(({ position }) => position === null);
  return wholePlaces(unplaced.map(({ id }) => [id, layout.positions.get(id) ?? { x: 0, y: 0 }]));
}

function wholePlaces(places: readonly (readonly [string, NodePosition])[]): Record<string, NodePosition> {
  return Object.fromEntries(places.map(([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }]));
}

function labelOf(cards: readonly (readonly [string, NodePosition])[], notes: number): string {
  return text.undo.move({ names: partsText({ nodes: cards.map(([id]) => id), notes }) });
}

/**
 * Returns the canvas IDs of everything that moves with a selection: cards, members of groups, bodies of loops and
 * notes.
 */
export function movingKeys(
  { projection, doc }: { readonly projection: Pick<FlowProjection, 'nodes'>; readonly doc: Pick<FlowDoc, 'layout'> },
  { nodes, notes, groups }: Pick<Chosen, 'nodes' | 'notes' | 'groups'>,
): ReadonlySet<string> {
  const members = [...groups].flatMap((id) => doc.layout?.groups?.[id]?.nodes ?? []);
  const keys = withBodies(projection.nodes, [...nodes, ...members]);
  for (const id of notes) keys.add(noteKey(id));
  return keys;
}
