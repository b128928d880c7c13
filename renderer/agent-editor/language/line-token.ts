/**
 * What the colours of a line are made of.
 */

/** What a stretch of a line is; the theme has a colour for each. */
export type TokenName =
  | ''
  | 'heading'
  | 'fence'
  | 'keyword.lua'
  | 'function'
  | 'string'
  | 'number'
  | 'comment'
  | 'key'
  | 'binding'
  | 'strong';

/** A stretch from `start` to the next token of the line. */
export interface LineToken {
  readonly start: number;
  readonly name: TokenName;
}
