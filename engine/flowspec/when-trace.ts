/**
 * A condition together with what it saw: the answer to "why did this not run?".
 */
import type { JsonValue } from './json-value.ts';

/** Conditions that compare what stands at a path with a value. */
export type ComparisonOp = 'equals' | 'lt' | 'lte' | 'gt' | 'gte' | 'contains' | 'in';

export type WhenTrace =
  | {
      readonly op: ComparisonOp;
      readonly var: string;
      readonly value: JsonValue;
      /** What the path gave; absent when it was missing. */
      readonly actual?: JsonValue;
      readonly result: boolean;
    }
  | { readonly op: 'exists'; readonly var: string; readonly actual?: JsonValue; readonly result: boolean }
  | { readonly op: 'not' | 'and' | 'or'; readonly of: readonly WhenTrace[]; readonly result: boolean };
