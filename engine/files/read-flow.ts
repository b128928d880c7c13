/**
 * Flow files as text, whatever they hold.
 */
import { readStart } from './read-text.ts';

export interface ReadFlowOptions {
  /** The path as messages name it. */
  readonly shownPath: string;
  /** The longest text that a flow may have, in UTF-16 units. */
  readonly maxLength: number;
}

/**
 * Reads a flow's text, or as much of it as its check needs to refuse it: what is over the limit is cut just behind it,
 * and bytes that are no UTF-8 stand as U+FFFD. So a file that is no flow gets the same diagnostics as any other text. A
 * byte order mark stays, as U+FEFF.
 * @param file absolute
 * @throws EngineError `files.not-found` | `files.not-text` for what is no regular file | `files.not-readable`
 */
export async function readFlowText(file: string, { shownPath, maxLength }: ReadFlowOptions): Promise<string> {
  // UTF-8 has at most three bytes for each UTF-16 unit.
  const bytes = await readStart(file, { shownPath, maxBytes: 3 * (maxLength + 1) });
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).slice(0, maxLength + 1);
}
