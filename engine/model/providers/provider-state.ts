/**
 * What a provider said beside the words of an answer that calls tools, and wants back when the conversation goes on: Anthropic its
 * signed thoughts, Gemini the signature of each call. For the SDK these are options that it reads by itself.
 * https://docs.claude.com/en/docs/build-with-claude/extended-thinking#preserving-thinking-blocks,
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
import { z } from 'zod';
import type { JsonValue } from '../../flowspec/json-value.ts';
import type { SdkOptions } from './sdk-model.ts';

interface SignedThought {
  readonly text: string;
  /** Metadata of a part that the SDK returns, and options of the same part when it is sent. */
  readonly options: SdkOptions;
}

interface ProviderState {
  /** In order. */
  readonly thoughts: readonly SignedThought[];
  /** By the id of the call. */
  readonly signatures: Readonly<Record<string, SdkOptions>>;
}

const options: z.ZodType<SdkOptions> = z.record(z.string(), z.record(z.string(), z.any()));
const providerState = z.object({
  thoughts: z.array(z.object({ text: z.string(), options })).default([]),
  signatures: z.record(z.string(), options).default({}),
});

/** Nothing, where it is none: a cassette may have been written by hand. */
export function readProviderState(state: JsonValue | undefined): ProviderState {
  const read = providerState.safeParse(state);
  return read.success ? read.data : { thoughts: [], signatures: {} };
}

/** Undefined when the provider has said nothing of the kind. */
export function writeProviderState({ thoughts, signatures }: ProviderState): JsonValue | undefined {
  const hasCalls = Object.keys(signatures).length > 0;
  if (thoughts.length === 0 && !hasCalls) return undefined;
  const state = { ...(thoughts.length > 0 ? { thoughts } : {}), ...(hasCalls ? { signatures } : {}) };
  // What the SDK gives may hold undefined fields, which no log keeps.
  return JSON.parse(JSON.stringify(state));
}
