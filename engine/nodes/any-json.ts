/**
 * Schemas that node types share.
 */
import { z } from 'zod';
import type { JsonValue } from '../flowspec/json-value.ts';

/**
 * Any value at all; only a missing one is refused. Values come from YAML, JSON or other nodes' outputs and are known to
 * be JSON, and looking through each of them once more would make large ones slow.
 */
export const anyJson: z.ZodType<JsonValue> = z.any();

/** The config of a type that has no settings. */
export const noConfig = z.object({});

/** Tokens that model calls used. */
export const usageSchema = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  cachedTokens: z.exactOptional(z.number()),
  cacheCreationTokens: z.exactOptional(z.number()),
  reasoningTokens: z.exactOptional(z.number()),
});
