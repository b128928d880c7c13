/**
 * `json.query`: picks values out of a value with a JSONPath query (RFC 9535).
 */
import { jsonpath } from 'json-p3';
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import type { JsonValue } from '../../flowspec/json-value.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

/** Deeper values are refused by name; the library goes down by calling itself and would run out of stack. */
const maxDepth = 1000;

const environment = new jsonpath.JSONPathEnvironment({ maxRecursionDepth: maxDepth });

const configSchema = z.object({
  path: z
    .string()
    .superRefine((path, { addIssue }) => {
      const problem = problemOf(path);
      if (problem !== undefined) addIssue({ code: 'custom', message: problem });
    })
    .describe('JSONPath (RFC 9535), for example $.orders[?@.open].id'),
});

export const jsonQueryNode = defineNodeType({
  type: 'json.query',
  title: 'JSON query',
  description: 'Picks values out of a list or a map with a JSONPath query.',
  category: 'text',
  icon: 'braces',
  inputSchema: z.object({ value: anyJson.describe('What to look into') }),
  configSchema,
  outputSchema: z.object({
    value: anyJson.describe('All matches as a list; for a path to one place, what stands there, or null'),
  }),
  effects: 'pure',
  capabilities: [],
  start: (from) => ({ input: { value: from.any({ items: [1, 2, 3] }) }, config: { path: '$' } }),
  summary: ({ path }, { value }) => ['Picks ', chipOf(path) ?? 'nothing yet', ' from ', chipOf(value) ?? 'nothing yet'],
  run: async ({ input, config }) => ({ value: pick(config.path, input.value) }),
});

/** @throws EngineError `json.too-deep` */
function pick(path: string, value: JsonValue): JsonValue {
  const query = environment.compile(path);
  try {
    // The library only reads; its type has no word for that.
    const matches = query.query(value as Parameters<typeof query.query>[0]).values() as readonly JsonValue[];
    return query.singularQuery() ? (matches[0] ?? null) : matches;
  } catch (error) {
    if (!(error instanceof jsonpath.JSONPathRecursionLimitError)) throw error;
    throw new EngineError({
      code: 'json.too-deep',
      message: `The query "${path}" met lists and maps nested deeper than ${maxDepth}. Name the way down instead of searching with "..".`,
    });
  }
}

function problemOf(path: string): string | undefined {
  if (!path.startsWith('$')) return 'must begin with $, which stands for the whole value';
  try {
    environment.compile(path);
    return undefined;
  } catch (error) {
    return `is no JSONPath: ${error instanceof Error ? error.message : String(error)}`;
  }
}
