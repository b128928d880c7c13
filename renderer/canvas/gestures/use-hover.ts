/**
 * Tracks the card and the edge under the pointer. They stay hovered for a moment so that the pointer can reach their
 * tools.
 */
import { useEffect, useMemo, useRef } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { partOf } from '../state/canvas-elements.ts';
import { type Interaction, useInteractionStore } from '../state/interaction.ts';

type Hovered = Partial<Pick<Interaction, 'hoveredEdge' | 'hoveredCard'>>;

const leaveDelay = 200;
const timers = new WeakMap<StoreApi<Interaction>, ReturnType<typeof setTimeout>>();

function enter(interaction: StoreApi<Interaction>, hovered: Hovered): void {
  clearTimeout(timers.get(interaction));
  interaction.setState({ hoveredEdge: null, hoveredCard: null, ...hovered });
}

function leave(interaction: StoreApi<Interaction>): void {
  clearTimeout(timers.get(interaction));
  const timer = setTimeout(() => interaction.setState({ hoveredEdge: null, hoveredCard: null }), leaveDelay);
  timers.set(interaction, timer);
}

interface HoverTarget {
  readonly id: string;
}

/** Returns the hover handlers for React Flow. */
export function useHover(interaction: StoreApi<Interaction>) {
  useEffect(() => () => clearTimeout(timers.get(interaction)), [interaction]);
  return useMemo(
    () => ({
      onNodeMouseEnter: (_: unknown, { id }: HoverTarget) => {
        if (partOf(id).part === 'nodes') enter(interaction, { hoveredCard: id });
      },
      onNodeMouseLeave: () => leave(interaction),
      onEdgeMouseEnter: (_: unknown, { id }: HoverTarget) => enter(interaction, { hoveredEdge: id }),
      onEdgeMouseLeave: () => leave(interaction),
    }),
    [interaction],
  );
}

/**
 * Returns handlers for the tools of a card or an edge. While the pointer is over them, the card or edge counts as
 * hovered.
 */
export function useStayHovered(hovered: Hovered): { onPointerEnter: () => void; onPointerLeave: () => void } {
  const interaction = useInteractionStore();
  const wanted = useRef(hovered);
  wanted.current = hovered;
  return useMemo(
    () => ({ onPointerEnter: () => enter(interaction, wanted.current), onPointerLeave: () => leave(interaction) }),
    [interaction],
  );
}
