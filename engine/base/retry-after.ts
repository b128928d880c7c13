/**
 * The header `retry-after` of an answer (RFC 9110): a number of seconds or a date.
 */
import { timeOf } from './clock.ts';

/**
 * Returns how long a server asks to wait, in milliseconds from `now` on; undefined if it is neither seconds nor a date.
 * @param now milliseconds since 1970
 */
export function retryAfterMs(text: string | null | undefined, now: number): number | undefined {
  const value = text?.trim() ?? '';
  if (/^\d{1,15}(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Without a time it may be any text in which a date is found.
  const at = /\d\d?:\d\d/.test(value) ? timeOf(value) : undefined;
  return at === undefined ? undefined : Math.max(0, at - now);
}
