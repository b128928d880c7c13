import { expect, test } from 'vitest';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { echoNode } from './echo-node.ts';

test('returns its text, and other values converted to text', async () => {
  const plain = await runSingleNode({ type: 'echo', input: { text: 'hello' } });
  const bound = await runSingleNode({ type: 'echo', input: { text: '{{flow.input.n}}' } }, { inputs: { n: [1, 2] } });
  expect([plain.output, bound.output]).toEqual([{ text: 'hello' }, { text: '[1,2]' }]);
});

test('its card quotes the text, with bindings as chips', () => {
  expect(echoNode.summary?.({}, { text: 'From {{site.name}} on' })).toEqual([
    'Says ',
    '“',
    'From ',
    { chip: 'site.name' },
    ' on',
    '”',
  ]);
  expect(echoNode.summary?.({}, {})).toEqual(['Says nothing yet']);
});
