/**
 * How often tools may be called, and results that are kept for a while.
 */
import type { JsonMap, JsonValue } from '../flowspec/json-value.ts';
import { canonicalText } from '../kernel/ask.ts';

const minuteMs = 60_000;
/** Results that are kept at a time; with more, the oldest goes. */
const mostKept = 500;
/** A longer result is not kept, in UTF-16 units of its JSON text. */
const longestKept = 256 * 1024;

/** Counts the calls of the last 60 seconds, by tool. */
export class CallRates {
  readonly #times = new Map<string, number[]>();

  /**
   * Takes a call.
   * @param now epoch milliseconds
   * @returns 0 when it may be made; else the milliseconds until one may be, and it was not taken
   */
  take(tool: string, callsPerMinute: number, now: number): number {
    const recent = (this.#times.get(tool) ?? []).filter((at) => at > now - minuteMs && at <= now);
    this.#times.set(tool, recent);
    if (recent.length >= callsPerMinute) return Math.max(1, (recent[0] ?? now) + minuteMs - now);
    recent.push(now);
    return 0;
  }
}

interface Kept {
  readonly value: JsonValue;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Results by tool and parameters, each for its time. */
export class ResultCache {
  readonly #kept = new Map<string, Kept>();

  find(tool: string, params: JsonMap, now: number): { readonly value: JsonValue } | undefined {
    const key = keyOf(tool, params);
    const kept = this.#kept.get(key);
    if (kept === undefined || now < kept.until) return kept;
    this.#kept.delete(key);
    return undefined;
  }

  keep(tool: string, params: JsonMap, kept: Kept): void {
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
