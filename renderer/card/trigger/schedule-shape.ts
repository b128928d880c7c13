/**
 * Schedules as people think of them: an interval, a time of day, days of the week, or any cron expression.
 */
import type { ScheduleDoc } from '../../../engine/isomorphic.ts';

/** Weekdays are those of cron: 0 is Sunday. In the order in which people list them. */
export const weekdays = [1, 2, 3, 4, 5, 6, 0] as const;

export const intervalUnits = ['m', 'h', 'd'] as const;

export type IntervalUnit = (typeof intervalUnits)[number] | 's';

export type ScheduleShape =
  | { readonly kind: 'every'; readonly count: number; readonly unit: IntervalUnit }
  /** `time`: `HH:MM`. */
  | { readonly kind: 'daily'; readonly time: string; readonly zone: string }
  | { readonly kind: 'weekly'; readonly time: string; readonly zone: string; readonly days: readonly number[] }
  | { readonly kind: 'cron'; readonly cron: string; readonly zone: string };

/** Finds the simplest form of a schedule. An invalid one is a cron expression. */
export function scheduleShape(schedule: ScheduleDoc): ScheduleShape {
  if ('every' in schedule) {
    const [, count, unit] = /^(\d+)([smhd])$/.exec(schedule.every) ?? [];
    return { kind: 'every', count: Number(count ?? 1), unit: (unit ?? 'm') as IntervalUnit };
  }
  const { cron, timezone: zone = 'UTC' } = schedule;
  const [, minute, hour, days] = /^(\d{1,2}) (\d{1,2}) \* \* (\S+)$/.exec(cron.trim().replace(/\s+/g, ' ')) ?? [];
  const chosen = days === undefined ? undefined : daysIn(days);
  if (chosen === undefined || Number(minute) > 59 || Number(hour) > 23) return { kind: 'cron', cron, zone };
  const time = `${twoDigits(hour)}:${twoDigits(minute)}`;
  return days === '*' ? { kind: 'daily', time, zone } : { kind: 'weekly', time, zone, days: chosen };
}

/** Returns the schedule of a shape. */
export function scheduleOf(shape: ScheduleShape): ScheduleDoc {
  if (shape.kind === 'every') return { every: `${shape.count}${shape.unit}` };
  const { zone: timezone } = shape;
  if (shape.kind === 'cron') return { cron: shape.cron, timezone };
  const [hour = '0', minute = '0'] = shape.time.split(':');
  const days = shape.kind === 'daily' ? '*' : daysText(shape.days);
  return { cron: `${Number(minute)} ${Number(hour)} * * ${days}`, timezone };
}

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function dayOf(word: string): number {
  const named = names.indexOf(word.toLowerCase());
  return named === -1 ? (/^[0-7]$/.test(word) ? Number(word) : Number.NaN) : named;
}

/** Returns the days of a cron field in the order of `weekdays`; undefined if it has more than lists and ranges. */
function daysIn(field: string): readonly number[] | undefined {
  if (field === '*') return weekdays;
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [first = '', last = first, more] = part.split('-');
    const [from, to] = [dayOf(first), dayOf(last)];
    if (more !== undefined || Number.isNaN(from) || Number.isNaN(to) || from > to) return undefined;
    for (let day = from; day <= to; day++) found.add(day % 7);
  }
  return weekdays.filter((day) => found.has(day));
}

/** More than two days in a row are written as a range, unless it includes Sunday, which is 0. */
function daysText(days: readonly number[]): string {
  const ordered = weekdays.filter((day) => days.includes(day));
  const [first = 0, last = 0] = [ordered[0], ordered.at(-1)];
  return ordered.length > 2 && last - first === ordered.length - 1 ? `${first}-${last}` : ordered.join(',');
}

function twoDigits(text: string | undefined): string {
  return (text ?? '').padStart(2, '0');
}
