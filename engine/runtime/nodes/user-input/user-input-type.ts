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
      error: 'has no properties: add a property for each field of the form',
    });

export const userInputType = describeType({
  type: 'user_input',
  title: 'User input',
  description: 'Asks a person to fill in a form. The run waits, for days if necessary, while other work continues.',
  example: 'Which customer? → values.customer.',
  category: 'human',
  icon: 'form',
  inputSchema: () =>
    z.object({
      title: z.string().min(1).describe('Request in one line'),
      message: z
        .string()
        .optional()
        .meta({ editor: 'long-text' })
        .describe('Information that the person needs to answer'),
      schema: formSchema()
        .meta({ editor: 'schema' })
        .describe('JSON Schema of the values: a property for each field, with required, enum and default as usual'),
      defaults: anyMap().optional().describe('Initial values of the form'),
    }),
  configSchema: formDeadline,
  outputSchema: () =>
    z.object({
      values: anyMap().describe('Values entered, by field'),
      comment: z.string().describe('Comment of the person; empty if there is none'),
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
