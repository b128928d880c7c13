/**
 * Turns the past of a trigger into firings: decides which times and events start runs, and which were missed.
 */
import { isoTime } from '../../base/clock.ts';
import type { RunId } from '../../base/ids.ts';
import type { NewFiring } from '../../history/store/firing-store.ts';
import { parsedJson } from '../../history/store/run-row.ts';
import type { RunStore } from '../../history/store/run-store.ts';
import type { AwaitedRun, SeenRuns, TriggerName, TriggerWatch } from '../../history/store/trigger-watch.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { isValueHandle } from '../../language/json/value-handle.ts';
import { previousTime, timesBetween } from '../../language/triggers/next-times.ts';
import {
  type AfterTriggerDoc,
  missedOf,
  type ScheduleDoc,
  type TriggerDoc,
} from '../../language/triggers/trigger-doc.ts';
import { firingsForFiles } from './file-changes.ts';
import type { TriggerEntry } from './trigger-list.ts';

/** A time or an end that is handled later than this has been missed: nothing ran when it was due. */
const lateMs = 60_000;

/** Maximum number of missed times that are recorded one by one. */
const mostMissed = 1_000;

/** What has happened since a trigger's last look. */
export interface TriggerPast extends Pick<TriggerWatch, 'lookedAt' | 'state'> {
  readonly firings: readonly NewFiring[];
  /** Whether the watch has to move. */
  readonly isNew: boolean;
  /** When to look again, in milliseconds; absent if only time or an event can change something. */
  readonly againIn?: number;
}

interface TriggerLook {
  readonly watch: TriggerWatch;
  readonly now: number;
  readonly store: RunStore;
  /** Absolute path. */
  readonly workspace: string;
  /** When the service began. */
  readonly beganAt: number;
}

/** Returns what has happened since a trigger's last look, as firings. */
export async function pastOf(
  entry: TriggerEntry,
  { watch, now, store, workspace, beganAt }: TriggerLook,
): Promise<TriggerPast> {
  const { schedule, after, files } = entry.doc;
  const seen = { ...entry, watch, now };
  if (files !== undefined) {
    const changed = await firingsForFiles(entry, { workspace, files, watch, now });
    return { ...changed, isNew: changed.state !== watch.state };
  }
  if (after !== undefined) {
    const { isMore, ...ended } = firingsAfter({ ...seen, after, beganAt }, store);
    const isNew = ended.firings.length > 0 || watch.state === undefined;
    return { ...ended, lookedAt: now, isNew, ...(isMore ? { againIn: 0 } : {}) };
  }
  const lastStarted = store.firings.lastStarted(entry);
  const due = schedule === undefined ? [] : dueFirings({ ...seen, schedule, lastStarted });
  return { firings: due, lookedAt: now, isNew: due.length > 0 };
}

interface SeenTrigger extends TriggerName {
  readonly doc: TriggerDoc;
  readonly watch: TriggerWatch;
  readonly now: number;
}

interface DueSchedule extends SeenTrigger {
  readonly schedule: ScheduleDoc;
  /** When the last run was due, if there was one. */
  readonly lastStarted: string | undefined;
}

/** Returns the firings for all times since the last look. */
function dueFirings(due: DueSchedule): readonly NewFiring[] {
  const { schedule, watch, now, doc } = due;
  if (now <= watch.lookedAt) return [];
  const all = timesBetween(schedule, { after: watch.lookedAt, until: now });
  const times = all.slice(-mostMissed);
  const late = times.filter((time) => time < now - lateMs);
  const missed = missedOf(doc);
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

/** Maximum number of ends that are recorded in one transaction. */
const mostEnds = 1_000;

interface AwaitedFlow extends SeenTrigger {
  readonly after: AfterTriggerDoc;
  /** When the service began. */
  readonly beganAt: number;
}

/** Firings for runs that have ended. */
interface AfterFirings {
  readonly firings: readonly NewFiring[];
  /** The state of the watch after these firings. */
  readonly state: string;
  /** Whether others have ended as well. */
  readonly isMore: boolean;
}

/** Returns the firings for runs of another flow that have ended since the last look. */
function firingsAfter({ flow, trigger, doc, watch, now, after, beganAt }: AwaitedFlow, store: RunStore): AfterFirings {
  const seen = readSeenRuns(watch.state, after);
  const runs = store.firings.unseenRuns(after.flow, seen ?? { upTo: 0, open: [] });
  const { status: wanted = ['completed'] } = after;
  const ended = runs
    .filter(({ endedAt, status }) => endedAt !== undefined && wanted.some((one) => one === status))
    .filter(({ endedAt = 0 }) => seen !== undefined || endedAt > watch.lookedAt)
    .sort((one, other) => (one.endedAt ?? 0) - (other.endedAt ?? 0));
  const isLate = ({ endedAt = 0 }: AwaitedRun): boolean => endedAt < Math.min(beganAt, now - lateMs);
  const missed = missedOf(doc);
  const chosen = missed === 'once' && ended.every(isLate) ? ended.at(-1) : undefined;
  const firings = ended.slice(0, mostEnds).map((run): NewFiring => {
    const { runId, status } = run;
    const isMissed = isLate(run) && missed !== 'all' && run !== chosen;
    return {
      ...{ flow, trigger, key: runId, priority: doc.priority ?? 0, createdAt: now },
      event: { trigger, runId, status, flow: after.flow, outputs: outputsOf(runId, store) },
      ...(isMissed ? { state: 'missed', reason: 'Nothing ran when the run ended.' } : { state: 'waiting' }),
    };
  });
  const later = ended.slice(mostEnds);
  const open = [...runs.filter(({ endedAt }) => endedAt === undefined), ...later].map(({ number }) => number);
  const next: SeenRuns = { upTo: Math.max(seen?.upTo ?? 0, runs.at(-1)?.number ?? 0), open };
  return { firings, state: JSON.stringify({ flow: after.flow, ...next }), isMore: later.length > 0 };
}

/** Returns undefined before the first look, and if the trigger has waited for another flow. */
function readSeenRuns(state: string | undefined, { flow }: AfterTriggerDoc): SeenRuns | undefined {
  const seen = parsedJson(state) as (SeenRuns & { readonly flow: string }) | null | undefined;
  return seen?.flow === flow && typeof seen.upTo === 'number' && Array.isArray(seen.open) ? seen : undefined;
}

function outputsOf(runId: RunId, store: RunStore): JsonValue {
  const [last] = store.readEvents(runId, store.lastSeq(runId) - 1, 1);
  const output = last?.event.type === 'run:end' ? (last.event.output ?? {}) : {};
  return isValueHandle(output) ? (store.readValue(output.$value) ?? {}) : output;
}
