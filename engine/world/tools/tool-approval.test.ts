/** Tests how long the approval of a tool applies. */
import { expect, test } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { ToolDescription } from '../../runtime/kernel/capabilities/tool-capability.ts';
import { testTool, trialOf } from './test-tools.ts';
import type { RunnableTool, ToolPin } from './tool-source.ts';

/** Returns a tool of a server that records consent in `pins`. */
function pinnable(pins: number[], description: Partial<ToolDescription> = {}): RunnableTool {
  const pin: ToolPin = {
    hash: 'h',
    state: async () => (pins.length > 0 ? 'pinned' : 'new'),
    pin: async (at) => void pins.push(at),
  };
  return testTool(async () => null, description, { pin });
}

test.each([
  ['once without a scope', {}, 2],
  ['once', { scope: 'once' }, 2],
  ['in the workspace', { scope: 'workspace' }, 1],
])('13.17 a tool that is approved %s asks again accordingly', async (_, scope, times) => {
  const pins: number[] = [];
  const trial = trialOf(pinnable(pins), { approved: true, ...scope });
  await trial.call();
  await trial.call();
  expect(trial.asked).toHaveLength(times);
  expect(trial.asked[0]).toMatchObject({ scopes: ['once', 'workspace'] });
  expect(pins).toHaveLength(2 - times);
});

test.each<[string, Partial<ToolDescription>, JsonMap]>([
  ['is rejected', {}, { approved: false, scope: 'workspace' }],
  ['asks before each call', { requiresApproval: true }, { approved: true, scope: 'workspace' }],
  [
    'may let private data out',
    { tags: { accessesPrivateData: true, receivesUntrustedInput: true, communicatesExternally: true } },
    { approved: true, scope: 'workspace' },
  ],
])('13.17 a tool that %s is never allowed for the workspace', async (_, description, answer) => {
  const pins: number[] = [];
  await trialOf(pinnable(pins, description), answer).call();
  expect(pins).toEqual([]);
});
