import { defineNodeType } from '../../flow/node-type.ts';
import { controlIfType } from './control-if-type.ts';

export const controlIfNode = defineNodeType(controlIfType, {
  hosting: 'workflow',
  capabilities: [],
  run: async ({ input, holds }) => ({ condition: holds(input.condition) }),
});
