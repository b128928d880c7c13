/**
 * Events that became durable together ↔ their text in the database.
 *
 * A JSON list of events as they are, and before an event, where something changes, an object with what is different from
 * the event before: `at`, `runId` with `parentRunId`, and single fields of the context, null for one that is gone. Before
 * the first event stands its `seq`, and what differs from the run's own id and session alone. That halves the text, and what
 * a commit costs is mostly a matter of bytes.
 */
import type { RunId, SessionId } from '../base/ids.ts';
import type { EventContext, EventEnvelope, RunEvent } from '../kernel/run-event.ts';

/** One or more events with consecutive numbers. */
export type EventGroup = readonly [EventEnvelope, ...EventEnvelope[]];

/** What the events of a log share unless they say otherwise. */
export interface LogRoot {
  readonly runId: RunId;
  readonly sessionId: SessionId;
}

interface Change {
  seq?: number;
  at?: number;
  runId?: RunId;
  /** Of the run that changes with it; absent = it has none. */
  parentRunId?: RunId | undefined;
  sessionId?: SessionId;
  phase?: EventContext['phase'] | null;
  task?: EventContext['task'] | null;
  agent?: EventContext['agent'] | null;
}

type Surroundings = Omit<EventEnvelope, 'seq' | 'event'>;

function surroundingsOf({ runId, sessionId }: LogRoot): Surroundings {
  return { at: Number.NaN, runId, context: { sessionId } };
}

/** The text of a group. */
export function encodeGroup(events: EventGroup, root: LogRoot): string {
  const items: (Change | RunEvent)[] = [];
  let before = surroundingsOf(root);
  for (const next of events) {
    if (hasChanged(before, next)) {
      const change: Change = items.length === 0 ? { seq: next.seq } : {};
      noteChanges(change, before, next);
      items.push(change);
    }
    items.push(next.event);
    before = next;
  }
  return JSON.stringify(items);
}

/** The events of a group, from its text. */
export function decodeGroup(text: string, root: LogRoot): EventEnvelope[] {
  const events: EventEnvelope[] = [];
  let now = surroundingsOf(root);
  let seq = 0;
  // Written by `encodeGroup` alone: a database that is not ours is refused.
  for (const item of JSON.parse(text) as (Change | RunEvent)[]) {
    if ('type' in item) {
      events.push({ seq, ...now, event: item });
      seq += 1;
    } else {
      seq = item.seq ?? seq;
      now = changed(now, item);
    }
  }
  return events;
}

/** True for the first event of a group, whatever it is: no time equals the one before it. */
function hasChanged(before: Surroundings, next: Surroundings): boolean {
  // A scope hands the same context to all its events.
  return next.context !== before.context || next.at !== before.at || isOfOtherRun(before, next);
}

function isOfOtherRun(before: Surroundings, next: Surroundings): boolean {
  return next.runId !== before.runId || next.parentRunId !== before.parentRunId;
}

function noteChanges(change: Change, before: Surroundings, next: Surroundings): void {
  if (next.at !== before.at) {
    change.at = next.at;
  }
  if (isOfOtherRun(before, next)) {
    change.runId = next.runId;
    change.parentRunId = next.parentRunId;
  }
  if (next.context !== before.context) {
    noteScopes(change, before.context, next.context);
  }
}

function noteScopes(change: Change, before: EventContext, next: EventContext): void {
  if (next.sessionId !== before.sessionId) {
    change.sessionId = next.sessionId;
  }
  if (next.phase !== before.phase) {
    change.phase = next.phase ?? null;
  }
  if (next.task !== before.task) {
    change.task = next.task ?? null;
  }
  if (next.agent !== before.agent) {
    change.agent = next.agent ?? null;
  }
}

function changed(before: Surroundings, change: Change): Surroundings {
  const { runId = before.runId, at = before.at } = change;
  const parentRunId = change.runId === undefined ? before.parentRunId : change.parentRunId;
  const context = changedContext(before.context, change);
  return parentRunId === undefined ? { at, runId, context } : { at, runId, parentRunId, context };
}

function changedContext(before: EventContext, change: Change): EventContext {
  const { sessionId = before.sessionId, phase = before.phase, task = before.task, agent = before.agent } = change;
  return {
    sessionId,
    ...(phase ? { phase } : {}),
    ...(task ? { task } : {}),
    ...(agent ? { agent } : {}),
  };
}
