/**
 * `condition.equals`: compares two values, for the `when` of later nodes.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, noConfig } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const conditionEqualsType = describeType({
  type: 'condition.equals',
  title: 'Equals',
  description:
    'Compares two values deeply, without conversion. As in conditions, null does not equal anything, even null.',
  example: '{{ask.text}} equals yes → true or false.',
  category: 'logic',
  icon: 'equal',
  inputSchema: () =>
    z.object({
      left: anyJson.describe('First value'),
      right: anyJson.describe('Second value'),
    }),
  configSchema: () => noConfig,
  outputSchema: () => z.object({ value: z.boolean().describe('True when the values are equal') }),
  effects: 'pure',
  start: (from) => ({ input: { left: from.any('yes'), right: 'yes' } }),
  summary: (_config, { left, right }) => [
    'Is ',
    chipOf(left) ?? 'something',
    ' equal to ',
    chipOf(right) ?? 'something',
    '?',
  ],
});
