/**
 * `text.split`: splits text into a list of its parts.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { chipOf } from '../summary-text.ts';

export const textSplitType = describeType({
  type: 'text.split',
  title: 'Split text',
  description: 'Splits text into a list of parts, such as lines.',
  example: 'Three lines of text → a list of three.',
  category: 'text',
  icon: 'list',
  inputSchema: () =>
    z.object({
      text: z.string().meta({ editor: 'long-text' }).describe('Text to split'),
      separator: z.string().min(1).default('\n').describe('Separator between the parts; defaults to a newline'),
    }),
  configSchema: () =>
    z.object({
      keepEmpty: z.boolean().default(false).describe('Keep parts that are empty or contain only whitespace'),
    }),
  outputSchema: () => z.object({ items: z.array(z.string()).describe('Parts, without the separator') }),
  effects: 'pure',
  start: (from) => ({ input: { text: from.text('one\ntwo') } }),
  summary: (_config, { text }) => ['Splits ', chipOf(text) ?? 'nothing yet'],
});
