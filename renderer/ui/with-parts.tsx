/**
 * Puts elements into a sentence, so that the sentence stays whole in its table of text.
 */
import { Fragment, type ReactNode } from 'react';

/**
 * Returns the text with the part in place of each `{name}`.
 * @param text a constant of a table, so that text from a user is never parsed as a name
 */
export function withParts(text: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  return text.split(/\{(\w+)\}/).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a constant never move
    <Fragment key={index}>{index % 2 === 1 ? parts[piece] : piece}</Fragment>
  ));
}
