/**
 * `aip.hbs`: renders templates in the same way as the prompts of agent files.
 */
import { createTemplateRenderer } from '../../template/template-renderer.ts';
import { requiredString, withEmptyMaps } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';
import { withPlainFloats } from '../lua-number.ts';

const renderer = createTemplateRenderer('agent');

export const hbsApi: ApiModule = {
  name: 'hbs',
  summary: 'Fills Handlebars templates, in the way of prompts.',
  members: [
    {
      name: 'render',
      signature: 'render(template: string, data: any) -> string',
      summary:
        'The template filled with the data; the keys of a table are names in it, any value is `this`. Nothing is escaped. Raises when the template has a mistake, or takes too much work.',
      call: ([template, data]) =>
        renderer.render(requiredString(template, 1), withPlainFloats(withEmptyMaps(data ?? null))),
    },
  ],
};
