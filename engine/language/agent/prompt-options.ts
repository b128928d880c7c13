/** The options in a prompt heading, for example `cache = true`: a TOML inline table, with or without braces. */
import { parse } from 'smol-toml';
import { z } from 'zod';

const promptOptionsSchema = z.object({ cache: z.exactOptional(z.boolean()) });

/** Options that a prompt heading can set. */
export interface PromptOptions {
  /** Requests that the provider cache everything up to this message. */
  readonly cache: boolean;
}

/** Parses the text between the backticks, after filling them if they are a template; null if they are invalid. */
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
