/**
 * `list.map`: makes a value of each item of a list.
 */
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { findBindings, resolveBindings } from '../../flowspec/bindings.ts';
import { leastBytes } from '../../flowspec/checked-json.ts';
import { MAX_OUTPUT_BYTES } from '../../flowspec/flow-limits.ts';
import { isJsonMap, type JsonValue } from '../../flowspec/json-value.ts';
import { outputTooLarge } from '../../flowspec/too-large.ts';
import { forEachItem, itemContext, loopSchema } from '../item-context.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf, quoteOf } from '../summary-text.ts';

const templateSchema = anyJson.superRefine((template, { addIssue }) => {
  for (const { path, template: text } of findBindings(template)) {
    for (const { message } of text.problems) {
      addIssue({ code: 'custom', path: [...path], message: `is faulty: ${message.replace(/\.$/, '')}` });
    }
  }
});

export const listMapNode = defineNodeType({
  type: 'list.map',
  title: 'Map list',
  description: 'Makes a new list by filling a template with each item.',
  example: '“{{item.name}}, {{item.age}}” for each person.',
  category: 'text',
  icon: 'list',
  inputSchema: z.object({ items: z.array(anyJson).describe('The list to go through') }),
  configSchema: z.object({
    template: templateSchema
      .meta({ sees: 'item' })
      .describe('Any value; {{item}} in its text is the item, {{loop.index}} its place from 0'),
  }),
  outputSchema: z.object({ items: z.array(anyJson).describe('What became of each item, in the same order') }),
  effects: 'pure',
  capabilities: [],
  givenSchemas: ({ input, config }, schemaOf) => {
    const { items } = schemaOf(input['items']);
    const made = schemaOf(config['template'], { item: isJsonMap(items) ? items : {}, loop: loopSchema });
    return { items: { type: 'array', items: made } };
  },
  start: (from) => ({ input: { items: from.list(['one', 'two']) }, config: { template: '{{item}}' } }),
  summary: ({ template }, { items }) => {
    const quote = quoteOf(template);
    return [
      'Makes ',
      ...(quote.length === 0 ? ['nothing yet'] : quote),
      ' of each of ',
      chipOf(items) ?? 'nothing yet',
    ];
  },
  run: async ({ input: { items }, config: { template }, clock, signal }) => {
    const filled: JsonValue[] = [];
    let bytesLeft = MAX_OUTPUT_BYTES;
    await forEachItem(items, { clock, signal }, (item, index) => {
      const made = fill(template, item, index);
      bytesLeft -= leastBytes(made, bytesLeft);
      if (bytesLeft < 0) throw outputTooLarge('The new list', MAX_OUTPUT_BYTES);
      filled.push(made);
    });
    return { items: filled };
  },
});

/** @throws EngineError as `resolveBindings` does, with the item's place before the message */
function fill(template: JsonValue, item: JsonValue, index: number): JsonValue {
  try {
    return resolveBindings(template, itemContext(item, index));
  } catch (error) {
    if (!EngineError.is(error)) throw error;
    const { code, message, details } = error;
    throw new EngineError({ code, message: `Item ${index}: ${message}`, details });
  }
}
