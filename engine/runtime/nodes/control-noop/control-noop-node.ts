import { defineNodeType } from '../../flow/node-type.ts';
import { controlNoopType } from './control-noop-type.ts';

export const controlNoopNode = defineNodeType(controlNoopType, {
  hosting: 'workflow',
  capabilities: [],
  run: async ({ input }) => input,
});
