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
      body: z.array(z.string()).meta({ editor: 'nodes' }).describe('IDs of the nodes to run in each iteration'),
      until: conditionSchema
        .exactOptional()
        .meta({ editor: 'condition', sees: 'body' })
        .describe('Tested after each iteration; the loop ends when it is true'),
      while: conditionSchema
        .exactOptional()
        .meta({ editor: 'condition', sees: 'body' })
        .describe('Tested after each iteration; the loop ends when it is false'),
      maxIterations: z.int().min(1).max(mostPasses).default(usualPasses).describe('Maximum number of iterations'),
      onLimit: z
        .enum(['fail', 'finish'])
        .default('fail')
        .describe('When the limit is reached before the condition is met: fail, or complete with the results so far'),
    })
    .refine((input) => input.until !== undefined || input.while !== undefined, {
      error: 'has neither "until" nor "while": add one of them, so that the loop can end',
    });

export const controlLoopType = describeType({
  type: 'control.loop',
  title: 'Repeat until',
  description: 'Runs nodes repeatedly until a condition is met, up to a maximum number of iterations.',
  example: 'Write, review and revise until review.value.passes is true.',
  category: 'loop',
  icon: 'repeat',
  inputSchema,
  configSchema: () => noConfig,
  outputSchema: () =>
    z.object({
      iterations: z
        .array(
          z.object({
            index: z.int().describe('Zero-based index of the iteration'),
            outputs: z.record(z.string(), anyJson).describe('Outputs of the body by node ID'),
          }),
        )
        .describe('Iterations in order'),
      last: z.record(z.string(), anyJson).describe('Outputs of the body in the last iteration, by node ID'),
      reason: z.enum(['condition', 'limit']).describe('Why the loop ended: its condition, or the limit of iterations'),
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
