/**
 * `list.map`: converts each list item to a value.
 */
import { z } from 'zod';
import { findBindings } from '../../../language/bindings/bindings.ts';
import { isJsonMap } from '../../../language/json/json-value.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { loopSchema } from '../item-schemas.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf, quoteOf } from '../summary-text.ts';

const templateSchema = () =>
  anyJson.superRefine((template, { addIssue }) => {
    for (const { path, template: text } of findBindings(template)) {
      for (const { message } of text.problems) {
        addIssue({ code: 'custom', path: [...path], message: `is not valid: ${message.replace(/\.$/, '')}` });
      }
    }
  });

export const listMapType = describeType({
  type: 'list.map',
  title: 'Map list',
  description: 'Creates a new list by filling a template with each item.',
  example: '“{{item.name}}, {{item.age}}” for each person.',
  category: 'text',
  icon: 'list',
  inputSchema: () => z.object({ items: z.array(anyJson).describe('List to map') }),
  configSchema: () =>
    z.object({
      template: templateSchema()
        .meta({ sees: 'item' })
        .describe('Any value. In its text, {{item}} is the item and {{loop.index}} its zero-based index'),
    }),
  outputSchema: () => z.object({ items: z.array(anyJson).describe('Result for each item, in the same order') }),
  effects: 'pure',
  givenSchemas: ({ input, config }, schemaOf) => {
    const { items } = schemaOf(input['items']);
    const made = schemaOf(config['template'], { item: isJsonMap(items) ? items : {}, loop: loopSchema });
    return { items: { type: 'array', items: made } };
  },
  start: (from) => ({ input: { items: from.list(['one', 'two']) }, config: { template: '{{item}}' } }),
  summary: ({ template }, { items }) => {
    const quote = quoteOf(template);
    return [
      'Creates ',
      ...(quote.length === 0 ? ['nothing yet'] : quote),
      ' for each of ',
      chipOf(items) ?? 'nothing yet',
    ];
  },
});
