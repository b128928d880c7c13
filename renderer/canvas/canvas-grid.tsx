import { useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import './canvas-grid.css';

/** Pixels between dots at 100 %. */
const gridStep = 16;
/** Below this zoom every other dot is left out. */
const coarseBelow = 0.7;

/**
 * The dots behind the cards. They are painted once for each zoom and then only moved, by less than a step: a pattern
 * that is painted anew for every frame of a pan cost as much as all cards together.
 */
export function CanvasGrid() {
  const store = useStoreApi();
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const follow = ({ transform: [x, y, zoom] }: { transform: readonly [number, number, number] }): void => {
      const element = grid.current;
      if (element === null) return;
      const step = gridStep * zoom * (zoom < coarseBelow ? 2 : 1);
      const size = `${step}px ${step}px`;
      if (element.style.backgroundSize !== size) {
        element.style.backgroundSize = size;
        element.style.inset = `${-step}px`;
      }
      element.style.transform = `translate(${Math.round(x % step)}px, ${Math.round(y % step)}px)`;
    };
    follow(store.getState());
    return store.subscribe(follow);
  }, [store]);
  return <div className="canvas-grid" ref={grid} />;
}
