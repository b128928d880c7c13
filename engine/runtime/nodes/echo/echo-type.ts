/**
 * `echo`: returns its text.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { noConfig } from '../shared-schemas.ts';
import { quoteOf } from '../summary-text.ts';

export const echoType = describeType({
  type: 'echo',
  title: 'Echo',
  description: 'Returns its text unchanged, with bindings filled in.',
  example: '“Hello {{flow.input.name}}” → “Hello Ada”.',
  category: 'text',
  icon: 'quote',
  inputSchema: () => z.object({ text: z.string().meta({ editor: 'long-text' }).describe('Text to return') }),
  configSchema: () => noConfig,
  outputSchema: () => z.object({ text: z.string().describe('Same text') }),
  effects: 'pure',
  start: (from) => ({ input: { text: from.text('Hello') } }),
  summary: (_config, { text }) => {
    const quote = quoteOf(text);
    return quote.length === 0 ? ['Says nothing yet'] : ['Says ', ...quote];
  },
});
