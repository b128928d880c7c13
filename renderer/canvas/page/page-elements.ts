/**
 * The cards and edges that React Flow renders: all of a small flow, or the DOM elements of a large one.
 */

import { useReactFlow } from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { CardNode } from '../../card/node-card.tsx';
import { cardAt, cardsIn, makeScene, type OverviewScene, useBoxEnd } from '../overview/overview-scene.ts';

import type { CanvasElements, RoutedEdge } from '../state/canvas-elements.ts';
import type { CanvasSelection } from '../state/canvas-selection.ts';
import { isPainted, usePageCards } from './page-cards.ts';

export interface PageElements {
  readonly scene: OverviewScene;
  readonly nodes: CardNode[];
  readonly edges: RoutedEdge[];
  readonly gestures: OverviewGestures;
}

/** An edge is in the DOM if both of its cards are. The overview paints the rest. */
export function usePageElements(elements: CanvasElements, selection: CanvasSelection): PageElements {
  const scene = useMemo(() => makeScene(elements), [elements]);
  const gestures = useOverviewGestures(scene, (ids) => selection.select(ids, ids.at(-1) ?? null));
  const { hovered } = gestures;
  const wanted = useMemo(
    () => (hovered === null ? selection.ids : new Set([...selection.ids, hovered])),
    [selection.ids, hovered],
  );
  const onPage = usePageCards(scene, wanted);
  const { nodes, edges } = elements;
  const shownNodes = useMemo(
    () => (onPage === null ? nodes : nodes.filter(({ id }) => onPage.has(id))),
    [nodes, onPage],
  );
  const shownEdges = useMemo(
    () => (onPage === null ? edges : edges.filter(({ source, target }) => onPage.has(source) && onPage.has(target))),
    [edges, onPage],
  );
  return { scene, nodes: shownNodes, edges: shownEdges, gestures };
}

/** Distance in screen pixels by which a click may miss a card. */
const clickReach = 8;

interface OverviewGestures {
  /** The card under the pointer, or null. */
  readonly hovered: string | null;
  readonly onPointerMove: (event: Pick<MouseEvent, 'clientX' | 'clientY' | 'buttons'>) => void;
  /** Selects the card at a click on the empty canvas, if any. */
  readonly onPaneClick: (event: Pick<MouseEvent, 'clientX' | 'clientY'>) => void;
}

/**
 * Makes painted cards behave like DOM elements: the card under the pointer becomes an element before it can be pressed,
 * a click beside a tiny card selects that card, and a box selects painted cards too. `select` gets the IDs of cards
 * selected by a click or a box, and is never called with an empty list.
 */
function useOverviewGestures(scene: OverviewScene, select: (ids: readonly string[]) => void): OverviewGestures {
  const { screenToFlowPosition, getZoom } = useReactFlow();
  const [hovered, setHovered] = useState<string | null>(null);
  const isNeeded = isPainted(scene.cards.length);
  useBoxEnd((area) => {
    const ids = isNeeded ? cardsIn(scene, area).map(({ id }) => id) : [];
    if (ids.length > 0) select(ids);
  });
  return {
    hovered: isNeeded ? hovered : null,
    onPointerMove({ clientX, clientY, buttons }) {
      if (!isNeeded || buttons !== 0) return;
      setHovered(cardAt(scene, screenToFlowPosition({ x: clientX, y: clientY }), 0)?.id ?? null);
    },
    onPaneClick({ clientX, clientY }) {
      if (!isNeeded) return;
      const card = cardAt(scene, screenToFlowPosition({ x: clientX, y: clientY }), clickReach / getZoom());
      // Deferred until React Flow has cleared the selection, which it does on every click on the empty canvas.
      if (card !== null) queueMicrotask(() => select([card.id]));
    },
  };
}
