/**
 * Lets painted cards be used like those of the page: the one under the pointer becomes an element before anybody can
 * press it, a click beside a tiny card means that card, and a box selects painted cards too.
 */
import { useReactFlow } from '@xyflow/react';
import { useState } from 'react';
import { cardAt, cardsIn, type Scene } from '../overview/overview-scene.ts';
import { useBoxEnd } from '../overview/use-box-end.ts';
import { isPainted } from './page-cards.ts';

/** Pixels of the screen by which a click may miss a card. */
const clickReach = 8;

export interface OverviewGestures {
  /** The card under the pointer; null = none. */
  readonly hovered: string | null;
  readonly onPointerMove: (event: Pick<MouseEvent, 'clientX' | 'clientY' | 'buttons'>) => void;
  /** Selects the card at a click on the bare canvas, if there is one. */
  readonly onPaneClick: (event: Pick<MouseEvent, 'clientX' | 'clientY'>) => void;
}

/** `select` gets the ids of cards that a click or a box chose, never none. */
export function useOverviewGestures(scene: Scene, select: (ids: readonly string[]) => void): OverviewGestures {
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
      // After React Flow has deselected what was selected, as it does with every click on the bare canvas.
      if (card !== null) queueMicrotask(() => select([card.id]));
    },
  };
}
