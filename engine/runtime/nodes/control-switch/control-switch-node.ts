import { evaluateWhen } from '../../../language/bindings/when.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { controlSwitchType, otherwise } from './control-switch-type.ts';

export const controlSwitchNode = defineNodeType(controlSwitchType, {
  hosting: 'workflow',
  capabilities: [],
  run: async ({ input: { value, cases } }) => {
    const seen = new Map([['value', value]]);
    const taken = cases.find(({ when }) => evaluateWhen(when, seen).result);
    return { route: taken?.route ?? otherwise, value };
  },
});
