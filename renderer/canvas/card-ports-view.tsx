import { Handle, Position } from '@xyflow/react';
import { createContext, use } from 'react';
import type { FlowDirection } from './card-ports.ts';

/** Where the flow on the canvas runs to. */
export const CanvasDirection = createContext<FlowDirection>('right');

/** The bumps in a card's outline where edges arrive and leave; nothing leads to the first card. */
export function CardPorts({ isStart }: { readonly isStart: boolean }) {
  const isDown = use(CanvasDirection) === 'down';
  return (
    <>
      {isStart ? null : <Handle type="target" position={isDown ? Position.Top : Position.Left} isConnectable={false} />}
      <Handle type="source" position={isDown ? Position.Bottom : Position.Right} isConnectable={false} />
    </>
  );
}
