/**
 * The log of a run: its events as lines, scrolled to the newest at the end.
 */
import { useStore } from 'zustand';
import { baseNodeId, type EventEnvelope } from '../../engine/isomorphic.ts';
import { itemText } from '../stores/flow/node-places.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useNodeNames } from '../stores/use-flow.ts';
import { elapsedText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { eventLine } from './event-line.ts';
import { text } from './text.ts';
import { rootIdOf, useTimeKeys } from './time/moments.tsx';
import './run-log-view.css';

const rowHeight = 20;

/** Returns a readable name for a path in a run: the node's name and, in a loop, the item. */
export function placeName(
  place: string,
  names: ReadonlyMap<string, string>,
  { loops }: LiveRun['state']['tallies'],
): string {
  const name = names.get(baseNodeId(place)) ?? baseNodeId(place);
  const item = itemText(place, loops);
  return item === '' ? name : `${name}, ${item}`;
}

export function RunLogView({ path, run }: { path: string; run: LiveRun }) {
  const { selection, agentViews, moments } = useStores();
  const selected = useStore(selection, ({ views }) => views.get(path)?.nodeId ?? null);
  const { later, omittedCount, events: upToNow } = run.log;
  const events = later.length === 0 ? upToNow : [...upToNow, ...later];
  const isPast = run.moment !== null;
  const keys = useTimeKeys(run, false);
  const show = ({ runId, rootRunId }: EventEnvelope, nodeId: string | null): void => {
    agentViews.getState().showCalled(path, rootRunId === undefined ? null : runId);
    if (rootRunId !== undefined || run.state.kind === 'agent') {
      if (nodeId !== null) agentViews.getState().selectInput(runId, nodeId);
    } else if (nodeId === null) selection.getState().selectNode(path, null);
    else selection.getState().selectPlace(path, nodeId);
  };
  const choose = (envelope: EventEnvelope, nodeId: string | null): void => {
    show(envelope, nodeId);
    if (isPast) void moments.show(rootIdOf(run), envelope.seq);
  };
  const momentOf = (index: number): 'shown' | 'later' | undefined => {
    if (!isPast || index < upToNow.length - 1) return undefined;
    return index < upToNow.length ? 'shown' : 'later';
  };
  const names = useNodeNames(path);
  const startedAt = run.state.startedAt ?? events[0]?.at ?? 0;
  return (
    <div className="run-log" {...keys}>
      <VirtualRows
        label={text.dock.events}
        count={events.length}
        rowHeight={rowHeight}
        followsEnd={!isPast}
        shownRow={isPast ? upToNow.length - 1 : undefined}
        header={
          omittedCount === 0 ? null : (
            <p className="run-log-omitted">{text.dock.omittedEvents({ count: omittedCount })}</p>
          )
        }
        renderRow={(index, isTabStop) => {
          const envelope = events[index];
          if (envelope === undefined) return null;
          const { nodeId, offsetMs, text: line, tone } = eventLine(envelope, startedAt);
          return (
            <button
              type="button"
              className="run-log-line"
              data-tone={tone}
              data-moment={momentOf(index)}
              aria-current={nodeId !== null && envelope.rootRunId === undefined && baseNodeId(nodeId) === selected}
              title={line}
              onClick={() => choose(envelope, nodeId)}
              {...rovingItem(isTabStop)}
            >
              <span className="run-log-time">{elapsedText(offsetMs)}</span>
              <span className="run-log-node" title={nodeId ?? undefined}>
                {nodeId === null ? '' : placeName(nodeId, names, run.state.tallies)}
              </span>
              <span className="run-log-text">{line}</span>
            </button>
          );
        }}
      />
    </div>
  );
}
