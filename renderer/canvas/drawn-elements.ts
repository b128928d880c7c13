/**
 * Puts together the elements that React Flow renders.
 */
import { useMemo } from 'react';
import type { FlowDoc, GroupDoc, NoteDoc } from '../../engine/isomorphic.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import type { RetainedCardPositions } from './edit/use-kept-places.ts';
import { useFolded } from './groups/folded-groups.tsx';
import { noteNode } from './notes/note-card.tsx';
import type { usePageElements } from './page/page-elements.ts';
import type { FlowWithLayout } from './projection/frames.ts';
import type { CanvasNode } from './state/canvas-elements.ts';
import type { useCanvasSelection } from './state/canvas-selection.ts';
import { useInteraction } from './state/interaction.ts';

interface DrawnSource {
  readonly doc: FlowDoc;
  readonly kept: RetainedCardPositions;
  readonly placed: FlowWithLayout;
  readonly page: ReturnType<typeof usePageElements>;
  readonly selection: ReturnType<typeof useCanvasSelection>;
  readonly ghosts: ReadonlySet<string>;
  /** The one of them that is selected, or null. */
  readonly ghost: string | null;
}

const noNotes: Readonly<Record<string, NoteDoc>> = {};
const noGroups: Readonly<Record<string, GroupDoc>> = {};

const ghostCard = { className: 'ghost-card', draggable: false, selectable: false };

/** Returns the elements for React Flow: cards with notes, and edges, reduced where groups are folded. */
export function useDrawn({ doc, kept, placed, page, selection, ghosts, ghost }: DrawnSource) {
  const fresh = useInteraction((interaction) => interaction.freshNote);
  const known = doc.layout?.notes ?? noNotes;
  const notes = useMemo(
    () => (fresh === null || Object.hasOwn(known, fresh.id) ? known : { ...known, [fresh.id]: fresh.note }),
    [known, fresh],
  );
  const groups = doc.layout?.groups ?? noGroups;
  const hidesNotes = useInteraction((interaction) => interaction.hidesNotes);
  const { edges: chosenEdges, notes: chosenNotes } = selection.chosen;
  const noteNodes = useMemo(
    () =>
      hidesNotes
        ? []
        : Object.entries(notes).map(([id, note]) => {
            const node = noteNode(id, note, chosenNotes.has(id));
            return { ...node, position: kept.get(node.id) ?? node.position };
          }),
    [notes, kept, hidesNotes, chosenNotes],
  );
  const found = useInteraction((interaction) => interaction.found);
  const nodes = useMemo((): CanvasNode[] => {
    if (found.size === 0 && ghosts.size === 0) return [...page.nodes, ...noteNodes];
    const cards = page.nodes.map((node) => {
      if (ghosts.has(node.id)) return { ...node, ...ghostCard, selected: node.id === ghost };
      return found.has(node.id) ? { ...node, className: 'found-card' } : node;
    });
    return [...cards, ...noteNodes];
  }, [page.nodes, noteNodes, found, ghosts, ghost]);
  const isLane = isStepFlow(doc);
  const edges = useMemo(
    () =>
      isLane
        ? page.edges.map((edge) => ({ ...edge, selectable: false }))
        : chosenEdges.size === 0
          ? page.edges
          : page.edges.map((edge) => ({ ...edge, selected: chosenEdges.has(edge.id) })),
    [page.edges, chosenEdges, isLane],
  );
  const folded = useFolded({ placed, groups, nodes, edges });
  return useMemo(() => ({ ...folded, groups }), [folded, groups]);
}
