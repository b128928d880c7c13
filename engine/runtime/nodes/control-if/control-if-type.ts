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
  description: 'Goes one way when a condition holds, and another when it does not.',
  example: 'ask.value.score is at least 8 → way “true”; else → “false”.',
  category: 'logic',
  icon: 'split',
  inputSchema: () =>
    z.object({
      condition: conditionSchema
        .meta({ editor: 'condition' })
        .describe('Sees what bindings see, by paths such as ask.value.score'),
    }),
  configSchema: () => noConfig,
  outputSchema: () =>
    z.object({
      condition: z.boolean().describe('Whether it holds; edges that follow a way ask for <id>.condition'),
    }),
  effects: 'pure',
  start: () => ({ input: { condition: { exists: 'flow.input' } } }),
  routes: () => ['true', 'false'],
  routeField: 'condition',
  summary: (_config, { condition }) => ['If ', conditionChip(condition)],
});
