/**
 * `template`: creates text from a template and values.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson } from '../shared-schemas.ts';

export const templateType = describeType({
  type: 'template',
  title: 'Template',
  description: 'Fills a Handlebars template, with loops and conditions, from its input.',
  example: 'Writes one line for each of {{items}}, with loops and conditions.',
  category: 'text',
  icon: 'text',
  inputSchema: () => z.record(z.string(), anyJson).describe('Values that the template can use'),
  configSchema: () =>
    z.object({
      template: z
        .string()
        .meta({ editor: 'code', sees: 'input' })
        .describe('Handlebars template, for example {{#each items}}'),
    }),
  outputSchema: () => z.object({ text: z.string().describe('Filled template') }),
  effects: 'pure',
  start: (from) => ({ input: { value: from.any('world') }, config: { template: 'Hello {{value}}' } }),
  summary: (_config, input) => {
    const names = Object.keys(input);
    const chips = names.flatMap((name, index) => [index === 0 ? '' : ', ', { chip: name }]);
    return names.length === 0 ? ['Writes fixed text'] : ['Writes text from ', ...chips.slice(1)];
  },
});
