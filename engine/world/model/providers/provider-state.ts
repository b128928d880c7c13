/**
 * Data that a provider returns with tool calls and expects back when the conversation continues: signed thinking for
 * Anthropic, the signature of each call for Gemini. For the SDK these are provider options.
 * https://docs.claude.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks,
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
import { z } from 'zod';
import type { JsonValue } from '../../../language/json/json-value.ts';
import type { SdkOptions } from './sdk-model.ts';

interface SignedThought {
  readonly text: string;
  /** Metadata of a part that the SDK returns, and options of the same part when it is sent. */
  readonly options: SdkOptions;
}

interface ProviderState {
  /** Signed thinking, in order. */
  readonly thoughts: readonly SignedThought[];
  /** Options by call ID. */
  readonly signatures: Readonly<Record<string, SdkOptions>>;
}

const options: z.ZodType<SdkOptions> = z.record(z.string(), z.record(z.string(), z.any()));
const providerState = z.object({
  thoughts: z.array(z.object({ text: z.string(), options })).default([]),
  signatures: z.record(z.string(), options).default({}),
});

/** Returns an empty state if the value is invalid, because a cassette may have been written by hand. */
export function readProviderState(state: JsonValue | undefined): ProviderState {
  const read = providerState.safeParse(state);
  return read.success ? read.data : { thoughts: [], signatures: {} };
}

/** Returns undefined if the provider returned no such data. */
export function writeProviderState({ thoughts, signatures }: ProviderState): JsonValue | undefined {
  const hasCalls = Object.keys(signatures).length > 0;
  if (thoughts.length === 0 && !hasCalls) return undefined;
  const state = { ...(thoughts.length > 0 ? { thoughts } : {}), ...(hasCalls ? { signatures } : {}) };
  // SDK values may contain undefined fields, which logs do not store.
  return JSON.parse(JSON.stringify(state));
}
