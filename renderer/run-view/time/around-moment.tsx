/**
 * The events around the moment of a run that is on screen, with links that move the playhead.
 */
import type { EventEnvelope } from '../../../engine/isomorphic.ts';
import { Group } from '../../inspector/fields/setting-rows.tsx';
import { useStores } from '../../stores/stores-context.tsx';
import { useNodeNames, useRunNowPart, useShownRunFacts } from '../../stores/use-flow.ts';
import { elapsedText } from '../../ui/quantity-text.ts';
import { eventLine } from '../event-line.ts';
import { placeName } from '../run-log-view.tsx';
import { rootIdOf } from './moments.tsx';
import { text } from './text.ts';
import './around-moment.css';

/** Number of events before the moment, up to that of the moment itself, and after it. */
const eventsBefore = 4;
const eventsAfter = 3;

/** Renders nothing while the run is shown as it is now. */
export function AroundMoment({ path }: { readonly path: string }) {
  const { moments } = useStores();
  const run = useShownRunFacts(path);
  const total = useRunNowPart(path, ({ track }) => track.lastSeq + 1) ?? 0;
  const names = useNodeNames(path);
  if (run?.moment == null) return null;
  const { log, state, moment } = run;
  const before = log.events.slice(-eventsBefore);
  const events = [...before, ...log.later.slice(0, eventsAfter)];
  const startedAt = state.startedAt ?? events[0]?.at ?? 0;
  const row = (envelope: EventEnvelope) => {
    const { nodeId, offsetMs, text: line } = eventLine(envelope, startedAt);
    const name = nodeId === null ? '' : placeName(nodeId, names, state.tallies);
    return (
      <li key={envelope.seq}>
        <button
          type="button"
          className="around-event"
          // Streamed text is not listed, so the moment may be after the last listed event.
          aria-current={envelope === before.at(-1)}
          title={line}
          onClick={() => void moments.show(rootIdOf(run), envelope.seq)}
        >
          <span className="around-event-text">
            <b>{name}</b> {line}
          </span>
          <time>{elapsedText(offsetMs)}</time>
        </button>
      </li>
    );
  };
  return (
    <Group title={text.around} note={text.eventOf({ number: moment.seq + 1, total })}>
      <ol className="around-events" aria-label={text.around}>
        {events.map(row)}
      </ol>
    </Group>
  );
}
