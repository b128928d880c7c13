/**
 * Tool rate limits and cached results.
 */
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { canonicalText } from '../../runtime/kernel/requests/ask.ts';

const minuteMs = 60_000;
/** Maximum number of cached results; beyond it, the oldest is evicted. */
const mostKept = 500;
/** Maximum length of a cached result, in UTF-16 code units of its JSON text. */
const longestKept = 256 * 1024;

/** Counts the last 60 seconds' calls by tool. */
export class CallRates {
  readonly #times = new Map<string, number[]>();

  /**
   * Counts a call if it is allowed.
   * @param now epoch milliseconds
   * @returns 0 if the call may be made; otherwise the milliseconds until a call may be made, and the call is not
   * counted
   */
  take(tool: string, callsPerMinute: number, now: number): number {
    const recent = (this.#times.get(tool) ?? []).filter((at) => at > now - minuteMs && at <= now);
    this.#times.set(tool, recent);
    if (recent.length >= callsPerMinute) return Math.max(1, (recent[0] ?? now) + minuteMs - now);
    recent.push(now);
    return 0;
  }
}

interface CachedResult {
  readonly value: JsonValue;
  /** Expiry in epoch milliseconds. */
  readonly until: number;
}

/** Results by tool and parameters, each with an expiry. */
export class ResultCache {
  readonly #kept = new Map<string, CachedResult>();

  find(tool: string, params: JsonMap, now: number): { readonly value: JsonValue } | undefined {
    const key = keyOf(tool, params);
    const kept = this.#kept.get(key);
    if (kept === undefined || now < kept.until) return kept;
    this.#kept.delete(key);
    return undefined;
  }

  keep(tool: string, params: JsonMap, kept: CachedResult): void {
    if (JSON.stringify(kept.value).length > longestKept) return;
    const key = keyOf(tool, params);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function keyOf(tool: string, params: JsonMap): string {
  return `${tool} ${canonicalText(params)}`;
}
