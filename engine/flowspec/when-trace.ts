/**
 * A condition together with what it saw: the answer to "why did this not run?".
 */
import type { JsonValue } from './json-value.ts';

export type WhenTrace =
  | {
      readonly op: 'equals';
      readonly var: string;
      readonly value: JsonValue;
      /** What the path gave; absent when it was missing. */
      readonly actual?: JsonValue;
      readonly result: boolean;
    }
  | { readonly op: 'not' | 'and' | 'or'; readonly of: readonly WhenTrace[]; readonly result: boolean };
