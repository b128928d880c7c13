import { defineNodeType } from '../../flow/node-type.ts';
import { constantType } from './constant-type.ts';

export const constantNode = defineNodeType(constantType, {
  hosting: 'workflow',
  capabilities: [],
  run: async ({ input }) => ({ value: input.value }),
});
