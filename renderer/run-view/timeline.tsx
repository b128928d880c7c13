/**
 * The timeline of a run. Bars are work, red bars are failed attempts, and ticks are pauses before the next attempt.
 */
import { memo, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Breakpoint } from '../../engine/isomorphic.ts';
import { BreakpointDot } from '../card/breakpoint-dot.tsx';
import { useSteadyRun } from '../inspector/run/use-steady-run.ts';
import { loopsAround } from '../stores/flow/loop-bodies.ts';
import { breakpointText } from '../stores/runs/breakpoints.ts';
import { isUnfinished, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { isBusy, isFailureTolerated } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useShownRunPart } from '../stores/use-flow.ts';
import { countText, durationText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { StateIcon, visualStateLabels } from '../ui/state-icon.tsx';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { text } from './text.ts';
import { Axis, percent } from './time/axis.tsx';
import { useTimeKeys } from './time/moments.tsx';
import { text as timeText } from './time/text.ts';
import { axisTicks, rowsThen, type TimelineNode, timelineOf } from './timeline-model.ts';
import type { TimelineBar, TimelineRow } from './timeline-rows.ts';
import { TimelineTips } from './timeline-tips.tsx';
import './timeline.css';

/** Row height in pixels; `--row` in compact density. */
const rowHeight = 22;

function Bar({ bar, index, spanMs }: { bar: TimelineBar; index: number; spanMs: number }) {
  const style = { left: percent(bar.fromMs, spanMs), width: percent(bar.toMs - bar.fromMs, spanMs) };
  return <span className="timeline-bar" data-kind={bar.kind} data-bar={index} style={style} />;
}

/** A note with less space than this fraction of the axis would show no word. */
const leastNoteShare = 0.1;
/** The margin beyond the end of the axis, about this fraction of it, is also free for notes. */
const marginShare = 0.06;

/** Places the note after the bars, or before them if there is more room on the left. Null if there is too little. */
function placeNote(bars: readonly TimelineBar[], spanMs: number) {
  const from = bars[0]?.fromMs ?? 0;
  const to = bars.at(-1)?.toMs ?? 0;
  const [before, behind] = [from / spanMs, 1 - to / spanMs + marginShare];
  if (Math.max(before, behind) < leastNoteShare) return null;
  if (before > behind) return { side: 'before', style: { right: percent(spanMs - from, spanMs) } } as const;
  return { side: 'behind', style: { left: percent(to, spanMs) } } as const;
}

interface TimelineRowProps {
  readonly breakpoint: Breakpoint | undefined;
  readonly row: TimelineRow;
  readonly spanMs: number;
  readonly isSelected: boolean;
  readonly isTabStop: boolean;
  readonly onSelect: (row: TimelineRow) => void;
}

function Row({ row, breakpoint, spanMs, isSelected, isTabStop, onSelect }: TimelineRowProps) {
  const { nodeId, call, name, depth, state, durationMs, summedCount, tokens, bars, note } = row;
  const notePlace = placeNote(bars, spanMs);
  const time = durationMs === null ? '–' : durationText(durationMs);
  const sum = summedCount === undefined ? undefined : timeText.sumOf({ count: summedCount, time });
  return (
    <button
      type="button"
      className="timeline-grid timeline-row"
      data-state={state}
      data-kind={call === undefined ? 'node' : 'call'}
      aria-current={isSelected}
      aria-label={rowLabel(row, sum ?? time, breakpoint)}
      onClick={() => onSelect(row)}
      {...rovingItem(isTabStop)}
    >
      <span className="timeline-name" style={{ '--timeline-depth': depth }}>
        {breakpoint === undefined ? null : <BreakpointDot breakpoint={breakpoint} />}
        <span className="timeline-icon">
          <StateIcon state={state} isDecorative />
        </span>
        <span className="timeline-node" title={name === nodeId || call !== undefined ? name : `${name} (${nodeId})`}>
          {name}
        </span>
      </span>
      <span className="timeline-number" title={sum}>
        {sum === undefined ? time : timeText.sum({ time })}
      </span>
      <span className="timeline-number timeline-optional">{tokens === null ? '–' : countText(tokens)}</span>
      <span className="timeline-track">
        {bars.map((bar, index) => (
          <Bar key={`${bar.kind} ${bar.fromMs}`} bar={bar} index={index} spanMs={spanMs} />
        ))}
        {note === '' || notePlace === null ? null : (
          <span className="timeline-note" data-side={notePlace.side} style={notePlace.style}>
            {note}
          </span>
        )}
      </span>
    </button>
  );
}

function rowLabel({ name, state, note }: TimelineRow, time: string, breakpoint: Breakpoint | undefined): string {
  const mark = breakpoint === undefined ? '' : breakpointText(breakpoint);
  return [name, visualStateLabels[state], time, note, mark].filter((part) => part !== '' && part !== '–').join(', ');
}

function timelineNodes({ doc, order, nesting }: SettledFlow): readonly TimelineNode[] {
  if (doc === null) return [];
  const byId = new Map(doc.nodes.map((node) => [node.id, node]));
  return order.flatMap((id) => {
    const node = byId.get(id);
    if (node === undefined) return [];
    const loopId = nesting.ownerOf.get(id) ?? null;
    const isTolerated = isFailureTolerated(doc, node, loopId === null ? undefined : byId.get(loopId));
    return { id, name: node.name ?? id, isTolerated, depth: loopsAround(nesting, id).length, loopId };
  });
}

/** One row per node over the duration of the run. Selecting a row selects the node. */
export const Timeline = memo(function Timeline({ flow }: { flow: SettledFlow }) {
  const { run, now } = useSteadyRun(flow.path);
  const then = useShownRunPart(flow.path, (shown) => (shown.moment === null ? undefined : shown));
  return run === undefined ? null : <TimelineOfRun flow={flow} run={run} now={now} then={then} />;
});

interface TimelineOfRunProps {
  readonly flow: SettledFlow;
  /** The run as it is now. */
  readonly run: LiveRun;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The run as it is on screen, if that is not now. */
  readonly then: LiveRun | undefined;
}

function TimelineOfRun({ flow, run, now, then }: TimelineOfRunProps) {
  const stores = useStores();
  const { selection, panes } = stores;
  const openCall = useStore(panes, (state) => state.openCall);
  const selected = useStore(selection, ({ views }) => views.get(flow.path)?.nodeId ?? null);
  const breakpoints = useStore(stores.breakpoints, ({ flows }) => flows.get(flow.path));
  const nodes = useMemo(() => timelineNodes(flow), [flow]);
  const { rows: rowsNow, elapsedMs } = timelineOf(run, nodes, now);
  const rows = then === undefined ? rowsNow : rowsThen(rowsNow, then, nodes);
  const shownCall = rows.find(({ nodeId, call }) => nodeId === selected && call?.seq === openCall)?.call?.seq;
  const ticks = axisTicks(elapsedMs);
  const spanMs = Math.max(1, ticks.at(-1) ?? 1);
  const isLive = isUnfinished(run.state);
  const start = run.state.startedAt ?? run.track.timeOf(0);
  const shownMs = then?.moment == null ? elapsedMs : Math.max(0, then.moment.at - start);
  const keys = useTimeKeys(then ?? run, true);
  const select = ({ nodeId, call }: TimelineRow): void => {
    if (call === undefined) {
      selection.getState().selectNode(flow.path, nodeId);
      panes.getState().showCall(null);
      return;
    }
    selection.getState().selectPlace(flow.path, call.place);
    panes.getState().showCall(call.seq);
  };
  const guides = {
    '--timeline-step': percent(ticks[1] ?? spanMs, spanMs),
    '--timeline-now': isLive || then !== undefined ? percent(elapsedMs, spanMs) : undefined,
    '--timeline-shown': then === undefined ? undefined : percent(shownMs, spanMs),
  };
  return (
    <TimelineTips run={run} rows={rows} now={now}>
      <div
        className="timeline"
        data-density="compact"
        data-live={isLive}
        data-past={then !== undefined || undefined}
        data-busy={isBusy(then ?? run) || undefined}
        style={guides}
        {...keys}
      >
        <VirtualRows
          label={text.timeline.label}
          count={rows.length}
          rowHeight={rowHeight}
          header={<Axis run={run} then={then} ticks={ticks} spanMs={spanMs} elapsedMs={elapsedMs} shownMs={shownMs} />}
          renderRow={(index, isTabStop) => {
            const row = rows[index];
            if (row === undefined) return null;
            const isSelected = row.nodeId === selected && row.call?.seq === shownCall;
            const breakpoint =
              row.call === undefined ? breakpoints?.find(({ node }) => node === row.nodeId) : undefined;
            return <Row key={row.nodeId} {...{ row, breakpoint, spanMs, isSelected, isTabStop }} onSelect={select} />;
          }}
        />
      </div>
    </TimelineTips>
  );
}
