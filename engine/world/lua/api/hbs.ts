/**
 * `aip.hbs`: renders templates like the prompts of agent files.
 */
import { createTemplateRenderer } from '../../template/template-renderer.ts';
import { requiredString, withEmptyMaps } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';
import { withPlainFloats } from '../lua-number.ts';

const renderer = createTemplateRenderer('agent');

export const hbsApi: ApiModule = {
  name: 'hbs',
  summary: 'Renders Handlebars templates with the same syntax as in prompts.',
  members: [
    {
      name: 'render',
      signature: 'render(template: string, data: any) -> string',
      summary:
        'Renders a template with data. The keys of a table are available as names, and the entire value as `this`. Nothing is escaped. Raises an error if the template is invalid or takes too much work to render.',
      call: ([template, data]) =>
        renderer.render(requiredString(template, 1), withPlainFloats(withEmptyMaps(data ?? null))),
    },
  ],
};
