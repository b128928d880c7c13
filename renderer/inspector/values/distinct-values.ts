/**
 * The different values of a column, with the number of rows that have them.
 */
import { jsonText } from './json-text.ts';

/** Long values that begin with the same characters count as one. */
const comparedCharacters = 1000;

interface DistinctValue {
  /** Undefined for rows without a value. */
  readonly value: unknown;
  readonly count: number;
}

interface DistinctValues {
  /** The most frequent values first. */
  readonly most: readonly DistinctValue[];
  readonly omittedCount: number;
}

/** Returns a text that is the same for equal values only. Texts that differ in white space or case are not equal. */
export function valueKey(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? `"${value}` : jsonText(value, { limit: comparedCharacters });
}

/** Counts equal values. Equally frequent ones stay in the order of their first occurrence. */
export function distinctValues(values: readonly unknown[], limit: number): DistinctValues {
  const counts = new Map<string, { value: unknown; count: number }>();
  for (const value of values) {
    const key = valueKey(value);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { value, count: 1 });
    else known.count += 1;
  }
  const most = [...counts.values()].sort((a, b) => b.count - a.count).slice(0, limit);
  return { most, omittedCount: counts.size - most.length };
}
