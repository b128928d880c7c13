/**
 * `control.noop`: does nothing; joins edges.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, noConfig } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const schema = () => z.object({ value: z.exactOptional(anyJson).describe('Passed through unchanged') });

export const controlNoopType = describeType({
  type: 'control.noop',
  title: 'No-op',
  description: 'Does nothing. Use it to join branches or to pass a value through.',
  example: 'Two branches meet here before the report is written.',
  category: 'flow',
  icon: 'circle-dashed',
  inputSchema: schema,
  configSchema: () => noConfig,
  outputSchema: schema,
  effects: 'pure',
  givenSchemas: ({ input: { value } }, schemaOf) => ({ value: value === undefined ? false : schemaOf(value) }),
  start: () => ({ input: {} }),
  summary: (_config, { value }) => {
    const chip = chipOf(value);
    return chip === undefined ? ['Does nothing'] : ['Passes on ', chip];
  },
});
