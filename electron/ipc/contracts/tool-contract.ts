/**
 * Calls about the tools of a workspace. Part of `engine-contract.ts` and `person-contract.ts`.
 */
import { z } from 'zod';
import type { JsonMap, JsonValue } from '../../../engine/isomorphic.ts';
import { call } from '../rpc.ts';

const json = z.json() as z.ZodType<JsonValue>;
const jsonMap = z.record(z.string(), json) as z.ZodType<JsonMap>;

const toolListing = z.object({
  name: z.string(),
  title: z.exactOptional(z.string()),
  description: z.string(),
  inputSchema: jsonMap,
  outputSchema: z.exactOptional(jsonMap),
  effects: z.enum(['idempotent', 'external']),
  risk: z.enum(['low', 'medium', 'high']),
  requiresApproval: z.boolean(),
  tags: z.object({
    accessesPrivateData: z.boolean(),
    receivesUntrustedInput: z.boolean(),
    communicatesExternally: z.boolean(),
  }),
  kind: z.enum(['core', 'http', 'command', 'lua', 'js', 'mcp', 'agent', 'flow']),
  source: z.string(),
  pack: z.exactOptional(z.string()),
  product: z.exactOptional(z.string()),
  shared: z.exactOptional(z.literal(true)),
  problem: z.exactOptional(z.object({ message: z.string(), place: z.exactOptional(z.string()) })),
  usedBy: z.array(z.string()).readonly(),
});

const toolName = z.string().min(1).max(500);

/** A tool call requested by a page. */
export const toolTrial = z.strictObject({ tool: toolName, params: jsonMap });

export const toolResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('success'), result: json, metadata: z.exactOptional(jsonMap) }),
  z.object({
    status: z.literal('error'),
    error_category: z.enum(['validation_error', 'auth_error', 'not_found', 'rate_limit', 'timeout', 'server_error']),
    message: z.string(),
    retryable: z.boolean(),
    metadata: z.looseObject({ tool_id: z.string(), attempt: z.number() }),
  }),
]);

/** Lists all tools and where they are used. */
export const listTools = call([], z.array(toolListing).readonly());
