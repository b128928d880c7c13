/**
 * `control.if`: evaluates a condition, with a branch for each result.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { conditionSchema, noConfig } from '../shared-schemas.ts';
import { conditionChip } from '../summary-text.ts';

export const controlIfType = describeType({
  type: 'control.if',
  title: 'If',
  description: 'Takes one branch when a condition is true, and another when it is false.',
  example: 'ask.value.score is at least 8 → branch “true”; else “false”.',
  category: 'logic',
  icon: 'split',
  inputSchema: () =>
    z.object({
      condition: conditionSchema
        .meta({ editor: 'condition' })
        .describe('Reads the same values as bindings, by paths such as ask.value.score'),
    }),
  configSchema: () => noConfig,
  outputSchema: () =>
    z.object({
      condition: z.boolean().describe('Whether the condition is true. The edges of the branches test <id>.condition'),
    }),
  effects: 'pure',
  start: () => ({ input: { condition: { exists: 'flow.input' } } }),
  routes: () => ['true', 'false'],
  routeField: 'condition',
  summary: (_config, { condition }) => ['If ', conditionChip(condition)],
});
