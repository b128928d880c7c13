/**
 * The log of a run: its events as lines, scrolled to the newest at the end.
 */
import { type KeyboardEvent, useDeferredValue, useMemo } from 'react';
import { useStore } from 'zustand';
import { baseNodeId, type EventEnvelope } from '../../engine/isomorphic.ts';
import { itemText } from '../stores/flow/node-places.ts';
import type { LiveRun } from '../stores/runs/live/live-runs.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useNodeNames } from '../stores/use-flow.ts';
import { TextInput } from '../ui/field.tsx';
import { elapsedText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import { eventLine } from './event-line.ts';
import { text } from './text.ts';
import { rootIdOf, useTimeKeys } from './time/moments.tsx';
import './run-log-view.css';

const rowHeight = 20;

const mostNameChars = 40;

/** Returns the length of the longest name of a node in the log, with its item. */
function longestName(names: ReadonlyMap<string, string>, { bodies, loops }: LiveRun['state']['tallies']): number {
  const places = [...names.keys()].map((id) => {
    const followed = bodies.get(id)?.followed ?? id;
    return placeName(followed, names, { loops }).length;
  });
  return Math.min(mostNameChars, Math.max(8, ...places) + 1);
}

/** Returns a readable name for a path in a run: the node's name and, in a loop, the item. */
export function placeName(
  place: string,
  names: ReadonlyMap<string, string>,
  { loops }: Pick<LiveRun['state']['tallies'], 'loops'>,
): string {
  const name = names.get(baseNodeId(place)) ?? baseNodeId(place);
  const item = itemText(place, loops);
  return item === '' ? name : `${name}, ${item}`;
}

/** The texts of lines, which do not change. Values make them expensive. */
const lineTexts = new WeakMap<EventEnvelope, Pick<ReturnType<typeof eventLine>, 'nodeId' | 'text'>>();

function lineTextOf(envelope: EventEnvelope) {
  const known = lineTexts.get(envelope);
  if (known !== undefined) return known;
  const { nodeId, text: line } = eventLine(envelope, 0);
  lineTexts.set(envelope, { nodeId, text: line });
  return { nodeId, text: line };
}

/** Returns the indexes of the events whose node or text contains each word of the query. Null for all of them. */
function useFoundLines(
  events: readonly EventEnvelope[],
  query: string,
  nameOf: (nodeId: string) => string,
): readonly number[] | null {
  const later = useDeferredValue(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names change with the flow, which no filter needs to follow
  return useMemo(() => {
    const wanted = later.toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return null;
    return events.flatMap((envelope, index) => {
      const { nodeId, text: line } = lineTextOf(envelope);
      // Not the path of the node, whose item numbers start at 0.
      const node = nodeId === null ? '' : `${baseNodeId(nodeId)} ${nameOf(nodeId)}`;
      const searched = `${node} ${line}`.toLowerCase();
      return wanted.every((word) => searched.includes(word)) ? [index] : [];
    });
  }, [events, later]);
}

const filterKeys = 'Mod+F';

/** Returns the attributes of an element in which Mod+F leads to the filter of the log. */
export function logFilterKeys(isShown: boolean) {
  if (!isShown) return {};
  return {
    'data-own-keys': filterKeys,
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      const filter = event.currentTarget.querySelector<HTMLInputElement>('.run-log-filter > input');
      filter?.focus();
      filter?.select();
    },
  };
}

interface LogFilterProps {
  readonly query: string;
  readonly onChange: (query: string) => void;
}

export function LogFilter({ query, onChange }: LogFilterProps) {
  return (
    <span className="run-log-filter">
      <TextInput
        type="search"
        aria-label={text.dock.filterLog}
        placeholder={text.dock.filterLog}
        value={query}
        onChange={({ target }) => onChange(target.value)}
      />
    </span>
  );
}

/** @param query only the lines that contain its words are shown */
export function RunLogView({ path, run, query }: { path: string; run: LiveRun; query: string }) {
  const { selection, agentViews, moments } = useStores();
  const selected = useStore(selection, ({ views }) => views.get(path)?.nodeId ?? null);
  const { later, omittedCount, events: upToNow } = run.log;
  const events = useMemo(() => (later.length === 0 ? upToNow : [...upToNow, ...later]), [upToNow, later]);
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
  const found = useFoundLines(events, query, (nodeId) => placeName(nodeId, names, run.state.tallies));
  const count = found?.length ?? events.length;
  // The last line at or before the moment on screen.
  const lastUpToNow = found?.findLastIndex((index) => index < upToNow.length) ?? upToNow.length - 1;
  const shownRow = isPast ? Math.max(0, lastUpToNow) : undefined;
  const startedAt = run.state.startedAt ?? events[0]?.at ?? 0;
  return (
    <div
      className="run-log"
      style={{ '--log-node-ch': longestName(names, run.state.tallies) }}
      {...keys}
      data-own-keys={`${keys['data-own-keys'] ?? ''} ${filterKeys}`}
    >
      <VirtualRows
        label={text.dock.events}
        count={count}
        rowHeight={rowHeight}
        followsEnd={!isPast}
        shownRow={shownRow}
        header={
          <>
            {found === null ? null : (
              <p className="run-log-found" role="status">
                {text.dock.foundLines({ count, total: events.length })}
              </p>
            )}
            {omittedCount === 0 ? null : (
              <p className="run-log-omitted">{text.dock.omittedEvents({ count: omittedCount })}</p>
            )}
          </>
        }
        renderRow={(row, isTabStop) => {
          const index = found === null ? row : (found[row] ?? -1);
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
