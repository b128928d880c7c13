/**
 * The cards of triggers, left of the flow, and the lines from them to the nodes that every run starts with. Loaded with the
 * first trigger, because most flows have none.
 */
import { ViewportPortal } from '@xyflow/react';
import { Plus } from 'lucide-react';
import { memo, useEffect, useEffectEvent, useMemo } from 'react';
import { useStore } from 'zustand';
import type { FlowDoc } from '../../../engine/isomorphic.ts';
import { text } from '../../card/trigger/text.ts';
import { triggerFooter } from '../../card/trigger/trigger-words.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { initialFlowView } from '../../stores/window/selection.ts';
import type { ListedFiring, ListedTrigger } from '../../stores/workspace/triggers.ts';
import { useNow } from '../../ui/use-now.ts';
import type { Area, Rect } from '../geometry/rect.ts';
import { useBoxEnd } from '../overview/overview-scene.ts';
import type { FlowWithLayout } from '../projection/frames.ts';
import { startBoxes, triggerBoxes } from '../projection/trigger-boxes.ts';
import { triggerWires } from '../projection/trigger-wires.ts';
import { type CanvasEditor, mayEdit, useEditor } from '../state/canvas-editor.ts';
import { useInteraction } from '../state/interaction.ts';
import { TriggerCard } from './trigger-card.tsx';
import { addTrigger } from './trigger-edits.ts';
import './trigger-layer.css';

interface TriggerLayerProps extends FlowWithLayout {
  /** The flow with all triggers that are drawn. */
  readonly doc: FlowDoc;
  /** The flow as it is on screen. A review also draws triggers that it does not have. */
  readonly own: FlowDoc;
  readonly path: string;
  readonly selected: ReadonlySet<string>;
  /** Whether the flow on screen is the file, and not the definition of an old run. */
  readonly isCurrent: boolean;
}

/** How often the times in the footers are updated. */
const tickMs = 30_000;

const noFirings: readonly ListedFiring[] = [];

export const TriggerLayer = memo(function TriggerLayer({
  doc,
  own,
  path,
  selected,
  isCurrent,
  ...placed
}: TriggerLayerProps) {
  const { projection, layout } = placed;
  const boxes = useMemo(() => triggerBoxes({ projection, layout }, doc), [projection, layout, doc]);
  const facts = useTriggerFacts(path);
  const last = [...boxes.values()].at(-1);
  const editor = useEditor();
  useBoxEnd((area, isMore) => queueMicrotask(() => chooseInBox(editor.current, area, isMore)));
  useShowTrigger(selected, boxes);
  const found = useInteraction((interaction) => interaction.foundTriggers);
  const ownIds = new Set((own.flow.triggers ?? []).map(({ id }) => id));
  const byId = new Map((doc.flow.triggers ?? []).map((trigger) => [trigger.id, trigger]));
  const offIds = new Set([...boxes.keys()].filter((id) => facts.entryOf(id)?.state !== 'on'));
  return (
    <ViewportPortal>
      <TriggerLines boxes={boxes} starts={startBoxes(placed)} offIds={offIds} />
      {[...boxes].map(([id, box]) => {
        const trigger = byId.get(id);
        if (trigger === undefined) return null;
        const entry = isCurrent ? facts.entryOf(id) : undefined;
        return (
          <TriggerCard
            key={id}
            path={path}
            doc={trigger}
            box={box}
            entry={entry}
            footer={triggerFooter({ doc: trigger, entry, ...facts.pastOf(id) })}
            isSelected={selected.has(id)}
            isFound={found.has(id)}
            isGhost={!ownIds.has(id) && entry?.file === undefined}
          />
        );
      })}
      {last === undefined || isStepFlow(doc) ? null : <AddTrigger place={last} />}
    </ViewportPortal>
  );
});

/** Selects the triggers that are partly in a box, in addition to the cards in it. */
function chooseInBox(editor: CanvasEditor, area: Area, isMore: boolean): void {
  const { stores, path, doc } = editor;
  const { choose, views } = stores.selection.getState();
  const { chosen } = views.get(path) ?? initialFlowView;
  const inside = [...triggerBoxes(editor, doc)].filter(([, box]) => touches(area, box)).map(([id]) => id);
  const triggers = new Set(isMore ? [...chosen.triggers, ...inside] : inside);
  if (triggers.size + chosen.triggers.size > 0) choose(path, { ...chosen, triggers });
}

function touches({ left, top, right, bottom }: Area, { x, y, width, height }: Rect): boolean {
  return left < x + width && right > x && top < y + height && bottom > y;
}

/** Shows the only selected trigger, and moves the focus to it from another card. */
function useShowTrigger(selected: ReadonlySet<string>, boxes: ReadonlyMap<string, Rect>): void {
  const editor = useEditor();
  const [id] = selected.size === 1 ? selected : [];
  const show = useEffectEvent((trigger: string) => {
    const box = boxes.get(trigger);
    if (box !== undefined) editor.current.camera.glimpse(box);
    const card = editor.current.frame?.querySelector<HTMLElement>(`[data-trigger="${CSS.escape(trigger)}"]`);
    if (document.activeElement?.matches('[data-card],[data-trigger]') === true) card?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (id !== undefined) show(id);
  }, [id]);
}

/** Returns what is known about the triggers of a flow, and keeps it up to date. */
function useTriggerFacts(path: string) {
  const { triggers, runHistory } = useStores();
  const entries = useStore(triggers, (state) => state.entries);
  const firings = useStore(triggers, (state) => state.firings.get(path)) ?? noFirings;
  const runs = useStore(runHistory, ({ lists }) => lists.get(path)?.runs);
  const now = useNow(true, tickMs);
  useEffect(() => triggers.getState().watch(path), [triggers, path]);
  useEffect(() => runHistory.getState().watch(path), [runHistory, path]);
  return {
    entryOf: (id: string): ListedTrigger | undefined =>
      entries.find(({ flow, trigger }) => flow === path && trigger === id),
    pastOf: (id: string) => ({
      firings: firings.filter(({ trigger }) => trigger === id),
      now,
      numberOf: (runId: string): number | undefined => runs?.find((run) => run.runId === runId)?.number,
    }),
  };
}

function AddTrigger({ place: { x, y, height } }: { readonly place: Rect }) {
  const editor = useEditor();
  return (
    <button
      type="button"
      className="trigger-add nopan nodrag"
      aria-label={text.addLabel}
      style={{ left: x, top: y + height + 8 }}
      onClick={() => mayEdit(editor.current) && void addTrigger(editor.current)}
    >
      <Plus aria-hidden size={13} />
      {text.add}
    </button>
  );
}

interface TriggerLinesProps {
  readonly boxes: ReadonlyMap<string, Rect>;
  readonly starts: readonly Rect[];
  readonly offIds: ReadonlySet<string>;
}

function TriggerLines({ boxes, starts, offIds }: TriggerLinesProps) {
  const { lines, heads } = triggerWires(boxes, starts);
  return (
    <svg className="trigger-wires" aria-hidden width="1" height="1">
      {lines.map(({ key, id, path }) => (
        <path key={key} className="trigger-wire" data-off={offIds.has(id)} d={path} />
      ))}
      {[...heads].map(([key, path]) => (
        <path key={key} className="trigger-wire-head" d={path} />
      ))}
    </svg>
  );
}
