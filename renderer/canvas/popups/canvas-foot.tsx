/**
 * The area below the canvas, where it covers no card: the toolbar, and links to nodes that are out of view.
 */
import { useStore } from '@xyflow/react';
import { Crosshair, Maximize } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { type Camera, useIsStartOnly } from '../state/camera.ts';
import { boxOf } from '../state/canvas-editor.ts';
import { shiftToShow } from '../state/still-view.ts';
import { text } from '../text.ts';
import './canvas-foot.css';

interface CanvasFootProps {
  readonly bar: ReactNode;
  readonly view: Parameters<typeof useIsStartOnly>[0];
  readonly sheet: Parameters<typeof useIsStartOnly>[1];
  readonly camera: Camera;
  /** The selected node that the window shows, or null. */
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

/**
 * A link to the selected node while less than half of it is in view, such as a node that was just added after the last
 * one.
 */
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
      <span className="canvas-foot-text">{text.foot.showSelected}</span>
    </Button>
  );
}

/** The number of nodes and triggers, and a button to show them all, while only the start of a flow is in view. */
function ShowAll({ view, sheet, camera }: Omit<CanvasFootProps, 'bar' | 'selected'>) {
  if (!useIsStartOnly(view, sheet)) return null;
  const { projection, doc } = sheet;
  const count = projection.nodes.length + (doc.flow.triggers?.length ?? 0);
  return (
    <Tooltip text={text.foot.showAllHint} hint="1">
      <Button size="small" onClick={() => camera.fit()}>
        <Maximize aria-hidden size={12} />
        <span className="canvas-foot-text">{text.foot.showAll({ count })}</span>
      </Button>
    </Tooltip>
  );
}
