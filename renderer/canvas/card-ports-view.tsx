import { Handle, Position } from '@xyflow/react';
import { createContext, use } from 'react';
import type { FlowDirection } from './card-ports.ts';

/** Where the flow on the canvas runs to. */
export const CanvasDirection = createContext<FlowDirection>('right');

/**
 * The bumps in a card's outline where edges arrive and leave; that of a first card, to which nothing leads, shows only
 * while there is a wire to lead there. Wires begin at them by `use-wire.ts`, not by React Flow.
 */
export function CardPorts({ isStart }: { readonly isStart: boolean }) {
  const isDown = use(CanvasDirection) === 'down';
  return (
    <>
      <Handle
        type="target"
        position={isDown ? Position.Top : Position.Left}
        isConnectable={false}
        data-idle={isStart}
      />
      <Handle type="source" position={isDown ? Position.Bottom : Position.Right} isConnectable={false} />
    </>
  );
}
