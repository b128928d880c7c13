/**
 * The options in the heading of a prompt, for example `cache = true`: an inline table of TOML, with or without braces.
 */
import { parse } from 'smol-toml';
import { z } from 'zod';

const promptOptionsSchema = z.object({ cache: z.exactOptional(z.boolean()) });

/** Options that the heading of a prompt can set. */
export interface PromptOptions {
  /** Asks the provider to cache everything up to this message. */
  readonly cache: boolean;
}

/** Parses the text between the backticks, after filling it if it is a template; null if it is invalid. */
export function readPromptOptions(text: string): PromptOptions | null {
  const trimmed = text.trim();
  if (trimmed === '') return { cache: false };
  const table = trimmed.startsWith('{') ? trimmed : `{${trimmed}}`;
  try {
    const { options } = parse(`options = ${table}`);
    const { cache = false } = promptOptionsSchema.parse(options);
    return { cache };
  } catch {
    return null;
  }
}
