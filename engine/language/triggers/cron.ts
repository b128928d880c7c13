/**
 * Reads cron expressions: five fields with lists, ranges, steps and names, `L` for a month's last day, and `MON#2` for a
 * month's second Monday.
 */

/** A parsed expression. Sets contain the numbers that match. */
export interface CronFields {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  /** Whether the last day of a month matches. */
  readonly lastDay: boolean;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  /** Weekdays with their number in the month, such as `1#2`. */
  readonly nthWeekdays: ReadonlySet<string>;
  /** Whether a day must match only the days of the month or only the weekdays; both restrict it if neither is set. */
  readonly anyDay: boolean;
  readonly anyWeekday: boolean;
  /** Whether minute or hour is a step or any, so that the times follow elapsed time instead of the clock on the wall. */
  readonly isElapsed: boolean;
}

export type ParsedCron =
  | { readonly ok: true; readonly fields: CronFields }
  /** `part` is the invalid text. */
  | { readonly ok: false; readonly message: string; readonly part: string };

interface CronFieldRule {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const minuteRule: CronFieldRule = { name: 'minute', low: 0, high: 59 };
const hourRule: CronFieldRule = { name: 'hour', low: 0, high: 23 };
const dayRule: CronFieldRule = { name: 'day of the month', low: 1, high: 31 };
const monthRule: CronFieldRule = { name: 'month', low: 1, high: 12, names: months };
// 7 is Sunday as well.
const weekdayRule: CronFieldRule = { name: 'weekday', low: 0, high: 7, names: weekdays };

const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

class BadPart {
  readonly message: string;
  readonly part: string;
  constructor(message: string, part: string) {
    this.message = message;
    this.part = part;
  }
}

/** Parses an expression. Never throws. */
export function parseCron(text: string): ParsedCron {
  try {
    return { ok: true, fields: readFields(text) };
  } catch (error) {
    if (error instanceof BadPart) return { ok: false, message: error.message, part: error.part };
    throw error;
  }
}

function readFields(text: string): CronFields {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 5) {
    const hint = parts.length === 6 ? ' Seconds are not supported.' : '';
    throw new BadPart(
      `A cron expression has 5 fields (minute, hour, day of month, month, weekday), but this has ${text.trim() === '' ? 0 : parts.length}.${hint}`,
      text,
    );
  }
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts;
  const { lastDay, rest: plainDays } = withoutLastDay(day);
  const { nthWeekdays, rest: plainWeekdays } = withoutNth(weekday);
  const fields: CronFields = {
    minutes: readField(minute, minuteRule),
    hours: readField(hour, hourRule),
    days: readField(plainDays, dayRule),
    lastDay,
    months: readField(month, monthRule),
    weekdays: new Set([...readField(plainWeekdays, weekdayRule)].map((number) => number % 7)),
    nthWeekdays,
    anyDay: isAny(day),
    anyWeekday: isAny(weekday),
    isElapsed: /[*/?]/.test(minute + hour),
  };
  if (!hasDate(fields)) throw new BadPart(impossible(month), day);
  return fields;
}

/** Days of a month may be impossible, such as 30 February, unless weekdays match as well. */
function hasDate({ days, lastDay, months: named, anyDay, anyWeekday }: CronFields): boolean {
  if (anyDay || lastDay || !anyWeekday) return true;
  return [...named].some((month) => [...days].some((day) => day <= (daysOfMonths[month - 1] ?? 0)));
}

function impossible(month: string): string {
  return `This is never due: month ${month} has no such day.`;
}

function isAny(field: string): boolean {
  return field === '*' || field === '?';
}

function withoutLastDay(field: string): { readonly lastDay: boolean; readonly rest: string } {
  const items = field.split(',');
  const rest = items.filter((item) => item.toUpperCase() !== 'L');
  return { lastDay: rest.length < items.length, rest: rest.join(',') };
}

function withoutNth(field: string): { readonly nthWeekdays: ReadonlySet<string>; readonly rest: string } {
  const nthWeekdays = new Set<string>();
  const rest = field.split(',').filter((item) => {
    const [, day = '', nth = ''] = /^(\w+)#(\d+)$/.exec(item) ?? [];
    if (day === '') return true;
    if (!/^[1-5]$/.test(nth)) throw new BadPart(`A month has weekdays number 1 to 5, not ${nth}.`, item);
    nthWeekdays.add(`${numberIn(day, weekdayRule, item) % 7}#${nth}`);
    return false;
  });
  return { nthWeekdays, rest: rest.join(',') };
}

function readField(field: string, rule: CronFieldRule): ReadonlySet<number> {
  const numbers = new Set<number>();
  // Only special items such as L, which are read elsewhere.
  if (field === '') return numbers;
  for (const item of field.split(',')) {
    const { first, last, step } = readItem(item, rule);
    for (let number = first; number <= last; number += step) numbers.add(number);
  }
  return numbers;
}

function readItem(item: string, rule: CronFieldRule): { first: number; last: number; step: number } {
  const { name, low, high } = rule;
  const [, range = '', stepText] = /^([^/]*)(?:\/(.*))?$/.exec(item) ?? [];
  const step = stepText === undefined ? 1 : Number(stepText);
  if (stepText !== undefined && !(/^\d+$/.test(stepText) && step >= 1 && step <= high))
    throw new BadPart(`The step of the ${name} must be a number from 1 to ${high}, not "${stepText}".`, item);
  // A step over all weekdays must not count Sunday twice.
  if (isAny(range)) return { first: low, last: rule === weekdayRule ? 6 : high, step };
  const [, from = '', to] = /^([^-]*)(?:-(.*))?$/.exec(range) ?? [];
  const first = numberIn(from, rule, item);
  const last = to === undefined ? (stepText === undefined ? first : high) : numberIn(to, rule, item);
  // FRI-SUN: Sunday is also 7.
  const end = rule === weekdayRule && last < first && last === 0 ? 7 : last;
  if (end < first) throw new BadPart(`The range of the ${name} must go up, but "${range}" goes down.`, item);
  return { first, last: end, step };
}

function numberIn(text: string, { name, low, high, names = [] }: CronFieldRule, item: string): number {
  const named = names.indexOf(text.toUpperCase());
  if (named !== -1) return named + low;
  const number = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= low && number <= high) return number;
  const words = names.length === 0 ? '' : ` or ${names[0]} to ${names.at(-1)}`;
  throw new BadPart(`The ${name} must be ${low} to ${high}${words}, not "${text}".`, item);
}
