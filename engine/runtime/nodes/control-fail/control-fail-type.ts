/**
 * `control.fail`: fails intentionally with a message.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { noConfig } from '../shared-schemas.ts';
import { wordsOf } from '../summary-text.ts';

export const controlFailType = describeType({
  type: 'control.fail',
  title: 'Fail',
  description: 'Fails with a message. Add a condition to guard the nodes after it.',
  example: 'Fails with “No invoice found” when a list is empty.',
  category: 'flow',
  icon: 'octagon-x',
  inputSchema: () => z.object({ message: z.string().describe('Error message') }),
  configSchema: () => noConfig,
  outputSchema: () => z.never(),
  effects: 'pure',
  start: () => ({ input: { message: 'This should not happen.' } }),
  summary: (_config, { message }) => {
    const words = wordsOf(message);
    return words.length === 0 ? ['Fails'] : ['Fails: ', ...words];
  },
});
