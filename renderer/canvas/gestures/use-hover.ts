/**
 * Which card and which edge the pointer is over; a moment longer, so that the way to their tools is not cut off.
 */
import { useEffect, useMemo, useRef } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { partOf } from '../state/canvas-ids.ts';
import { type Interaction, useInteractionStore } from '../state/interaction.ts';

type Hovered = Partial<Pick<Interaction, 'hoveredEdge' | 'hoveredCard'>>;

const leaveDelay = 200;
const timers = new WeakMap<StoreApi<Interaction>, ReturnType<typeof setTimeout>>();

function enter(moment: StoreApi<Interaction>, hovered: Hovered): void {
  clearTimeout(timers.get(moment));
  moment.setState({ hoveredEdge: null, hoveredCard: null, ...hovered });
}

function leave(moment: StoreApi<Interaction>): void {
  clearTimeout(timers.get(moment));
  const timer = setTimeout(() => moment.setState({ hoveredEdge: null, hoveredCard: null }), leaveDelay);
  timers.set(moment, timer);
}

interface Named {
  readonly id: string;
}

/** For React Flow. */
export function useHover(moment: StoreApi<Interaction>) {
  useEffect(() => () => clearTimeout(timers.get(moment)), [moment]);
  return useMemo(
    () => ({
      onNodeMouseEnter: (_: unknown, { id }: Named) => {
        if (partOf(id).part === 'nodes') enter(moment, { hoveredCard: id });
      },
      onNodeMouseLeave: () => leave(moment),
      onEdgeMouseEnter: (_: unknown, { id }: Named) => enter(moment, { hoveredEdge: id }),
      onEdgeMouseLeave: () => leave(moment),
    }),
    [moment],
  );
}

/** For the tools of a card or an edge: while the pointer is on them, it counts as being there. */
export function useStayHovered(hovered: Hovered): { onPointerEnter: () => void; onPointerLeave: () => void } {
  const moment = useInteractionStore();
  const wanted = useRef(hovered);
  wanted.current = hovered;
  return useMemo(
    () => ({ onPointerEnter: () => enter(moment, wanted.current), onPointerLeave: () => leave(moment) }),
    [moment],
  );
}
