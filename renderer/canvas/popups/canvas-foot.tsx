/**
 * Below the canvas, so that no card ever lies behind it: the bar with tools, and beside it what of the flow is out of view.
 */
import { Maximize } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { type Camera, useIsStartOnly } from '../state/camera.ts';
import './canvas-foot.css';

interface CanvasFootProps {
  readonly bar: ReactNode;
  readonly view: Parameters<typeof useIsStartOnly>[0];
  readonly sheet: Parameters<typeof useIsStartOnly>[1];
  readonly camera: Camera;
}

export function CanvasFoot({ bar, camera, ...shown }: CanvasFootProps) {
  return (
    <div className="canvas-foot nopan">
      <span className="canvas-foot-side" />
      {bar}
      <span className="canvas-foot-side">
        <ShowAll {...shown} camera={camera} />
      </span>
    </div>
  );
}

/** While only the start of a flow is in view: how many nodes there are, and the way to see them. */
function ShowAll({ view, sheet, camera }: Omit<CanvasFootProps, 'bar'>) {
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
