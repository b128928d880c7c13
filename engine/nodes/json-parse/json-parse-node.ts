/**
 * `json.parse`: makes a value of a text that is JSON, or holds some.
 */
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { isJsonMap } from '../../flowspec/json-value.ts';
import type { AnswerProblem } from '../../kernel/capabilities.ts';
import type { UnreadableJson } from '../../schema/find-json.ts';
import { anyJson, refuseTwoSchemas, schemaFields, schemaIn } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const configSchema = z
  .object({
    find: z
      .enum(['first', 'whole'])
      .default('first')
      .describe('first: the first JSON value in the text, also inside a code fence; whole: the text is nothing else'),
    ...schemaFields,
  })
  .superRefine(refuseTwoSchemas);

export const jsonParseNode = defineNodeType({
  type: 'json.parse',
  title: 'Parse JSON',
  description: 'Reads a text as JSON, or finds the JSON in it.',
  example: '“Here it is: {"a": 1}” → { a: 1 }.',
  category: 'text',
  icon: 'braces',
  inputSchema: z.object({ text: z.string().meta({ editor: 'long-text' }).describe('The text to read') }),
  configSchema,
  outputSchema: z.object({ value: anyJson.describe('What the text says') }),
  effects: 'pure',
  capabilities: ['answers'],
  schemaPlaces: [[]],
  givenSchemas: ({ config: { schema } }) => (isJsonMap(schema) ? { value: schema } : {}),
  start: (from) => ({ input: { text: from.text('{ "items": [1, 2, 3] }') } }),
  summary: (_config, { text }) => ['Reads ', chipOf(text) ?? 'nothing yet', ' as JSON'],
  run: async ({ input: { text }, config, can, signal }) => {
    const read = await can.answers.read({ text, find: config.find, schema: schemaIn(config) }, signal);
    if ('value' in read) return { value: read.value };
    throw 'unreadable' in read ? unreadable(read.unreadable) : unfit(read.problems);
  },
});

function unreadable({ problem, line, column, around }: UnreadableJson): EngineError {
  const place = around === '' ? '' : ` Line ${line}, column ${column}: ${JSON.stringify(around)}.`;
  return new EngineError({
    code: 'json.unreadable',
    message: `The text cannot be read as JSON. ${problem}${place}`,
    details: { line, column, around },
  });
}

function unfit(problems: readonly AnswerProblem[]): EngineError {
  const [first] = problems;
  const where = first?.pointer === '' ? 'The value' : first?.pointer;
  const more = problems.length > 1 ? ` And ${problems.length - 1} more.` : '';
  return new EngineError({
    code: 'json.unfit',
    message: `The value does not fit the schema. ${where}: expected ${first?.expected}, found ${first?.found}.${more}`,
    details: { problems: problems.map((problem) => ({ ...problem })) },
  });
}
