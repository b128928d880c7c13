/**
 * `json.query`: picks values out of a value with a JSONPath query (RFC 9535).
 */
import { z } from 'zod';
import { Breather } from '../../base/breather.ts';
import type { Clock } from '../../base/clock.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { pathProblem, queryJson } from '../../flowspec/json-path/json-path.ts';
import type { JsonValue } from '../../flowspec/json-value.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const configSchema = z.object({
  path: z
    .string()
    .superRefine((path, { addIssue }) => {
      const problem = pathProblem(path);
      if (problem !== undefined) addIssue({ code: 'custom', message: problem });
    })
    .describe('JSONPath (RFC 9535), for example $.orders[?@.open].id'),
});

export const jsonQueryNode = defineNodeType({
  type: 'json.query',
  title: 'JSON query',
  description: 'Picks values out of a list or a map with a JSONPath query.',
  example: '$.items[*].name out of {{fetch.body}} → all the names.',
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
  run: async ({ input, config, clock, signal }) => ({
    value: await pick(config.path, input.value, { clock, signal }),
  }),
});

/**
 * Works as long as it may and then lets others have a turn, so that it can be cancelled.
 * @throws EngineError as `queryJson` does; the signal's reason
 */
async function pick(
  path: string,
  value: JsonValue,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<JsonValue> {
  const breather = new Breather(clock);
  const search = queryJson(path, value);
  for (let next = search.next(); ; next = search.next()) {
    if (next.done === true) return next.value;
    if (!breather.isDue()) continue;
    await breather.rest();
    signal.throwIfAborted();
  }
}
