/**
 * The result of a completion.
 */

/** A completion. */
export interface CompletionSuggestion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'node' | 'field';
  /** A short text beside the label. */
  readonly detail: string;
  readonly description: string;
  /** Replaces the characters from `start` to `end`. Further lines are indented relative to the line. */
  readonly insert: string;
  /** The text to compare with the typed characters. Defaults to the label. */
  readonly filter?: string;
  readonly start: number;
  readonly end: number;
}
