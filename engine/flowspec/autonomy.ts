/**
 * Levels of autonomy: how much a flow may do that reaches beyond the run itself without a person having agreed.
 */
import type { JsonValue } from './json-value.ts';

/** From the least to the most; each allows what those before it allow. */
export const autonomyLevels = ['suggest_only', 'semi_auto', 'full_auto'] as const;

/**
 * - `suggest_only`: nothing acts; what would have been done is kept as a suggestion.
 * - `semi_auto`: what acts needs an approval, a person's in the flow or one that is asked for.
 * - `full_auto`: nothing asks; only where a policy says `allow_full_autonomy`.
 */
export type AutonomyLevel = (typeof autonomyLevels)[number];

/** What would have been done, where a level lets nothing act. */
export interface Suggestion {
  /** That would have been called; absent where a node would have acted by itself. */
  readonly tool?: string;
  /** What the tool, or the node, would have been given. */
  readonly params: JsonValue;
}

export function isAutonomyLevel(value: unknown): value is AutonomyLevel {
  return autonomyLevels.some((level) => level === value);
}

/** The one that allows less; undefined stands for no level at all, which holds nothing back. */
export function lowerOf(one: AutonomyLevel, other: AutonomyLevel | undefined): AutonomyLevel;
export function lowerOf(one: AutonomyLevel | undefined, other: AutonomyLevel | undefined): AutonomyLevel | undefined;
export function lowerOf(one: AutonomyLevel | undefined, other: AutonomyLevel | undefined): AutonomyLevel | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return autonomyLevels.indexOf(one) <= autonomyLevels.indexOf(other) ? one : other;
}
