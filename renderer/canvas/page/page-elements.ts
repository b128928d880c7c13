/**
 * The cards and edges that React Flow gets to draw: all of a small flow; of a large one those on the page.
 */
import { useMemo } from 'react';
import type { CardNode } from '../../card/node-card.tsx';
import type { RoutedEdge } from '../edges/flow-edge.tsx';
import { makeScene, type Scene } from '../overview/overview-scene.ts';
import type { CanvasElements } from '../state/canvas-elements.ts';
import type { CanvasSelection } from '../state/canvas-selection.ts';
import { type OverviewGestures, useOverviewGestures } from './overview-gestures.ts';
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
