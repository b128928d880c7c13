/**
 * The options in the heading of a prompt, for example `cache = true`: an inline table of TOML, with or without braces.
 */
import { parse } from 'smol-toml';
import { z } from 'zod';

const promptOptionsSchema = z.object({ cache: z.exactOptional(z.boolean()) });

/** What the heading of a prompt can ask for. */
export interface PromptOptions {
  /** The provider is asked to keep everything up to here in its prompt cache. */
  readonly cache: boolean;
}

/** Reads the text between the backticks, filled if it was a template; null = it cannot be read. */
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
