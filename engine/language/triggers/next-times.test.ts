import { describe, expect, test } from 'vitest';
import { parseCron } from './cron.ts';
import { isTimeZone, nextTimes, previousTime, timesBetween } from './next-times.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What a clock on the wall shows, as `2026-03-29 02:30`. */
function wall(format: Intl.DateTimeFormat, time: number): string {
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const { year = '', month = '', day = '', hour = '', minute = '' } = parts;
  return `${year}-${month}-${day} ${hour}:${minute}`;
}

interface PlainSchedule {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** All days if absent. */
  readonly weekdays?: readonly string[];
  readonly isElapsed: boolean;
}

/**
 * Walks through each minute and looks at the clock. A matching minute that the clock skips is due at the next minute it
 * shows; one that it shows twice is due once, except for schedules that follow elapsed time.
 */
function slowTimes(plain: PlainSchedule, zone: string, { from, to }: { from: number; to: number }): number[] {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: zone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  });
  const english = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short' });
  const matches = (minute: string): boolean => {
    const naive = Date.parse(`${minute.replace(' ', 'T')}:00Z`);
    const date = new Date(naive);
    return (
      plain.minutes.includes(date.getUTCMinutes()) &&
      plain.hours.includes(date.getUTCHours()) &&
      (plain.weekdays === undefined || plain.weekdays.includes(english.format(naive)))
    );
  };
  const next = (minute: string): string =>
    new Date(Date.parse(`${minute.replace(' ', 'T')}:00Z`) + minuteMs).toISOString().slice(0, 16).replace('T', ' ');
  const due: number[] = [];
  // Starts early, so that a repeated minute is known to be repeated.
  let latest = wall(format, from - 30 * hourMs);
  for (let time = from - 30 * hourMs + minuteMs; time <= to; time += minuteMs) {
    const now = wall(format, time);
    let isDue = false;
    if (plain.isElapsed) isDue = matches(now);
    else {
      // Every minute up to this one that the clock has not shown yet.
      for (let minute = next(latest); minute <= now; minute = next(minute)) isDue ||= matches(minute);
      if (now > latest) latest = now;
    }
    if (isDue && time > from) due.push(time);
  }
  return due;
}

/** Days around changes of the clock. */
const changes: readonly (readonly [zone: string, from: string, to: string])[] = [
  ['Europe/Berlin', '2026-03-28T00:00Z', '2026-03-31T00:00Z'],
  ['Europe/Berlin', '2026-10-24T00:00Z', '2026-10-27T00:00Z'],
  ['America/New_York', '2026-03-07T00:00Z', '2026-03-10T00:00Z'],
  ['America/New_York', '2026-10-31T00:00Z', '2026-11-03T00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T00:00Z', '2026-04-06T12:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T00:00Z', '2026-10-05T12:00Z'],
  ['Pacific/Apia', '2011-12-28T00:00Z', '2012-01-01T12:00Z'],
  ['UTC', '2026-02-27T00:00Z', '2026-03-02T00:00Z'],
];

const all = (count: number): number[] => [...Array(count).keys()];

