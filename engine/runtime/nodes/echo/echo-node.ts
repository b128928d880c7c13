import { defineNodeType } from '../../flow/node-type.ts';
import { echoType } from './echo-type.ts';

export const echoNode = defineNodeType(echoType, {
  capabilities: [],
  run: async ({ input }) => ({ text: input.text }),
});
