import { passTime } from '../../../base/clock.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { controlWaitType } from './control-wait-type.ts';

export const controlWaitNode = defineNodeType(controlWaitType, {
  hosting: 'workflow',
  capabilities: [],
  run: async ({ input, clock, signal }) => ({ waitedMs: await passTime(clock, input.ms, signal) }),
});
