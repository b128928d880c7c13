/**
 * `control.loop`: runs the nodes of its body repeatedly until a condition is true.
 */
import { z } from 'zod';
import { usualPasses } from '../../../language/flow/loops.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import type { SummaryPart } from '../../../language/types/node-type-spec.ts';
import { anyJson, conditionSchema, noConfig } from '../shared-schemas.ts';
import { conditionChip, nodesIn } from '../summary-text.ts';

const mostPasses = 1000;

const inputSchema = () =>
  z
    .object({
      body: z.array(z.string()).meta({ editor: 'nodes' }).describe('Ids of the nodes to run in each pass'),
      until: conditionSchema
        .exactOptional()
        .meta({ editor: 'condition', sees: 'body' })
        .describe('Tested after each pass: ends the loop when it holds'),
      while: conditionSchema
        .exactOptional()
        .meta({ editor: 'condition', sees: 'body' })
        .describe('Tested after each pass: ends the loop when it does not hold any more'),
      maxIterations: z.int().min(1).max(mostPasses).default(usualPasses).describe('How many passes there may be'),
      onLimit: z
        .enum(['fail', 'finish'])
        .default('fail')
        .describe('When the last pass has not met the condition: fail, or finish with what there is'),
    })
    .refine((input) => input.until !== undefined || input.while !== undefined, {
      error: 'has neither "until" nor "while": one of them must say when the loop ends',
    });

export const controlLoopType = describeType({
  type: 'control.loop',
  title: 'Repeat until',
  description: 'Runs some nodes again and again until a condition holds, at most as often as it says.',
  example: 'Write, review, mend, until review.value.passes is true.',
  category: 'loop',
  icon: 'repeat',
  inputSchema,
  configSchema: () => noConfig,
  outputSchema: () =>
    z.object({
      iterations: z
        .array(
          z.object({
            index: z.int().describe('Number of the pass, from 0'),
            outputs: z.record(z.string(), anyJson).describe('By id of the nodes of the body'),
          }),
        )
        .describe('The passes, in their order'),
      last: z.record(z.string(), anyJson).describe('What the nodes of the body gave in the last pass, by id'),
      reason: z.enum(['condition', 'limit']).describe('Why it ended: its condition, or the number of passes'),
    }),
  effects: 'pure',
  start: () => ({ input: { body: [], until: { gte: { var: 'loop.index', value: 2 } }, maxIterations: usualPasses } }),
  summary: (_config, { body, until, while: during }) => [
    'Repeats ',
    nodesIn(body),
    ...endWords('until', until),
    ...endWords('while', during),
  ],
});

function endWords(word: string, condition: JsonValue | undefined): readonly SummaryPart[] {
  return condition === undefined ? [] : [` ${word} `, conditionChip(condition)];
}
