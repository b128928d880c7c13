/**
 * Counting the tokens of model calls.
 */
import type { ModelUsage } from './run-event.ts';

/** What two calls used together. */
export function addUsage(left: ModelUsage, right: ModelUsage): ModelUsage {
  return {
    promptTokens: left.promptTokens + right.promptTokens,
    completionTokens: left.completionTokens + right.completionTokens,
  };
}
