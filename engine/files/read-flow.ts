/**
 * Flow files as text, whatever they hold.
 */
import { readStart } from './read-text.ts';

interface ReadFlowOptions {
  /** The path as messages name it. */
  readonly shownPath: string;
  /** The longest text that a flow may have, in UTF-16 units. */
  readonly maxLength: number;
}

interface FlowFileText {
  readonly text: string;
  /** Why the text is not what the file holds, in a sentence for the person; absent = it is, and may be written back. */
  readonly loss?: string;
}

/**
 * Reads a flow's text, or as much of it as its check needs to refuse it: what is over the limit is cut just behind it,
 * and bytes that are no UTF-8 stand as U+FFFD. So a file that is no flow gets the same diagnostics as any other text. A
 * byte order mark stays, as U+FEFF.
 * @param file absolute
 * @throws EngineError `files.not-found` | `files.not-text` for what is no regular file | `files.not-readable`
 */
export async function readFlowFile(file: string, { shownPath, maxLength }: ReadFlowOptions): Promise<FlowFileText> {
  // UTF-8 has at most three bytes for each UTF-16 unit.
  const bytes = await readStart(file, { shownPath, maxBytes: 3 * (maxLength + 1) });
  const text = decode(bytes, 'as far as it goes') ?? '';
  if (text.length > maxLength) {
    const loss = `${shownPath} has more than ${maxLength.toLocaleString('en')} characters, and only its beginning is shown. Split the flow with another program to change it here.`;
    return { text: text.slice(0, maxLength + 1), loss };
  }
  if (!text.includes('\0') && decode(bytes, 'exactly') !== undefined) return { text };
  const loss = `${shownPath} holds bytes that are no text in UTF-8, which saving would destroy. Save it as UTF-8 with the program that wrote it to change it here.`;
  return { text, loss };
}

/** The text of `readFlowFile`, for those who do not write it back. */
export async function readFlowText(file: string, options: ReadFlowOptions): Promise<string> {
  return (await readFlowFile(file, options)).text;
}

function decode(bytes: Uint8Array, how: 'exactly' | 'as far as it goes'): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: how === 'exactly' }).decode(bytes);
  } catch {
    return undefined;
  }
}
