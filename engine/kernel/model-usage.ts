/**
 * Counting the tokens of model calls.
 */
import type { ModelUsage } from './run-event.ts';

const details = ['cachedTokens', 'cacheCreationTokens', 'reasoningTokens'] as const;

/** What two calls used together. What neither of them reported stays absent. */
export function addUsage(left: ModelUsage, right: ModelUsage): ModelUsage {
  const known = details.filter((name) => left[name] !== undefined || right[name] !== undefined);
  return {
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
    ...Object.fromEntries(known.map((name) => [name, (left[name] ?? 0) + (right[name] ?? 0)])),
  };
}
