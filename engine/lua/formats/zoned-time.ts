/**
 * Times as texts, in a zone of the IANA list.
 */

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** A moment in a zone. */
interface ZonedTime {
  /** The clock on the wall there, in milliseconds, as if it stood in UTC. */
  readonly wallMs: number;
  /** Minutes that the wall is ahead of UTC. */
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

/** For example `2025-08-23T09:35:12-05:00` (RFC 3339). */
export function isoSeconds(ms: number, zone: string): string {
  const { wallMs, offset } = inZone(ms, zone);
  return `${new Date(wallMs).toISOString().slice(0, 19)}${offsetText(offset)}`;
}

/** For example `2025-08-23T09:35:12.123456-05:00`; always six digits. */
export function isoMicros(micros: number, zone: string): string {
  const { wallMs, offset } = inZone(Math.floor(micros / 1000), zone);
  const fraction = String(micros % 1_000_000).padStart(6, '0');
  return `${new Date(wallMs).toISOString().slice(0, 19)}.${fraction}${offsetText(offset)}`;
}

/** For example `2025-08-23`. */
export function isoDay(ms: number, zone: string): string {
  return new Date(inZone(ms, zone).wallMs).toISOString().slice(0, 10);
}

/** For example `Saturday`. */
export function weekday(ms: number, zone: string): string {
  const names = ['Thursday', 'Friday', 'Saturday', 'Sunday', 'Monday', 'Tuesday', 'Wednesday'];
  return names[Math.floor(inZone(ms, zone).wallMs / dayMs) % 7] ?? '';
}
