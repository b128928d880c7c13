/**
 * Parses the `retry-after` header of a response (RFC 9110): a number of seconds or a date.
 */
import { timeOf } from './clock.ts';

/**
 * Returns the wait that a server requests, in milliseconds from `now`; undefined if the value is neither seconds nor a
 * date.
 * @param now epoch milliseconds
 */
export function retryAfterMs(text: string | null | undefined, now: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d{1,15}(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  // The date parser would accept almost any text without a time of day.
  const at = /\d\d?:\d\d/.test(value) ? timeOf(value) : undefined;
  return at === undefined ? undefined : Math.max(0, at - now);
}
