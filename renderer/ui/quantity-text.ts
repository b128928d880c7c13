/**
 * Formats times, sizes and counts, short enough for a row.
 */
import { dateLocale, decimalText, dollarText } from './language.ts';
import { text } from './text.ts';

const words = text.quantity;

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Formats the duration of something that has ended: `3 ms`, `0.2 s`, `58 s`, `1 m 04 s`, `2 h 05 m`. */
export function durationText(durationMs: number): string {
  if (durationMs < 100) return words.milliseconds({ value: String(Math.round(durationMs)) });
  // Truncated instead of rounded, like the elapsed time.
  if (durationMs < 20 * secondMs) return words.seconds({ value: decimalText(Math.floor(durationMs / 100) / 10, 1) });
  if (durationMs < minuteMs) return words.seconds({ value: String(Math.floor(durationMs / secondMs)) });
  if (durationMs < hourMs) {
    const seconds = twoDigits(Math.floor((durationMs % minuteMs) / secondMs));
    return words.minutes({ minutes: Math.floor(durationMs / minuteMs), seconds });
  }
  const minutes = twoDigits(Math.floor((durationMs % hourMs) / minuteMs));
  return words.hours({ hours: Math.floor(durationMs / hourMs), minutes });
}

/** Formats elapsed time with a constant width: `0:38.4`, `12:05.0`, `1:02:03`. */
export function elapsedText(elapsedMs: number): string {
  const minutes = Math.floor(elapsedMs / minuteMs);
  const seconds = (elapsedMs % minuteMs) / secondMs;
  if (elapsedMs >= hourMs) {
    return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(Math.floor(seconds))}`;
  }
  // Truncated instead of rounded: 59.97 s must not become 0:60.0.
  return `${minutes}:${decimalText(Math.floor(seconds * 10) / 10, 1).padStart(4, '0')}`;
}

/**
 * Formats how long something has been waiting, in whole seconds or larger units: `0:31`, `12:05`, `2 h 05 m`, `3 d 4
 * h`.
 */
export function waitText(waitedMs: number): string {
  const ms = Math.max(0, waitedMs);
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)}:${twoDigits(Math.floor((ms % minuteMs) / secondMs))}`;
  if (ms < 24 * hourMs) return durationText(ms);
  return words.days({ days: Math.floor(ms / (24 * hourMs)), hours: Math.floor((ms % (24 * hourMs)) / hourMs) });
}

/** Formats a number of bytes: `812 B`, `16 KB`, `2.3 MB`. */
export function byteText(bytes: number): string {
  if (bytes < 1000) return words.bytes({ value: String(bytes) });
  if (bytes < 1_000_000) return words.kilobytes({ value: String(Math.round(bytes / 1000)) });
  return words.megabytes({ value: decimalText(bytes / 1_000_000, 1) });
}

/** Formats a count that may be large: `812`, `21.4k`, `3.1M`. */
export function countText(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return words.thousands({ value: decimalText(count / 1000, 1) });
  return words.millions({ value: decimalText(count / 1_000_000, 1) });
}

/**
 * Formats US dollars: `$0`, `$0.0004`, `$0.018`, `$12.30`. Calls without a known price result in `at least $0.018, 2
 * calls unpriced` or `price unknown`. Null if no model was called.
 * @param costUsd cost of the calls with a known price; undefined if there were none
 */
export function costText(costUsd: number, unpricedCalls: number): string;
export function costText(costUsd: number | undefined, unpricedCalls: number | undefined): string | null;
export function costText(costUsd: number | undefined, unpricedCalls = 0): string | null {
  if (costUsd === undefined) return unpricedCalls > 0 ? words.noPrice : null;
  const digits = costUsd >= 1 ? 2 : costUsd >= 0.001 ? 3 : 4;
  const cost = dollarText(costUsd, costUsd === 0 ? 0 : digits);
  return unpricedCalls > 0 ? words.atLeast({ cost, count: unpricedCalls }) : cost;
}

/**
 * Formats when something happened relative to `now` (both epoch milliseconds): a time today, a weekday this week, or
 * else a date.
 */
export function shortTimeText(at: number, now: number): string {
  const then = new Date(at);
  const today = new Date(now);
  if (then.toDateString() === today.toDateString()) {
    return then.toLocaleTimeString(dateLocale, { hour: '2-digit', minute: '2-digit' });
  }
  const daysAgo = (now - at) / (24 * hourMs);
  if (daysAgo < 6) return then.toLocaleDateString(dateLocale, { weekday: 'short' });
  return then.toLocaleDateString(dateLocale, { day: 'numeric', month: 'short' });
}

/** Created once, because each instance looks up the system language, which takes milliseconds. */
const clock = new Intl.DateTimeFormat(dateLocale, { timeStyle: 'medium' });

/** Formats a time on this or a recent day: `14:02:11` in the format of the locale. */
export function clockText(at: number): string {
  return clock.format(at);
}

/** Formats a date without a time. */
export function dateText(at: number): string {
  return new Date(at).toLocaleDateString(dateLocale, { dateStyle: 'medium' });
}

/** Formats the full date and time, for tooltips and headers. */
export function fullDateTimeText(at: number): string {
  return new Date(at).toLocaleString(dateLocale, { dateStyle: 'medium', timeStyle: 'medium' });
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}
