import { ViewportPortal } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { memo, use, useMemo } from 'react';
import type { GroupDoc } from '../../../engine/isomorphic.ts';
import type { CardContent } from '../../card/card-content.ts';
import { FlowPath } from '../../card/card-context.ts';
import { useLoopShown } from '../../card/loop-card.tsx';
import { openQuickAdd } from '../edit/open-quick-add.ts';
import type { FlowProjection } from '../projection/flow-projection.ts';
import { type FlowWithLayout, withBodies } from '../projection/frames.ts';

import { useEditor } from '../state/canvas-editor.ts';
import { useInteraction } from '../state/interaction.ts';
import { text } from '../text.ts';
import './frame-layer.css';

interface FrameLayerProps extends FlowWithLayout {
  /** Ids of the selected cards. */
  readonly selected: ReadonlySet<string>;
  readonly groups: Readonly<Record<string, GroupDoc>>;
}

/** Returns the cards hidden by folded groups. */
function useHidden({ nodes }: FlowProjection, groups: FrameLayerProps['groups']): ReadonlySet<string> {
  const collapsed = useInteraction((interaction) => interaction.collapsed);
  return useMemo(
    () =>
      withBodies(
        nodes,
        [...collapsed].flatMap((id) => groups[id]?.nodes ?? []),
      ),
    [nodes, groups, collapsed],
  );
}

/** Draws the container of each loop behind cards and edges. Containers follow dragged cards. */
export const FrameLayer = memo(function FrameLayer({ projection, layout, selected, groups }: FrameLayerProps) {
  const dragged = useInteraction((interaction) => interaction.frames);
  const dropTo = useInteraction((interaction) => interaction.dropBody?.to ?? null);
  const contents = useMemo(() => new Map(projection.nodes.map(({ id, content }) => [id, content])), [projection]);
  const hidden = useHidden(projection, groups);
  const frames = (dragged ?? [...layout.frames.values()]).filter(({ loopId }) => !hidden.has(loopId));
  if (frames.length === 0) return null;
  return (
    <ViewportPortal>
      {frames.map((frame) => {
        const { loopId } = frame;
        const content = contents.get(loopId);
        if (content === undefined) return null;
        const { left, top, right, bottom } = frame;
        const place = { left, top, width: right - left, height: bottom - top };
        return (
          <Container
            key={loopId}
            content={content}
            place={place}
            isSelected={selected.has(loopId)}
            isDrop={loopId === dropTo}
          />
        );
      })}
    </ViewportPortal>
  );
});

interface ContainerProps {
  readonly content: CardContent;
  readonly place: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly isSelected: boolean;
  readonly isDrop: boolean;
}

function Container({ content, place, isSelected, isDrop }: ContainerProps) {
  const { shown, share } = useLoopShown(use(FlowPath), content);
  return (
    <div
      className="loop-frame"
      data-frame={content.nodeId}
      data-state={shown.state}
      data-selected={isSelected}
      data-drop={isDrop}
      style={place}
    >
      {share === null ? (
        <span className="loop-frame-rule" />
      ) : (
        <span className="loop-frame-progress">
          <span className="loop-frame-done" style={{ width: `${share.done * 100}%` }} />
          <span className="loop-frame-work" style={{ width: `${share.atWork * 100}%` }} />
        </span>
      )}
      {content.bodySize === 0 ? <EmptyBody loopId={content.nodeId} /> : null}
    </div>
  );
}

function EmptyBody({ loopId }: { readonly loopId: string }) {
  const editor = useEditor();
  return (
    <button
      type="button"
      className="loop-frame-empty nopan nodrag"
      aria-label={text.add.inside({ node: loopId })}
      onClick={({ clientX, clientY }) =>
        openQuickAdd(editor.current, {
          to: { do: 'inside', nodeId: loopId },
          pointer: { x: clientX, y: clientY },
          isPlace: false,
        })
      }
    >
      <Plus aria-hidden size={14} />
      {text.add.dropHere}
    </button>
  );
}
