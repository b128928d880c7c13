/**
 * Events that became durable together ↔ their text in the database.
 *
 * A JSON list. The first item is an envelope; of each later one stands only what differs from the event before it:
 * `seq` is one more, and `at`, `runId` (with `parentRunId`) and `context` are left out where they stay the same. That is
 * a good third of the bytes, and both writing JSON and writing pages cost by the byte.
 */
import type { EventEnvelope } from '../kernel/run-event.ts';

/** One or more events with consecutive numbers. */
export type EventGroup = readonly [EventEnvelope, ...EventEnvelope[]];

type Item = { -readonly [Key in keyof EventEnvelope]?: EventEnvelope[Key] | undefined } & Pick<EventEnvelope, 'event'>;

/** The text of a group. */
export function encodeGroup(events: EventGroup): string {
  let before = events[0];
  const items: Item[] = [before];
  for (let index = 1; index < events.length; index += 1) {
    const next = events[index] ?? before;
    items.push(difference(before, next));
    before = next;
  }
  return JSON.stringify(items);
}

/** The events of a group, from its text. */
export function decodeGroup(text: string): readonly EventEnvelope[] {
  // Written by `encodeGroup` alone: the database is refused when it is not ours.
  const [first, ...items] = JSON.parse(text) as [EventEnvelope, ...Item[]];
  const events = [first];
  let before = first;
  for (const item of items) {
    before = sum(before, item);
    events.push(before);
  }
  return events;
}

function difference(before: EventEnvelope, next: EventEnvelope): Item {
  const item: Item = { event: next.event };
  if (next.at !== before.at) {
    item.at = next.at;
  }
  if (next.runId !== before.runId || next.parentRunId !== before.parentRunId) {
    item.runId = next.runId;
    item.parentRunId = next.parentRunId;
  }
  // A scope hands the same object to all its events.
  if (next.context !== before.context) {
    item.context = next.context;
  }
  return item;
}

function sum(before: EventEnvelope, { at = before.at, runId, parentRunId, context, event }: Item): EventEnvelope {
  const parent = runId === undefined ? before.parentRunId : parentRunId;
  return {
    seq: before.seq + 1,
    at,
    runId: runId ?? before.runId,
    ...(parent === undefined ? {} : { parentRunId: parent }),
    context: context ?? before.context,
    event,
  };
}
