/**
 * Groups: frames behind their cards, with a title that serves as a drag handle.
 */
import { ViewportPortal } from '@xyflow/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type MouseEvent, memo, type PointerEvent } from 'react';
import type { GroupDoc } from '../../../engine/isomorphic.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import type { Area, Rect } from '../geometry/rect.ts';
import { beginDrag, cancelDrag, continueDrag, endDrag } from '../gestures/drag-session.ts';
import { followPointer } from '../gestures/follow-pointer.ts';
import { ColorPicker } from '../notes/color-picker.tsx';
import { useBoxEnd } from '../overview/overview-scene.ts';
import { type FlowWithLayout, foldedSize, groupFrame } from '../projection/frames.ts';

import { type CanvasEditor, mayEdit, useEditor } from '../state/canvas-editor.ts';
import { groupKey } from '../state/canvas-elements.ts';
import { useInteraction, useInteractionStore } from '../state/interaction.ts';
import { text } from '../text.ts';
import './group-layer.css';

interface GroupLayerProps extends FlowWithLayout {
  readonly groups: Readonly<Record<string, GroupDoc>>;
  readonly selected: ReadonlySet<string>;
}

/** Rendered again while cards are dragged, which is cheap because there are few groups. */
export const GroupLayer = memo(function GroupLayer({ groups, selected, ...placed }: GroupLayerProps) {
  const dragged = useInteraction((interaction) => interaction.dragged);
  const collapsed = useInteraction((interaction) => interaction.collapsed);
  const entries = Object.entries(groups);
  const editor = useEditor();
  // React Flow also selects the visible cards at the end of the box, and replaces the selection with them.
  useBoxEnd((area, isMore) => queueMicrotask(() => chooseFrames(editor.current, area, isMore)));
  if (entries.length === 0) return null;
  return (
    <ViewportPortal>
      {entries.map(([id, group]) => {
        const frame = groupFrame(placed, group, dragged);
        if (frame === null) return null;
        const isFolded = collapsed.has(id);
        return (
          <GroupFrame key={id} id={id} group={group} isFolded={isFolded} frame={frame} isSelected={selected.has(id)} />
        );
      })}
    </ViewportPortal>
  );
});

/** Selects the frames that are entirely in a box, in addition to the cards in it. */
function chooseFrames(editor: CanvasEditor, area: Area, isMore: boolean): void {
  const { doc, interaction, path, stores } = editor;
  const { collapsed } = interaction.getState();
  const { choose, views } = stores.selection.getState();
  const { chosen } = views.get(path) ?? initialFlowView;
  const inside = Object.entries(doc.layout?.groups ?? {}).flatMap(([id, group]) => {
    const frame = groupFrame(editor, group, null);
    return frame !== null && holds(area, collapsed.has(id) ? { ...frame, ...foldedSize } : frame) ? [id] : [];
  });
  const groups = new Set(isMore ? [...chosen.groups, ...inside] : inside);
  if (groups.size + chosen.groups.size > 0) choose(path, { ...chosen, groups });
}

function holds({ left, top, right, bottom }: Area, { x, y, width, height }: Rect): boolean {
  return x >= left && y >= top && x + width <= right && y + height <= bottom;
}

interface GroupFrameProps {
  readonly id: string;
  readonly group: GroupDoc;
  readonly frame: Rect;
  readonly isFolded: boolean;
  readonly isSelected: boolean;
}

function GroupFrame({ id, group, frame, isFolded, isSelected }: GroupFrameProps) {
  const editor = useEditor();
  const interaction = useInteractionStore();
  const { title, nodes, color = 'grey' } = group;
  const isRenamed = useInteraction(({ renaming }) => renaming?.what === 'group' && renaming.id === id);
  const size = isFolded ? foldedSize : { width: frame.width, height: frame.height };
  const choose = (isMore: boolean): void => {
    const { selection } = editor.current.stores;
    const { chosen } = selection.getState().views.get(editor.current.path) ?? initialFlowView;
    const groups = isMore ? new Set([...chosen.groups, id]) : new Set([id]);
    selection.getState().choose(editor.current.path, isMore ? { ...chosen, groups } : { groups });
  };
  const drag = (event: PointerEvent): void => {
    if (event.button !== 0 || isRenamed) return;
    const isMore = event.shiftKey || event.ctrlKey || event.metaKey;
    if (!isSelected) choose(isMore);
    let session: ReturnType<typeof beginDrag> = null;
    followPointer(event, {
      move({ x, y }, moved) {
        if (session === null && Math.hypot(x, y) < 4) return;
        if (session === null && mayEdit(editor.current)) session = beginDrag(editor.current, groupKey(id));
        const zoom = editor.current.zoom();
        const by = { x: x / zoom, y: y / zoom };
        if (session !== null) continueDrag(editor.current, session, { by, isFree: moved.ctrlKey || moved.metaKey });
      },
      end(_, isDone, up) {
        if (session === null) return;
        if (isDone) void endDrag(editor.current, session, up?.altKey === true);
        else cancelDrag(editor.current);
      },
    });
  };
  const fold = (event: MouseEvent): void => {
    event.stopPropagation();
    const collapsed = new Set(interaction.getState().collapsed);
    if (!collapsed.delete(id)) collapsed.add(id);
    interaction.setState({ collapsed });
  };
  return (
    <section
      className="group-frame"
      aria-label={text.groups.label({ title })}
      data-node-group={id}
      data-color={color}
      data-folded={isFolded}
      data-selected={isSelected}
      style={{ left: frame.x, top: frame.y, ...size }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: commands do the same for the selected group */}
      <header
        className="group-title nopan"
        onPointerDown={drag}
        onDoubleClick={() => mayEdit(editor.current) && interaction.setState({ renaming: { what: 'group', id } })}
      >
        <button
          type="button"
          className="group-fold"
          aria-label={isFolded ? text.groups.expand({ title }) : text.groups.collapse({ title })}
          aria-expanded={!isFolded}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={fold}
        >
          {isFolded ? <ChevronRight aria-hidden size={14} /> : <ChevronDown aria-hidden size={14} />}
        </button>
        <span className="group-name">{title}</span>
        {isFolded ? <span className="group-count">{text.parts.nodes({ count: nodes.length })}</span> : null}
      </header>
      {isSelected && !isRenamed ? <ColorPicker color={color} /> : null}
    </section>
  );
}
