import { jsonEquals } from '../../../language/json/json-value.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { conditionEqualsType } from './condition-equals-type.ts';

export const conditionEqualsNode = defineNodeType(conditionEqualsType, {
  hosting: 'workflow',
  capabilities: [],
  run: async ({ input: { left, right } }) => ({ value: left !== null && jsonEquals(left, right) }),
});
