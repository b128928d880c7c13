/**
 * Implementation of `respond`.
 */
import { defineNodeType } from '../../flow/node-type.ts';
import { respondType } from './respond-type.ts';

export const respondNode = defineNodeType(respondType, {
  // After a crash, the caller is gone, and responding again only records the response.
  effectsOf: () => 'idempotent',
  // Something leaves the run, so it is an action at every autonomy level.
  writes: () => true,
  capabilities: ['callers'],
  run: async ({ input: { status, headers, body }, can, hub, signal }) => {
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const response = { status, headers: Object.fromEntries(named), body };
    if (!(await can.callers.respond(hub.runId, response, signal))) {
      const text = 'The run has already responded. Its caller does not receive this response.';
      hub.emit({ type: 'log', level: 'warn', text });
    }
    return response;
  },
});