const schedules: readonly (readonly [cron: string, plain: PlainSchedule])[] = [
  ['30 2 * * *', { minutes: [30], hours: [2], isElapsed: false }],
  ['0 0 * * *', { minutes: [0], hours: [0], isElapsed: false }],
  ['15,45 1-3 * * *', { minutes: [15, 45], hours: [1, 2, 3], isElapsed: false }],
  [
    '0 12 * * MON-SAT',
    { minutes: [0], hours: [12], weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'], isElapsed: false },
  ],
  ['*/15 * * * *', { minutes: [0, 15, 30, 45], hours: all(24), isElapsed: true }],
  ['*/20 2 * * 0', { minutes: [0, 20, 40], hours: [2], weekdays: ['Sun'], isElapsed: true }],
  ['10 */2 * * *', { minutes: [10], hours: all(12).map((hour) => hour * 2), isElapsed: true }],
  ['5 * * * *', { minutes: [5], hours: all(24), isElapsed: true }],
];

describe.each(changes)('13.8 in %s from %s', (timezone, start, end) => {
  const from = Date.parse(start);
  const to = Date.parse(end);

  test.each(schedules)('%s is due when a walk through all minutes finds it', (cron, plain) => {
    const expected = slowTimes(plain, timezone, { from, to });
    expect(timesBetween({ cron, timezone }, { after: from, until: to }).map(iso)).toEqual(expected.map(iso));
    // The same times from any start.
    const middle = from + Math.floor((to - from) / 2 / minuteMs) * minuteMs;
    const halves = [
      ...timesBetween({ cron, timezone }, { after: from, until: middle }),
      ...timesBetween({ cron, timezone }, { after: middle, until: to }),
    ];
    expect(halves.map(iso)).toEqual(expected.map(iso));
  });
});

function iso(time: number): string {
  return new Date(time).toISOString();
}

function next(cron: string, after: string, count = 3, timezone = 'UTC'): string[] {
  return nextTimes({ cron, timezone }, Date.parse(after), count).map((time) => iso(time).slice(0, 16));
}

test('13.8: a fixed time that the clock skips is due at the next valid minute', () => {
  expect(next('30 2 * * *', '2026-03-28T12:00Z', 2, 'Europe/Berlin')).toEqual(['2026-03-29T01:00', '2026-03-30T00:30']);
  expect(next('15 2 * * *', '2026-10-03T12:00Z', 1, 'Australia/Lord_Howe')).toEqual(['2026-10-03T15:30']);
  // Apia had no 30 December 2011.
  expect(next('0 12 30 12 *', '2011-12-01T00:00Z', 2, 'Pacific/Apia')).toEqual([
    '2011-12-30T10:00',
    '2012-12-29T22:00',
  ]);
});

test('13.8: a fixed time that the clock shows twice is due once, and an hourly one each hour', () => {
  expect(next('30 2 * * *', '2026-10-24T12:00Z', 2, 'Europe/Berlin')).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
  expect(next('30 * * * *', '2026-10-25T00:00Z', 2, 'Europe/Berlin')).toEqual(['2026-10-25T00:30', '2026-10-25T01:30']);
});

test('reads days, months, names and steps as cron does', () => {
  expect(next('0 0 29 2 *', '2026-01-01T00:00Z', 2)).toEqual(['2028-02-29T00:00', '2032-02-29T00:00']);
  expect(next('0 0 L * *', '2026-01-01T00:00Z', 2)).toEqual(['2026-01-31T00:00', '2026-02-28T00:00']);
  expect(next('0 0 * * MON#1', '2026-01-01T00:00Z', 2)).toEqual(['2026-01-05T00:00', '2026-02-02T00:00']);
  // Two restrictions of the day: either is enough.
  expect(next('0 0 13 * FRI', '2026-01-08T12:00Z', 3)).toEqual([
    '2026-01-09T00:00',
    '2026-01-13T00:00',
    '2026-01-16T00:00',
  ]);
  expect(next('0 9 1 JAN,jul *', '2026-02-01T00:00Z', 2)).toEqual(['2026-07-01T09:00', '2027-01-01T09:00']);
  expect(next('0 8-18/5 * * 7', '2026-01-01T00:00Z', 3)).toEqual([
    '2026-01-04T08:00',
    '2026-01-04T13:00',
    '2026-01-04T18:00',
  ]);
});

test.each([
  ['60 * * * *', 'The minute must be 0 to 59, not "60".', '60'],
  ['* 24 * * *', 'The hour must be 0 to 23, not "24".', '24'],
  ['0 0 30 2 *', 'This is never due: month 2 has no such day.', '30'],
  ['0 0 31 4,6 *', 'This is never due: month 4,6 has no such day.', '31'],
  ['0 0 * FOO *', 'The month must be 1 to 12 or JAN to DEC, not "FOO".', 'FOO'],
  ['0 0 * * 5-1', 'The range of the weekday must go up, but "5-1" goes down.', '5-1'],
  ['*/0 * * * *', 'The step of the minute must be a number from 1 to 59, not "0".', '*/0'],
  [
    '0 0 0 * * *',
    'A cron expression has 5 fields (minute, hour, day of month, month, weekday), but this has 6. Seconds are not supported.',
    '0 0 0 * * *',
  ],
  ['0 0 * * 1#6', 'A month has weekdays number 1 to 5, not 6.', '1#6'],
  ['1,,2 * * * *', 'The minute must be 0 to 59, not "".', ''],
])('explains why %s is not possible', (cron, message, part) => {
  expect(parseCron(cron)).toEqual({ ok: false, message, part });
});

test('intervals follow elapsed time from 1970', () => {
  const after = Date.parse('2026-03-29T00:50Z');
  expect(nextTimes({ every: '15m' }, after, 2).map(iso)).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-03-29T01:15:00.000Z',
  ]);
  expect(timesBetween({ every: '1h' }, { after: 0, until: 3 * hourMs })).toEqual([hourMs, 2 * hourMs, 3 * hourMs]);
});

test('finds the time before, however long ago', () => {
  const at = Date.parse('2026-11-29T10:00Z');
  expect(iso(previousTime({ every: '15m' }, at) ?? 0)).toBe('2026-11-29T09:45:00.000Z');
  expect(iso(previousTime({ cron: '0 0 29 2 *' }, at) ?? 0)).toBe('2024-02-29T00:00:00.000Z');
});

test('an unknown time zone is never due', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true);
  expect(isTimeZone('Europe/Berln')).toBe(false);
  expect(nextTimes({ cron: '0 0 * * *', timezone: 'Europe/Berln' }, 0, 1)).toEqual([]);
});
