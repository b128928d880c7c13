import type { PointerEvent, ReactNode } from 'react';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useInteractionStore } from '../state/interaction.ts';
import './tool-button.css';

/** The place of a tool in the flow, as large as `scale` makes it. */
export function toolPlace({ x, y }: { readonly x: number; readonly y: number }, scale: number): { transform: string } {
  return { transform: `translate(${x}px, ${y}px) scale(${scale}) translate(-50%, -50%)` };
}

interface ToolButtonProps {
  readonly label: string;
  readonly onPress: (event: PointerEvent) => void;
  readonly children: ReactNode;
}

/** A button on the canvas. Not in the order of the Tab key: each has its command. */
export function ToolButton({ label, onPress, children }: ToolButtonProps) {
  const interaction = useInteractionStore();
  return (
    <Tooltip text={label}>
      <button
        type="button"
        className="canvas-tool nopan nodrag"
        tabIndex={-1}
        aria-label={label}
        onClick={(event) => {
          interaction.setState({ hoveredEdge: null, hoveredCard: null });
          onPress(event as unknown as PointerEvent);
        }}
      >
        {children}
      </button>
    </Tooltip>
  );
}
