import { expect, test } from 'vitest';
import { baseNodeId, innermostStep, isInBody, loopStepsOf } from './node-places.ts';

test('a place has the node of the file, and the loops around it with their items', () => {
  const place = 'each[3].inner[0].ask';
  expect([baseNodeId(place), isInBody(place)]).toEqual(['ask', true]);
  expect(innermostStep(place)).toEqual({ loop: 'each[3].inner', item: 0 });
  expect(loopStepsOf(place)).toEqual([
    { loop: 'each', item: 3 },
    { loop: 'each[3].inner', item: 0 },
  ]);
});

test('a node outside of loops is its own place', () => {
  expect([baseNodeId('ask'), isInBody('ask'), innermostStep('ask'), loopStepsOf('ask')]).toEqual([
    'ask',
    false,
    undefined,
    [],
  ]);
});
