/**
 * Templates for nodes. Handlebars is loaded with the first of them: most runs fill none, and loading it takes longer than
 * a small run.
 */
import type { TemplatesCapability } from '../kernel/capabilities.ts';
import type { TemplateRenderer } from './template-renderer.ts';

/** Makes the capability. */
export function createTemplates(): TemplatesCapability {
  let renderer: Promise<TemplateRenderer> | undefined;
  return {
    async render(template, data) {
      renderer ??= import('./template-renderer.ts').then(({ createTemplateRenderer }) => createTemplateRenderer());
      return (await renderer).render(template, data);
    },
  };
}
