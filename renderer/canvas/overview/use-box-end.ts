import { useStoreApi } from '@xyflow/react';
import { useEffect, useEffectEvent } from 'react';
import type { Area } from '../geometry/rect.ts';

/** Tells the area of a box that was drawn to select, in the flow, when it is let go; and whether it adds to a selection. */
export function useBoxEnd(tell: (area: Area, isMore: boolean) => void): void {
  const store = useStoreApi();
  const end = useEffectEvent(tell);
  useEffect(
    () =>
      store.subscribe(({ userSelectionRect, transform, multiSelectionActive }, before) => {
        const box = before.userSelectionRect;
        if (userSelectionRect !== null || box === null || !before.userSelectionActive) return;
        const [x, y, zoom] = transform;
        const [left, top] = [(box.x - x) / zoom, (box.y - y) / zoom];
        end({ left, top, right: left + box.width / zoom, bottom: top + box.height / zoom }, multiSelectionActive);
      }),
    [store],
  );
}
