/**
 * `aip.time`: the current date and time.
 */
import { performance } from 'node:perf_hooks';
import type { ApiModule, NativeFunction } from '../api-module.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** A point in time in a time zone. */
interface ZonedTime {
  /** The local time in milliseconds, as if it were UTC. */
  readonly wallMs: number;
  /** Minutes by which the local time is ahead of UTC. */
  readonly offset: number;
}

function wallOf(ms: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(ms);
  const field = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return Date.UTC(field('year'), field('month') - 1, field('day'), field('hour'), field('minute'), field('second'));
}

function inZone(ms: number, zone: string): ZonedTime {
  const wallMs = wallOf(ms, zone);
  return { wallMs, offset: Math.round((wallMs - Math.floor(ms / 1000) * 1000) / minuteMs) };
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.abs(offset);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Formats seconds, for example `2025-08-23T09:35:12-05:00` (RFC 3339). */
function isoSeconds(ms: number, zone: string): string {
  const { wallMs, offset } = inZone(ms, zone);
  return `${new Date(wallMs).toISOString().slice(0, 19)}${offsetText(offset)}`;
}

/** Formats microseconds, for example `2025-08-23T09:35:12.123456-05:00`; always six digits. */
function isoMicros(micros: number, zone: string): string {
  const { wallMs, offset } = inZone(Math.floor(micros / 1000), zone);
  const fraction = String(micros % 1_000_000).padStart(6, '0');
  return `${new Date(wallMs).toISOString().slice(0, 19)}.${fraction}${offsetText(offset)}`;
}

/** Formats the date, for example `2025-08-23`. */
function isoDay(ms: number, zone: string): string {
  return new Date(inZone(ms, zone).wallMs).toISOString().slice(0, 10);
}

/** Returns the weekday, for example `Saturday`. */
function weekday(ms: number, zone: string): string {
  const names = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'];
  return names[Math.floor(inZone(ms, zone).wallMs / dayMs) % 7] ?? '';
}

/** The system clock. */
interface MachineClock {
  /** Returns microseconds since 1970. */
  readonly nowMicros: () => number;
  /** Returns the time zone's IANA name. */
  readonly zone: () => string;
}

/** The fine clock may pause while the system sleeps. If the clocks differ by more than this, the coarse one is used. */
const maxDriftMs = 50;

const machineClock: MachineClock = {
  nowMicros: () => {
    const coarse = Date.now();
    const fine = performance.timeOrigin + performance.now();
    return Math.floor((Math.abs(fine - coarse) > maxDriftMs ? coarse : fine) * 1000);
  },
  zone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
};

/** Functions that exist for both UTC and the local time zone. */
const zoned: readonly {
  readonly name: string;
  readonly of: string;
  readonly write: (micros: number, zone: string) => string;
}[] = [
  {
    name: 'now_iso_*',
    of: 'Returns the time with seconds, for example `2025-08-23T14:35:12Z`',
    write: (now, zone) => isoSeconds(now / 1000, zone),
  },
  {
    name: 'now_iso_*_micro',
    of: 'Returns the time with microseconds, for example `2025-08-23T14:35:12.123456Z`',
    write: isoMicros,
  },
  {
    name: 'today_*',
    of: 'Returns the weekday and the date, for example `Saturday 2025-08-23`',
    write: (now, zone) => `${weekday(now / 1000, zone)} ${isoDay(now / 1000, zone)}`,
  },
  {
    name: 'today_iso_*',
    of: 'Returns the date, for example `2025-08-23`',
    write: (now, zone) => isoDay(now / 1000, zone),
  },
  {
    name: 'weekday_*',
    of: 'Returns the weekday, for example `Saturday`',
    write: (now, zone) => weekday(now / 1000, zone),
  },
];

function zonedFunctions(clock: MachineClock): NativeFunction[] {
  return zoned.flatMap(({ name, of, write }) => [
    text(name.replace('*', 'utc'), `${of}, in UTC.`, () => write(clock.nowMicros(), 'UTC')),
    text(name.replace('*', 'local'), `${of}, in the local time zone.`, () => write(clock.nowMicros(), clock.zone())),
  ]);
}

function text(name: string, summary: string, call: () => string): NativeFunction {
  return { name, signature: `${name}() -> string`, summary, call };
}

/** Creates the module. @param clock the system clock, except in tests */
export function createTimeApi(clock: MachineClock = machineClock): ApiModule {
  return {
    name: 'time',
    summary: 'Returns the current time and date, in UTC or in the local time zone, in RFC 3339 format.',
    members: [
      ...zonedFunctions(clock),
      {
        name: 'now_utc_micro',
        signature: 'now_utc_micro() -> integer',
        summary: 'Returns the current time in microseconds since 1970.',
        call: () => clock.nowMicros(),
      },
      text('local_tz_id', 'Returns the IANA name of the local time zone, for example `Europe/Paris`.', clock.zone),
    ],
  };
}
