/**
 * Decides which times of a schedule start runs, and which were missed.
 */
import { isoTime } from '../../base/clock.ts';
import type { RunId } from '../../base/ids.ts';
import type { NewFiring, TriggerName, TriggerWatch } from '../../history/store/firing-store.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { previousTime, timesBetween } from '../../language/triggers/next-times.ts';
import type { AfterTriggerDoc, ScheduleDoc, TriggerDoc } from '../../language/triggers/trigger-doc.ts';

/** A time that is handled later than this has been missed: nothing ran when it was due. */
const lateMs = 60_000;

/** Maximum number of missed times that are recorded one by one. */
const mostMissed = 1_000;

interface SeenTrigger extends TriggerName {
  readonly doc: TriggerDoc;
  readonly watch: TriggerWatch;
  readonly now: number;
}

export interface DueSchedule extends SeenTrigger {
  readonly schedule: ScheduleDoc;
  /** When the last run was due, if there was one. */
  readonly lastStarted: string | undefined;
}

/** Returns the firings for all times since the last look. */
export function dueFirings(due: DueSchedule): readonly NewFiring[] {
  const { schedule, watch, now, doc } = due;
  if (now <= watch.lookedAt) return [];
  const all = timesBetween(schedule, { after: watch.lookedAt, until: now });
  const times = all.slice(-mostMissed);
  const late = times.filter((time) => time < now - lateMs);
  const { missed = 'once' } = doc;
  // One run is enough for all missed times. A time that is due now needs a run anyway.
  const chosen = missed === 'once' && late.length === times.length ? late.at(-1) : undefined;
  const dropped = all.length - times.length;
  let previousAt = due.lastStarted ?? previousText(schedule, times[0]);
  return times.map((time, index): NewFiring => {
    const isMissed = time < now - lateMs && missed !== 'all' && time !== chosen;
    const firing = firingOf(due, time, previousAt);
    if (!isMissed) {
      previousAt = isoTime(time);
      return { ...firing, state: 'waiting' };
    }
    const before = index === 0 && dropped > 0 ? ` ${dropped} earlier times were missed as well.` : '';
    return { ...firing, state: 'missed', reason: `Nothing ran when it was due.${before}` };
  });
}

function previousText(schedule: ScheduleDoc, first: number | undefined): string | undefined {
  const before = first === undefined ? undefined : previousTime(schedule, first);
  return before === undefined ? undefined : isoTime(before);
}

function firingOf(
  { flow, trigger, doc, now }: DueSchedule,
  time: number,
  previousAt: string | undefined,
): Omit<NewFiring, 'state'> {
  const dueAt = isoTime(time);
  return {
    ...{ flow, trigger, key: dueAt, priority: doc.priority ?? 0, createdAt: now },
    event: { trigger, dueAt, previousAt: previousAt ?? null },
  };
}

/** How many runs are looked at. */
const mostRuns = 200;

/** Returns the firings for runs of another flow that have ended since the last look. */
export function firingsAfter(
  { flow, trigger, doc, watch, now, after }: SeenTrigger & { readonly after: AfterTriggerDoc },
  store: RunStore,
): readonly NewFiring[] {
  const { status: wanted = ['completed'] } = after;
  const ended = store
    .listRuns({ sourcePath: after.flow, limit: mostRuns })
    .filter(({ status, startedAt, durationMs }) => {
      return wanted.some((one) => one === status) && startedAt + (durationMs ?? 0) > watch.lookedAt;
    });
  return ended.reverse().map(({ runId, status }) => ({
    ...{ flow, trigger, key: runId, priority: doc.priority ?? 0, createdAt: now, state: 'waiting' as const },
    event: { trigger, runId, status, flow: after.flow, outputs: outputsOf(runId, store) },
  }));
}

function outputsOf(runId: RunId, store: RunStore): JsonValue {
  const [last] = store.readEvents(runId, store.lastSeq(runId) - 1, 1);
  const output = last?.event.type === 'run:end' ? (last.event.output ?? {}) : {};
  return isValueHandle(output) ? (store.readValue(output.$value) ?? {}) : output;
}
