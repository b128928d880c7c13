/**
 * `text.split`: splits a text into a list of its parts.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { chipOf } from '../summary-text.ts';

export const textSplitType = describeType({
  type: 'text.split',
  title: 'Split text',
  description: 'Makes a list of the parts of a text, such as its lines.',
  example: 'Three lines of text → a list of three.',
  category: 'text',
  icon: 'list',
  inputSchema: () =>
    z.object({
      text: z.string().meta({ editor: 'long-text' }).describe('The text to cut'),
      separator: z.string().min(1).default('\n').describe('Where to cut; at new lines when not given'),
    }),
  configSchema: () =>
    z.object({
      keepEmpty: z.boolean().default(false).describe('Keep parts in which nothing or only blanks stand'),
    }),
  outputSchema: () => z.object({ items: z.array(z.string()).describe('The parts, without the separator') }),
  effects: 'pure',
  start: (from) => ({ input: { text: from.text('one\ntwo') } }),
  summary: (_config, { text }) => ['Splits ', chipOf(text) ?? 'nothing yet'],
});
