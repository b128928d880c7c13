/**
 * Inserts an existing card into an edge.
 */
import type { FlowChange, NodePosition } from '../../../engine/isomorphic.ts';
import { boxesOf, boxOf, type CanvasEditor } from '../state/canvas-editor.ts';
import { text } from '../text.ts';
import { freePlace, placesInto } from './add-change.ts';
import { moveChange } from './move-change.ts';

/** Inserts a card into an edge, at the position where it was dropped. */
export function spliceCard(
  editor: CanvasEditor,
  {
    node,
    edge,
    places,
  }: { readonly node: string; readonly edge: string; readonly places: ReadonlyMap<string, NodePosition> },
): Promise<boolean> {
  const clear = clearPlaces(editor, { node, edge, places });
  const changes: FlowChange[] = [{ do: 'splice', node, edge }, moveChange(editor, clear)];
  return editor.change({ do: 'all', changes, label: text.undo.putIntoEdge({ node }) }, { places: clear });
}

/**
 * Returns the positions of the cards that were dropped on an edge. A card that would overlap another one is placed
 * between the ends of the edge instead.
 */
function clearPlaces(
  editor: CanvasEditor,
  { node, edge, places }: Parameters<typeof spliceCard>[1],
): ReadonlyMap<string, NodePosition> {
  const [at, box] = [places.get(node), boxOf(editor, node)];
  if (at === undefined || box === undefined || places.size > 1) return places;
  const { direction } = editor.projection;
  const room = {
    boxes: boxesOf(editor).filter(({ id }) => id !== node),
    direction,
    width: box.width,
    height: box.height,
  };
  const free = freePlace(at, room, 0);
  if (free.x === Math.round(at.x) && free.y === Math.round(at.y)) return places;
  return placesInto(editor, { id: node, edgeId: edge, room });
}
