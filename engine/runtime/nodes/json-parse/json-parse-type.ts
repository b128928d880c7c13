/**
 * `json.parse`: parses text that is or contains JSON.
 */
import { z } from 'zod';
import { isJsonMap } from '../../../language/json/json-value.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, refuseTwoSchemas, schemaFields } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const configSchema = () =>
  z
    .object({
      find: z
        .enum(['first', 'last', 'whole'])
        .default('first')
        .describe(
          'first or last: the first or last JSON value in the text, also in a code block, ignoring the thinking of a model; whole: the text contains nothing else',
        ),
      ...schemaFields(),
    })
    .superRefine(refuseTwoSchemas);

export const jsonParseType = describeType({
  type: 'json.parse',
  title: 'Parse JSON',
  description: 'Parses text as JSON, or finds JSON in it.',
  example: '“Here it is: {"a": 1}” → { a: 1 }.',
  category: 'text',
  icon: 'braces',
  inputSchema: () => z.object({ text: z.string().meta({ editor: 'long-text' }).describe('Text to parse') }),
  configSchema,
  outputSchema: () => z.object({ value: anyJson.describe('Parsed value') }),
  effects: 'pure',
  schemaPlaces: [[]],
  givenSchemas: ({ config: { schema } }) => (isJsonMap(schema) ? { value: schema } : {}),
  start: (from) => ({ input: { text: from.text('{ "items": [1, 2, 3] }') } }),
  summary: (_config, { text }) => ['Parses ', chipOf(text) ?? 'nothing yet', ' as JSON'],
});
