/**
 * What completion offers.
 */

/** Something that may be written. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'node' | 'field';
  /** Few words beside the label. */
  readonly detail: string;
  readonly description: string;
  /** Written in place of the characters from `start` to `end`. Further lines are indented from the beginning of the line. */
  readonly insert: string;
  /** What is compared with the text in its place; the label when absent. */
  readonly filter?: string;
  readonly start: number;
  readonly end: number;
}
