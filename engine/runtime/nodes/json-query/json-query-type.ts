/**
 * `json.query`: selects values with a JSONPath query (RFC 9535).
 */
import { z } from 'zod';
import { pathProblem } from '../../../language/json/json-path/json-path.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const configSchema = () =>
  z.object({
    path: z
      .string()
      .superRefine((path, { addIssue }) => {
        const problem = pathProblem(path);
        if (problem !== undefined) addIssue({ code: 'custom', message: problem });
      })
      .describe('JSONPath (RFC 9535), for example $.orders[?@.open].id'),
  });

export const jsonQueryType = describeType({
  type: 'json.query',
  title: 'JSON query',
  description: 'Selects values from a list or a map with a JSONPath query.',
  example: '$.items[*].name from {{fetch.body}} → all the names.',
  category: 'text',
  icon: 'braces',
  inputSchema: () => z.object({ value: anyJson.describe('Value to query') }),
  configSchema,
  outputSchema: () =>
    z.object({
      value: anyJson.describe('List of all matches; for a path to a single value, that value or null'),
    }),
  effects: 'pure',
  start: (from) => ({ input: { value: from.any({ items: [1, 2, 3] }) }, config: { path: '$' } }),
  summary: ({ path }, { value }) => [
    'Selects ',
    chipOf(path) ?? 'nothing yet',
    ' from ',
    chipOf(value) ?? 'nothing yet',
  ],
});
