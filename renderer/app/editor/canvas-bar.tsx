/**
 * The floating bar at the bottom of a canvas.
 */
import { useStore as useCanvasStore } from '@xyflow/react';
import {
  ArrowRightLeft,
  Map as MapIcon,
  Maximize,
  Minus,
  MousePointer2,
  Network,
  Plus,
  Redo2,
  StickyNote,
  Undo2,
  ZoomIn,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useCommand } from '../commands/command-context.tsx';
import type { CommandId } from '../commands/commands.ts';
import './canvas-bar.css';
import { text } from './text.ts';

/** Icon properties shared by the buttons of the bar. */
export const barIcon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5, absoluteStrokeWidth: true } as const;

export function CanvasBar() {
  // The files of a remote workspace are on other machines.
  const isRemote = useStore(useStores().workspace, ({ remote }) => remote !== null);
  return (
    <div className="canvas-bar" role="toolbar" aria-label={text.canvasBar.label}>
      <BarButton command="canvas.selectNone" icon={<MousePointer2 {...barIcon} />} />
      {isRemote ? null : <EditButtons />}
      <BarButton command="canvas.fit" icon={<Maximize {...barIcon} />} />
      <BarButton command="canvas.minimap" icon={<MapIcon {...barIcon} />} />
      <span className="canvas-bar-rule" />
      <FlowZoom />
    </div>
  );
}

function EditButtons() {
  return (
    <>
      <BarButton command="canvas.palette" icon={<Plus {...barIcon} />} />
      <BarButton command="edit.note" icon={<StickyNote {...barIcon} />} />
      <span className="canvas-bar-rule" />
      <BarButton command="edit.undo" icon={<Undo2 {...barIcon} />} />
      <BarButton command="edit.redo" icon={<Redo2 {...barIcon} />} />
      <span className="canvas-bar-rule" />
      <BarButton command="canvas.layout" icon={<Network {...barIcon} />} />
      <BarButton command="canvas.direction" icon={<ArrowRightLeft {...barIcon} />} />
    </>
  );
}

/** A separate component, so that zooming rerenders it without the rest of the bar. */
function FlowZoom() {
  return <ZoomButtons percent={useCanvasStore(({ transform }) => Math.round(transform[2] * 100))} />;
}

export function ZoomButtons({ percent }: { readonly percent: number }) {
  return (
    <>
      <BarButton command="canvas.zoomOut" icon={<Minus {...barIcon} />} />
      <ZoomPercent percent={percent} />
      <BarButton command="canvas.zoomIn" icon={<ZoomIn {...barIcon} />} />
    </>
  );
}

function ZoomPercent({ percent }: { readonly percent: number }) {
  const { run, keys, title } = useCommand('canvas.zoom100');
  return (
    <Tooltip text={title} hint={keys}>
      <button type="button" className="canvas-bar-percent" aria-label={text.canvasBar.zoom({ percent })} onClick={run}>
        {text.canvasBar.percent({ percent })}
      </button>
    </Tooltip>
  );
}

export function BarButton({ command, icon: glyph }: { readonly command: CommandId; readonly icon: ReactNode }) {
  const { title, keys, isAvailable, isOffered, run } = useCommand(command);
  if (!isOffered) return null;
  return (
    <Tooltip text={title} hint={keys}>
      <button type="button" className="canvas-bar-button" aria-label={title} disabled={!isAvailable} onClick={run}>
        {glyph}
      </button>
    </Tooltip>
  );
}
