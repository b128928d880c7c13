/**
 * Rows of the outline that are dragged: beside another row, or into the body of a loop.
 */
import { type DragEvent, useState } from 'react';
import { loopType } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import { dropMove, type TreeDrop } from './outline-moves.ts';
import type { OutlineRow } from './outline-rows.ts';

const dragType = 'application/x-millrace-node';

interface Dragged {
  readonly ids: ReadonlySet<string>;
  readonly drop: TreeDrop | null;
}

/** Of a loop, the middle of its row means its body. Behind a row that is unfolded would be further down. */
function sideAt({ clientY, currentTarget }: DragEvent, { node, isExpanded }: OutlineRow): TreeDrop['side'] {
  const { top, height } = currentTarget.getBoundingClientRect();
  const part = (clientY - top) / height;
  const isLoop = node.type === loopType;
  if (isLoop && part > 0.25 && (part < 0.75 || isExpanded === true)) return 'inside';
  return part < 0.5 || isExpanded === true ? 'before' : 'behind';
}

/**
 * @param renaming the node whose id is being changed, which is not dragged
 * @param ids the selected nodes, which go together when one of them is dragged
 * @returns what the element of a row needs for it
 */
export function useRowDrag(
  path: string,
  renaming: string | null,
  ids: ReadonlySet<string>,
): (row: OutlineRow) => Readonly<Record<string, unknown>> {
  const { edits, notices, openFiles, selection } = useStores();
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const moveTo = (drop: TreeDrop): ReturnType<typeof dropMove> => {
    const flow = openFiles.getState().files.get(path);
    if (dragged === null || flow?.doc == null || flow.readOnlyReason !== null) return null;
    return dropMove({ doc: flow.doc, nesting: flow.nesting }, dragged.ids, drop);
  };
  const letGo = async (drop: TreeDrop): Promise<void> => {
    const made = moveTo(drop);
    if (typeof made === 'string') notices.getState().add({ tone: 'info', title: 'Nothing was moved', detail: made });
    else if (made !== null && (await edits.change(path, made.change))) {
      selection.getState().choose(path, { nodes: made.ids });
    }
  };
  return (row) => ({
    draggable: row.id !== renaming,
    'data-drop': dragged?.drop?.id === row.id ? dragged.drop.side : undefined,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData(dragType, row.id);
      event.dataTransfer.effectAllowed = 'move';
      setDragged({ ids: ids.has(row.id) ? ids : new Set([row.id]), drop: null });
    },
    onDragOver: (event: DragEvent) => {
      const drop: TreeDrop = { id: row.id, side: sideAt(event, row) };
      if (dragged === null || moveTo(drop) === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      if (dragged.drop?.id !== drop.id || dragged.drop.side !== drop.side) setDragged({ ...dragged, drop });
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      // From one part of the row to another it does not leave it.
      if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
      setDragged((before) => (before?.drop?.id === row.id ? { ...before, drop: null } : before));
    },
    onDragEnd: () => setDragged(null),
    onDrop: (event: DragEvent) => {
      if (dragged === null) return;
      event.preventDefault();
      setDragged(null);
      void letGo({ id: row.id, side: sideAt(event, row) });
    },
  });
}
