/**
 * Below the canvas, so that no card ever lies behind it: the bar with tools, and beside it what of the flow is out of view.
 */
import { useStore } from '@xyflow/react';
import { Crosshair, Maximize } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { type Camera, useIsStartOnly } from '../state/camera.ts';
import { boxOf } from '../state/canvas-editor.ts';
import { shiftToShow } from '../state/still-view.ts';
import './canvas-foot.css';

interface CanvasFootProps {
  readonly bar: ReactNode;
  readonly view: Parameters<typeof useIsStartOnly>[0];
  readonly sheet: Parameters<typeof useIsStartOnly>[1];
  readonly camera: Camera;
  /** The selected node that the window shows; null = none. */
  readonly selected: string | null;
}

export function CanvasFoot({ bar, camera, selected, ...shown }: CanvasFootProps) {
  return (
    <div className="canvas-foot nopan">
      <span className="canvas-foot-side">
        <ShowSelected selected={selected} sheet={shown.sheet} camera={camera} />
      </span>
      {bar}
      <span className="canvas-foot-side">
        <ShowAll {...shown} camera={camera} />
      </span>
    </div>
  );
}

/** While less than half of the selected node is in view, as of one that was just added behind the last: the way to it. */
function ShowSelected({ selected, sheet, camera }: Pick<CanvasFootProps, 'selected' | 'sheet' | 'camera'>) {
  const box = selected === null ? undefined : boxOf(sheet, selected);
  const isOut = useStore(({ transform: [x, y, zoom], width, height }) => {
    if (box === undefined || width === 0) return false;
    return shiftToShow(box, { x, y, zoom }, { size: { width, height }, enough: 0.5 }) !== null;
  });
  if (box === undefined || !isOut) return null;
  return (
    <Button size="small" onClick={() => camera.reveal(box)}>
      <Crosshair aria-hidden size={12} />
      Show selected node
    </Button>
  );
}

/** While only the start of a flow is in view: how many nodes there are, and the way to see them. */
function ShowAll({ view, sheet, camera }: Omit<CanvasFootProps, 'bar' | 'selected'>) {
  if (!useIsStartOnly(view, sheet)) return null;
  return (
    <Tooltip text="This is the start of the flow. Show all of it" hint="1">
      <Button size="small" onClick={() => camera.fit()}>
        <Maximize aria-hidden size={12} />
        Show all {sheet.projection.nodes.length}
      </Button>
    </Tooltip>
  );
}
