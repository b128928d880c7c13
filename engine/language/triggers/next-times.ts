/**
 * Computes when a schedule is due. Only the time zones of the platform are used, so that all hosts get the same result.
 *
 * A fixed time that the zone skips is due at the next valid minute, and one that occurs twice is due once. Cron
 * expressions with any or a step in minute or hour follow elapsed time: they are due whenever the clock matches.
 */
import { dateAt, utcTime } from '../../base/clock.ts';
import { type CronFields, parseCron } from './cron.ts';
import { durationMs, type ScheduleDoc } from './trigger-doc.ts';

const minuteMs = 60_000;
/** Offsets that are kept for each zone. */
const mostOffsets = 4_096;
const dayMs = 86_400_000;
/** A zone changes its offset at most once in this time, which is longer than the largest change. */
const changeMs = 26 * 3_600_000;

/** The longest gap between two times of a valid expression: 29 February, which 2100 does not have. */
const longestGapMs = 9 * 366 * dayMs;

/** Whether a time zone exists on this platform. */
export function isTimeZone(name: string): boolean {
  try {
    return clockOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** A range of times in milliseconds since 1970: without `after`, with `until`. */
export interface TimeRange {
  readonly after: number;
  readonly until: number;
}

/**
 * Returns when a schedule is due in a range, ascending.
 * @param limit the latest ones are dropped beyond this number
 */
export function timesBetween(schedule: ScheduleDoc, range: TimeRange, limit = Number.POSITIVE_INFINITY): number[] {
  const found: number[] = [];
  for (const time of timesFrom(schedule, range)) {
    if (found.length >= limit) break;
    found.push(time);
  }
  return found;
}

/** Returns the next times after a time, ascending; fewer if the schedule is invalid or ends. */
export function nextTimes(schedule: ScheduleDoc, after: number, count: number): number[] {
  return timesBetween(schedule, { after, until: after + longestGapMs * count }, count);
}

/** Returns the last time that a schedule was due before a time; undefined if there was none. */
export function previousTime(schedule: ScheduleDoc, before: number): number | undefined {
  for (let spanMs = dayMs; spanMs <= longestGapMs * 2; spanMs *= 4) {
    const last = lastBetween(schedule, { after: before - spanMs, until: before - 1 });
    if (last !== undefined) return last;
  }
  return undefined;
}

function lastBetween(schedule: ScheduleDoc, range: TimeRange): number | undefined {
  let last: number | undefined;
  for (const time of timesFrom(schedule, range)) last = time;
  return last;
}

function timesFrom(schedule: ScheduleDoc, range: TimeRange): Iterable<number> {
  if ('every' in schedule) return intervals(durationMs(schedule.every) ?? Number.POSITIVE_INFINITY, range);
  const parsed = parseCron(schedule.cron);
  const zone = schedule.timezone ?? 'UTC';
  if (!parsed.ok || !isTimeZone(zone)) return [];
  const clock = clockOf(zone);
  return parsed.fields.isElapsed ? elapsedTimes(parsed.fields, clock, range) : fixedTimes(parsed.fields, clock, range);
}

/** Intervals count from 1970, so that every host gets the same times without any state. */
function* intervals(everyMs: number, { after, until }: TimeRange): Iterable<number> {
  for (let time = (Math.floor(after / everyMs) + 1) * everyMs; time <= until; time += everyMs) yield time;
}

/** Times when the local clock shows a matching time. */
function* elapsedTimes(fields: CronFields, clock: ZoneClock, { after, until }: TimeRange): Iterable<number> {
  for (const { start, end, offset } of clock.parts({ after, until })) {
    for (const local of localTimes(fields, start + offset, end + offset)) yield local - offset;
  }
}

/** Matching local times, each of them once. Those that the zone skips move to the end of the gap. */
function* fixedTimes(fields: CronFields, clock: ZoneClock, { after, until }: TimeRange): Iterable<number> {
  let last = after;
  for (const local of localTimes(fields, after - changeMs, until + changeMs)) {
    const time = clock.toTime(local);
    if (time > until) return;
    // Several skipped times have the same end. A repeated hour is passed in order, because only its first pass counts.
    if (time > last) {
      last = time;
      yield time;
    }
  }
}

/** Matching times of a clock without a zone, after `after` and up to `until`. */
function* localTimes(fields: CronFields, after: number, until: number): Iterable<number> {
  const minutesOfDay = [...fields.hours]
    .flatMap((hour) => [...fields.minutes].map((minute) => hour * 60 + minute))
    .sort((a, b) => a - b);
  for (let day = Math.floor(after / dayMs) * dayMs; day <= until; ) {
    const date = dateAt(day);
    if (!fields.months.has(date.getUTCMonth() + 1)) {
      day = utcTime(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
      continue;
    }
    if (isDayDue(fields, day)) {
      for (const minute of minutesOfDay) {
        const time = day + minute * minuteMs;
        if (time > after && time <= until) yield time;
      }
    }
    day += dayMs;
  }
}

function isDayDue(fields: CronFields, time: number): boolean {
  const date = dateAt(time);
  const day = date.getUTCDate();
  const weekday = date.getUTCDay();
  const isLast = fields.lastDay && dateAt(time + dayMs).getUTCDate() === 1;
  const isOfMonth = isLast || fields.days.has(day);
  const isWeekday = fields.weekdays.has(weekday) || fields.nthWeekdays.has(`${weekday}#${Math.ceil(day / 7)}`);
  if (fields.anyDay) return isWeekday;
  return fields.anyWeekday ? isOfMonth : isOfMonth || isWeekday;
}

const clocks = new Map<string, ZoneClock>();

function clockOf(zone: string): ZoneClock {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new ZoneClock(zone);
    clocks.set(zone, clock);
  }
  return clock;
}

/** A time with its offset from UTC, both in milliseconds. */
interface OffsetPart {
  /** Without the start, as in `TimeRange`. */
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

/** Converts between times and the local clock of a time zone. */
class ZoneClock {
  readonly #format: Intl.DateTimeFormat;
  /** Offsets by time. Formatting a date takes long, and schedules ask for the same times again and again. */
  readonly #offsets = new Map<number, number>();

  /** @throws RangeError if there is no such zone */
  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  }

  /** Returns the parts of a range with the same offset, in order. */
  *parts({ after, until }: TimeRange): Iterable<OffsetPart> {
    let start = after;
    let offset = this.#offsetAt(after + 1);
    while (start < until) {
      const next = Math.min(start + changeMs, until);
      const nextOffset = this.#offsetAt(next);
      if (nextOffset === offset) {
        yield { start, end: next, offset };
        start = next;
        continue;
      }
      // The change itself is in the next part, which does not include its start.
      const change = this.#changeBetween(start, next, offset);
      yield { start, end: change - 1, offset };
      start = change - 1;
      offset = nextOffset;
    }
  }

  /** Returns the first time when the local clock shows a time, or the end of the gap if it never does. */
  toTime(local: number): number {
    const before = this.#offsetAt(local - changeMs);
    const after = this.#offsetAt(local + changeMs);
    if (before === after) return local - before;
    const change = this.#changeBetween(local - changeMs, local + changeMs, before);
    if (local - before < change) return local - before;
    return Math.max(local - after, change);
  }

  /** Returns the first time in a range with another offset than at its start. */
  #changeBetween(start: number, end: number, offset: number): number {
    let [low, high] = [start, end];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  }

  #offsetAt(time: number): number {
    const whole = Math.floor(time / 1_000) * 1_000;
    const known = this.#offsets.get(whole);
    if (known !== undefined) return known;
    const offset = this.#readOffset(whole);
    if (this.#offsets.size >= mostOffsets) this.#offsets.clear();
    this.#offsets.set(whole, offset);
    return offset;
  }

  /** @param whole a multiple of a second */
  #readOffset(whole: number): number {
    const values: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(whole)) values[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = values;
    return utcTime(year, month - 1, day, [hour, minute, second]) - whole;
  }
}
