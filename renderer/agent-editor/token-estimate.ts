/**
 * How many tokens a text may be. Each model counts in its own way; this is near enough to see what is large.
 */

const charactersPerToken = 4;

/** Rounded up; 0 for a text of blanks. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.trim().length / charactersPerToken);
}
