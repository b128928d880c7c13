/**
 * Autonomy levels: how much a flow may do outside its run without approval.
 */
import type { JsonValue } from '../json/json-value.ts';

/** Sorted from least to most; each level allows everything that the previous ones allow. */
export const autonomyLevels = ['suggest_only', 'semi_auto', 'full_auto'] as const;

/**
 * - `suggest_only`: nothing acts; effects are recorded as suggestions.
 * - `semi_auto`: effects need an approval, either by an approval node in the flow or on request.
 * - `full_auto`: nothing needs approval; only if a policy sets `allow_full_autonomy`.
 */
export type AutonomyLevel = (typeof autonomyLevels)[number];

/** An effect that did not happen because the level allows no effects. */
export interface SuggestedAction {
  /** The tool that would have been called; absent if a node would have acted itself. */
  readonly tool?: string;
  /** The tool's parameters or the node's input. */
  readonly params: JsonValue;
}

export function isAutonomyLevel(value: unknown): value is AutonomyLevel {
  return autonomyLevels.some((level) => level === value);
}

/** Returns the level that allows less. Undefined means no level, which does not restrict anything. */
export function lowerOf(one: AutonomyLevel, other: AutonomyLevel | undefined): AutonomyLevel;
export function lowerOf(one: AutonomyLevel | undefined, other: AutonomyLevel | undefined): AutonomyLevel | undefined;
export function lowerOf(one: AutonomyLevel | undefined, other: AutonomyLevel | undefined): AutonomyLevel | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return autonomyLevels.indexOf(one) <= autonomyLevels.indexOf(other) ? one : other;
}
