/**
 * Templates for nodes and agents. Handlebars is loaded with the first template, because most runs have no templates and
 * loading it takes longer than a small run.
 */
import type { TemplateDialect, TemplatesCapability } from '../../runtime/kernel/capabilities/capabilities.ts';
import type { TemplateRenderer } from './template-renderer.ts';

/** Creates the capability. */
export function createTemplates(): TemplatesCapability {
  const renderers = new Map<TemplateDialect, Promise<TemplateRenderer>>();
  return {
    async render(template, data, dialect = 'flow') {
      const known = renderers.get(dialect);
      const renderer = known ?? load(dialect);
      if (known === undefined) renderers.set(dialect, renderer);
      return (await renderer).render(template, data);
    },
  };
}

async function load(dialect: TemplateDialect): Promise<TemplateRenderer> {
  const { createTemplateRenderer } = await import('./template-renderer.ts');
  return createTemplateRenderer(dialect);
}
