/**
 * `user_input`: asks a person for values.
 */
import { z } from 'zod';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { formDeadline } from '../deadline-fields.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const anyMap = () => z.record(z.string(), anyJson);
const formSchema = () =>
  z
    .record(z.string(), anyJson)
    .refine((schema) => typeof schema['properties'] === 'object' && schema['properties'] !== null, {
      error: 'has no properties: a form asks for a map, with a property for each field',
    });

export const userInputType = describeType({
  type: 'user_input',
  title: 'User input',
  description: 'Asks a person to fill in a form. The run waits, for days if need be, and everything else goes on.',
  example: 'Which customer? → values.customer.',
  category: 'human',
  icon: 'form',
  inputSchema: () =>
    z.object({
      title: z.string().min(1).describe('What is asked, in one line'),
      message: z.string().optional().meta({ editor: 'long-text' }).describe('What whoever answers has to know'),
      schema: formSchema()
        .meta({ editor: 'schema' })
        .describe('JSON Schema of the values: a property for each field; required, enum and default as usual'),
      defaults: anyMap().optional().describe('What the form begins with'),
    }),
  configSchema: formDeadline,
  outputSchema: () =>
    z.object({
      values: anyMap().describe('What was filled in, by field'),
      comment: z.string().describe('What the person had to say; empty when that was nothing'),
      by: z.string().nullable().describe('Who answered'),
      at: z.number().describe('When, in epoch milliseconds'),
    }),
  effects: 'pure',
  givenSchemas: ({ input }) => ({ values: isSchema(input['schema']) ? input['schema'] : {} }),
  start: () => ({
    input: {
      title: 'What is missing?',
      schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
  }),
  summary: (_config, { title }) => ['Asks a person ', chipOf(title) ?? 'nothing yet'],
});

function isSchema(value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
