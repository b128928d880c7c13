import { useStore } from '@xyflow/react';
import { type LucideIcon, Map as MapIcon, Maximize, Minus, Plus } from 'lucide-react';
import type { CanvasCommand } from './canvas-keys.ts';
import './canvas-controls.css';

export interface CanvasControlsProps {
  readonly hasMinimap: boolean;
  readonly onCommand: (command: CanvasCommand) => void;
}

/** The floating bar at the foot of the canvas. */
export function CanvasControls({ hasMinimap, onCommand }: CanvasControlsProps) {
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100));
  return (
    <div className="canvas-controls" role="toolbar" aria-label="View">
      <ControlButton icon={Maximize} label="Fit the flow in view (1)" onClick={() => onCommand({ do: 'fit' })} />
      <ControlButton icon={Minus} label="Zoom out (-)" onClick={() => onCommand({ do: 'zoom-out' })} />
      <button
        type="button"
        className="canvas-controls-percent"
        title="Zoom to 100 % (0)"
        aria-label={`Zoom is ${percent} percent. Zoom to 100 percent`}
        onClick={() => onCommand({ do: 'zoom-100' })}
      >
        {percent} %
      </button>
      <ControlButton icon={Plus} label="Zoom in (+)" onClick={() => onCommand({ do: 'zoom-in' })} />
      <span className="canvas-controls-rule" />
      <ControlButton
        icon={MapIcon}
        label="Overview map (M)"
        isPressed={hasMinimap}
        onClick={() => onCommand({ do: 'toggle-minimap' })}
      />
    </div>
  );
}

interface ControlButtonProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onClick: () => void;
  readonly isPressed?: boolean;
}

function ControlButton({ icon: Glyph, label, onClick, isPressed }: ControlButtonProps) {
  return (
    <button
      type="button"
      className="canvas-controls-button"
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      onClick={onClick}
    >
      <Glyph aria-hidden size={16} strokeWidth={1.5} absoluteStrokeWidth />
    </button>
  );
}
