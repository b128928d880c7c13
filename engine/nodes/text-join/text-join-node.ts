/**
 * `text.join`: makes one text of the items of a list.
 */
import { z } from 'zod';
import { defineNodeType } from '../../flow/node-type.ts';
import { MAX_OUTPUT_BYTES } from '../../flowspec/flow-limits.ts';
import { textForm } from '../../flowspec/json-value.ts';
import { outputTooLarge } from '../../flowspec/too-large.ts';
import { forEachItem } from '../item-context.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const textJoinNode = defineNodeType({
  type: 'text.join',
  title: 'Join texts',
  description: 'Makes one text of the items of a list, with a separator between them.',
  example: '[red, green] with “, ” → “red, green”.',
  category: 'text',
  icon: 'text',
  inputSchema: z.object({
    items: z.array(anyJson).describe('What to join; what is no text stands in its text form'),
    separator: z.string().default('\n').describe('Stands between two items; a new line when not given'),
  }),
  configSchema: z.object({}),
  outputSchema: z.object({ text: z.string().describe('The items, one after the other') }),
  effects: 'pure',
  capabilities: [],
  start: (from) => ({ input: { items: from.list(['one', 'two']) } }),
  summary: (_config, { items }) => ['Joins ', chipOf(items) ?? 'nothing yet'],
  run: async ({ input: { items, separator }, clock, signal }) => {
    const texts: string[] = [];
    let left = MAX_OUTPUT_BYTES;
    await forEachItem(items, { clock, signal }, (item) => {
      const text = textForm(item);
      left -= text.length + separator.length;
      if (left < 0) throw outputTooLarge('The joined text', MAX_OUTPUT_BYTES);
      texts.push(text);
    });
    return { text: texts.join(separator) };
  },
});
