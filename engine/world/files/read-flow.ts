/**
 * Reads flow files as text, even if their content is invalid.
 */
import { readStart } from './read-text.ts';

interface ReadFlowOptions {
  /** Path for messages. */
  readonly shownPath: string;
  /** Maximum length of a flow in UTF-16 units. */
  readonly maxLength: number;
}

interface FlowFileText {
  readonly text: string;
  /**
   * Why the text differs from the file's content, as a sentence for the user. Absent if it does not differ, in which
   * case it may be written back.
   */
  readonly loss?: string;
}

/**
 * Reads a flow's text, or as much as validation needs to reject it. Text over the limit is truncated right after the
 * limit, and invalid UTF-8 is replaced with U+FFFD. An invalid file therefore gets the same diagnostics as any other
 * text. A byte order mark is kept as U+FEFF.
 * @param file absolute path
 * @throws EngineError `files.not-found` | `files.not-text` if it is not a regular file | `files.not-readable`
 */
export async function readFlowFile(file: string, { shownPath, maxLength }: ReadFlowOptions): Promise<FlowFileText> {
  // UTF-8 uses at most three bytes per UTF-16 unit.
  const bytes = await readStart(file, { shownPath, maxBytes: 3 * (maxLength + 1) });
  const text = decode(bytes, 'as far as it goes') ?? '';
  if (text.length > maxLength) {
    const loss = `${shownPath} has more than ${maxLength.toLocaleString('en')} characters, so only its beginning is shown. To edit it here, first split the flow with another program.`;
    return { text: text.slice(0, maxLength + 1), loss };
  }
  if (!text.includes('\0') && decode(bytes, 'exactly') !== undefined) return { text };
  const loss = `${shownPath} contains bytes that are not UTF-8 text; saving would destroy them. To edit it here, first save it as UTF-8 with the program that wrote it.`;
  return { text, loss };
}

/** Reads the text like `readFlowFile`, for callers that do not write it back. */
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
