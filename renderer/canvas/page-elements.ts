/**
 * The cards and edges that React Flow gets to draw: all of a small flow; of a large one those on the page.
 */
import { useMemo } from 'react';
import type { CanvasElements } from './canvas-elements.ts';
import type { CanvasSelection } from './canvas-selection.ts';
import type { RoutedEdge } from './flow-edge.tsx';
import type { CardNode } from './node-card.tsx';
import { type OverviewGestures, useOverviewGestures } from './overview-gestures.ts';
import { makeScene, type Scene } from './overview-scene.ts';
import { usePageCards } from './page-cards.ts';

export interface PageElements {
  readonly scene: Scene;
  readonly nodes: CardNode[];
  readonly edges: RoutedEdge[];
  readonly gestures: OverviewGestures;
}

/** An edge is on the page when both of its cards are. The rest is for the overview to paint. */
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
