/**
 * Estimates the number of tokens in text. Each model counts differently, but this is accurate enough to see what is
 * large.
 */
import { charactersPerToken } from '../stores/runs/live/model-calls.ts';

/** Rounded up; 0 for text that consists only of spaces. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.trim().length / charactersPerToken);
}
