/**
 * The schema of a tool manifest, `<name>.tool.yaml`.
 */
import { z } from 'zod';
import type { JsonMap } from '../../language/json/json-value.ts';

const longestMs = 24 * 3_600_000;

const anyMap = z.custom<JsonMap>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a map',
);

const parsing = z.enum(['auto', 'text', 'json']).default('auto');

const httpRun = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).default('GET'),
  url: z.string().regex(/^https?:\/\/|^\{\{/, 'must begin with http:// or https://'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
  parse: parsing,
});

const commandRun = z.strictObject({
  program: z.string().min(1),
  args: z.array(z.string()).default([]),
  cwd: z.string().min(1).optional(),
  env: z.record(z.string().regex(/^[^=\0]+$/, 'must be the name of a variable without ='), z.string()).default({}),
  stdin: z.string().optional(),
  parse: parsing,
});

/** What to run, by the kind of tool. Exactly one key is set. */
export const runSchema = z.strictObject({
  http: httpRun.optional(),
  command: commandRun.optional(),
  lua: z.string().min(1).optional(),
  js: z.string().min(1).optional(),
  mcp: z.strictObject({ server: z.string().min(1), tool: z.string().min(1) }).optional(),
  agent: z.string().min(1).optional(),
  flow: z.string().min(1).optional(),
});

export const manifestSchema = z.strictObject({
  tool_id: z
    .string()
    .max(30, 'must have at most 30 characters')
    .regex(
      /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
      'must contain only lowercase letters and digits, with single _ between words',
    ),
  name: z.string().min(1).optional(),
  description: z.string().min(1),
  input_schema: anyMap.default({ type: 'object', properties: {}, additionalProperties: false }),
  output_schema: anyMap.optional(),
  idempotent: z.boolean().default(false),
  timeout_ms: z.int().min(1).max(longestMs).nullable().default(60_000),
  accesses_private_data: z.boolean().default(false),
  receives_untrusted_input: z.boolean().default(false),
  communicates_externally: z.boolean().default(false),
  max_retries: z.int().min(0).max(10).nullable().default(null),
  requires_approval: z.boolean().default(false),
  rate_limit_rpm: z.int().min(1).max(100_000).nullable().default(null),
  cache_ttl_ms: z.int().min(1).max(longestMs).nullable().default(null),
  risk: z.enum(['low', 'medium', 'high']).default('medium'),
  /** For a product's tool: whether other products may call it. */
  shared: z.boolean().default(false),
  run: runSchema,
});

export type ToolManifest = z.output<typeof manifestSchema>;
export type ToolRun = z.output<typeof runSchema>;
export type HttpRun = z.output<typeof httpRun>;
export type CommandRun = z.output<typeof commandRun>;

/** Returns the valid keys at a path in a manifest; empty if any key is valid. */
export function knownKeysOf(path: readonly (string | number)[]): readonly string[] {
  if (path.length === 0) return Object.keys(manifestSchema.shape);
  if (path[0] !== 'run') return [];
  if (path.length === 1) return Object.keys(runSchema.shape);
  return Object.keys(
    { http: httpRun.shape, command: commandRun.shape, mcp: { server: 1, tool: 1 } }[String(path[1])] ?? {},
  );
}
