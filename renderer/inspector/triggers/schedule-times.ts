/**
 * The times of a schedule for its form: changes of the clock, and what became of last week's times.
 */
import { type ScheduleDoc, timesBetween } from '../../../engine/isomorphic.ts';
import type { ListedFiring } from '../../stores/workspace/triggers.ts';

const dayMs = 86_400_000;

/** Last week, in milliseconds. */
export const weekMs = 7 * dayMs;

/** Returns the offset of a zone, such as `UTC+1`; empty for an unknown zone. */
export function offsetText(zone: string, at = Date.now()): string {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' });
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return name.replace('GMT', 'UTC').replace(/\+0$/, '');
  } catch {
    return '';
  }
}

/** How far ahead a change of the clock is of interest. */
const aheadMs = 200 * dayMs;

/** Returns when a zone changes its offset next, to the day; undefined if it does not within half a year. */
export function nextClockChange(zone: string, now: number): number | undefined {
  const before = offsetText(zone, now);
  if (offsetText(zone, now + aheadMs) === before && offsetText(zone, now + aheadMs / 2) === before) return undefined;
  let [low, high] = [now, offsetText(zone, now + aheadMs / 2) === before ? now + aheadMs : now + aheadMs / 2];
  while (high - low > 3_600_000) {
    const middle = (low + high) / 2;
    if (offsetText(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** What became of a time. */
export type TimeOutcome = ListedFiring['state'] | 'off';

/** A time at which a schedule was due. */
export interface PastTime {
  readonly dueAt: number;
  /** `off`: no service knew the time, because the trigger was off. */
  readonly outcome: TimeOutcome;
  /** Set if it started at another time. */
  readonly startedAt?: number;
  readonly firing?: ListedFiring;
}

/** A run that starts later than this was started at another time. */
const lateMs = 90_000;

/** Returns the times of last week, oldest first, with what became of them. */
export function pastTimes(schedule: ScheduleDoc, firings: readonly ListedFiring[], now: number): readonly PastTime[] {
  // Of several firings for a time, the last one counts, which is the first in the list.
  const byTime = new Map<number, ListedFiring>();
  for (const firing of firings.toReversed()) byTime.set(Date.parse(firing.key.split('#')[0] ?? ''), firing);
  return timesBetween(schedule, { after: now - weekMs, until: now }).map((dueAt): PastTime => {
    const firing = byTime.get(dueAt);
    if (firing === undefined) return { dueAt, outcome: 'off' };
    const { state, createdAt } = firing;
    const isLate = state === 'started' && createdAt - dueAt > lateMs;
    return { dueAt, outcome: state, firing, ...(isLate ? { startedAt: createdAt } : {}) };
  });
}
