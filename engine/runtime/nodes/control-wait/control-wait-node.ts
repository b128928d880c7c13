import { elapsedSince, sleep } from '../../../base/clock.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { controlWaitType } from './control-wait-type.ts';

export const controlWaitNode = defineNodeType(controlWaitType, {
  hosting: 'workflow',
  capabilities: [],
  run: async ({ input, clock, signal }) => {
    const startedAt = clock.now();
    await sleep(clock, input.ms, signal);
    return { waitedMs: elapsedSince(startedAt, clock) };
  },
});
