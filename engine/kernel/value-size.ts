/**
 * A cheap guess at how long a value's JSON text is, so that small values need not be written out to find out.
 */
import type { JsonValue } from '../flowspec/json-value.ts';

/** An escaped UTF-16 unit (`\u0000`) is the longest thing one unit of text can become. */
const bytesPerUnit = 6;
/** Quotes, comma, colon and bracket around a value, or the digits of a number, rounded up. */
const bytesPerValue = 26;

/** False only when the JSON text of `value` surely has at most `limitBytes` bytes of UTF-8. */
export function mayExceed(value: JsonValue, limitBytes: number): boolean {
  return budgetAfter(value, limitBytes) < 0;
}

/** What is left of `budget`; the walk stops as soon as it is used up, so huge values cost no more than small ones. */
function budgetAfter(value: JsonValue, budget: number): number {
  if (typeof value === 'string') return budget - bytesPerValue - value.length * bytesPerUnit;
  if (typeof value !== 'object' || value === null) return budget - bytesPerValue;
  if (Array.isArray(value)) return budgetAfterList(value, budget - bytesPerValue);
  return budgetAfterMap(value as Readonly<Record<string, JsonValue>>, budget - bytesPerValue);
}

function budgetAfterList(items: readonly JsonValue[], budget: number): number {
  let left = budget;
  for (const item of items) {
    if (left < 0) return left;
    left = budgetAfter(item, left);
  }
  return left;
}

function budgetAfterMap(map: Readonly<Record<string, JsonValue>>, budget: number): number {
  let left = budget;
  for (const key in map) {
    if (left < 0) return left;
    left = budgetAfter(map[key] ?? null, left - key.length * bytesPerUnit);
  }
  return left;
}
