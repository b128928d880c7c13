/**
 * `constant`: a named value to which other nodes can bind.
 */
import { z } from 'zod';
import { holdsBinding } from '../../../language/bindings/bindings.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, noConfig } from '../shared-schemas.ts';
import { quoteOf } from '../summary-text.ts';

export const constantType = describeType({
  type: 'constant',
  title: 'Constant',
  description: 'Provides a value to other nodes.',
  example: 'Provides { "limit": 20 } for {{settings.value.limit}}.',
  category: 'flow',
  icon: 'box',
  inputSchema: () => z.object({ value: anyJson.describe('Any value, such as text, a number, a list or a map') }),
  configSchema: () => noConfig,
  outputSchema: () => z.object({ value: anyJson.describe('The same value') }),
  effects: 'pure',
  given: ({ value }) => (value === undefined || (typeof value === 'string' && holdsBinding(value)) ? {} : { value }),
  givenSchemas: ({ input }, schemaOf) => ({ value: schemaOf(input['value']) }),
  start: () => ({ input: { value: 'Hello' } }),
  summary: (_config, { value }) => {
    const quote = quoteOf(value);
    return quote.length === 0 ? ['No value yet'] : ['Provides ', ...quote];
  },
});
