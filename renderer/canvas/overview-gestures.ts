/**
 * Lets painted cards be used like those of the page: the one under the pointer becomes an element before anybody can
 * press it, a click beside a tiny card means that card, and a box selects painted cards too.
 */
import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect, useEffectEvent, useState } from 'react';
import { type Area, cardAt, cardsIn, type Scene } from './overview-scene.ts';
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
  const store = useStoreApi();
  const { screenToFlowPosition, getZoom } = useReactFlow();
  const [hovered, setHovered] = useState<string | null>(null);
  const isNeeded = isPainted(scene.cards.length);
  const chooseIn = useEffectEvent((area: Area) => {
    const ids = cardsIn(scene, area).map(({ id }) => id);
    if (ids.length > 0) select(ids);
  });
  useEffect(() => {
    if (!isNeeded) return undefined;
    return store.subscribe(({ userSelectionRect, transform }, before) => {
      const box = before.userSelectionRect;
      if (userSelectionRect !== null || box === null || !before.userSelectionActive) return;
      const [x, y, zoom] = transform;
      const [left, top] = [(box.x - x) / zoom, (box.y - y) / zoom];
      chooseIn({ left, top, right: left + box.width / zoom, bottom: top + box.height / zoom });
    });
  }, [store, isNeeded]);
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
