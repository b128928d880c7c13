import { EngineError } from '../../../base/engine-error.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { controlFailType } from './control-fail-type.ts';

export const controlFailNode = defineNodeType(controlFailType, {
  hosting: 'workflow',
  capabilities: [],
  run: async ({ input }) => {
    throw new EngineError({ code: 'control.fail', message: input.message });
  },
});
