/**
 * `control.wait`: waits for a duration.
 */
import { z } from 'zod';
import { delayMsSchema } from '../../../language/flow/node-policy.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { noConfig } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

export const controlWaitType = describeType({
  type: 'control.wait',
  title: 'Wait',
  description: 'Waits before the next nodes start.',
  example: 'Waits 2 s before the next request.',
  category: 'flow',
  icon: 'clock',
  inputSchema: () =>
    z.object({
      ms: delayMsSchema.default(0).meta({ editor: 'duration' }).describe('Time to wait, in milliseconds'),
    }),
  configSchema: () => noConfig,
  outputSchema: () => z.object({ waitedMs: z.number().describe('Time waited, in milliseconds') }),
  effects: 'pure',
  start: () => ({ input: { ms: 1000 } }),
  summary: (_config, { ms }) => {
    if (typeof ms === 'number') return ['Waits ', { chip: inUnits(ms) }];
    const chip = chipOf(ms);
    return chip === undefined ? ['Does not wait'] : ['Waits ', chip, ' ms'];
  },
});

function inUnits(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}
