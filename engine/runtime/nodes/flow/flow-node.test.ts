import { expect, test } from 'vitest';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import type { FlowCall } from '../../kernel/capabilities/flows-capability.ts';
import { flowType } from './flow-type.ts';

test("BB-30 passes its inputs to the called flow and returns that flow's output", async () => {
  const called: FlowCall[] = [];
  const { capabilities } = createFakeCapabilities({
    flows: {
      async run(call) {
        called.push(call);
        return { words: 'hi' };
      },
    },
  });
  const run = (input: object) => runSingleNode({ type: 'flow', input: { ...input } }, { capabilities });
  expect((await run({ flow: 'a.flow.yaml', input: { n: 1 } })).output).toEqual({ outputs: { words: 'hi' } });
  expect((await run({ flow: 'a.flow.yaml' })).output).toEqual({ outputs: { words: 'hi' } });
  expect(called).toEqual([
    { flow: 'a.flow.yaml', input: { n: 1 } },
    { flow: 'a.flow.yaml', input: {} },
  ]);
});

test('its card names the flow and its inputs', () => {
  expect(flowType.summary?.({}, { flow: 'a.flow.yaml', input: { who: 'x', n: 1 } })).toEqual([
    'Runs ',
    { chip: 'a.flow.yaml' },
    ' with who, n',
  ]);
  expect(flowType.summary?.({}, { flow: 'a.flow.yaml' })).toEqual(['Runs ', { chip: 'a.flow.yaml' }]);
  expect(flowType.summary?.({}, {})).toEqual(['No flow yet']);
});
