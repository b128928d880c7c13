import { defineNodeType } from '../../flow/node-type.ts';
import { templateType } from './template-type.ts';

export const templateNode = defineNodeType(templateType, {
  capabilities: ['templates'],
  run: async ({ input, config, can }) => ({ text: await can.templates.render(config.template, input) }),
});
