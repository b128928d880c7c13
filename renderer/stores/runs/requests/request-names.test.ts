import { expect, test } from 'vitest';
import { nextNodeName } from './request-names.ts';

test('13.5 the next node of a paused run is named as on its card, in a loop, a called flow and an agent', () => {
  const names = new Map([
    ['check', 'Editor'],
    ['call', 'Caller'],
  ]);
  const loops = new Map([['each', { as: 'mail', total: 3, mostPasses: null }]]);
  const nameOf = (place: string) => nextNodeName(place, names, loops);
  expect(nameOf('check')).toBe('Editor');
  expect(nameOf('each[1].check')).toBe('Editor, mail 2 of 3');
  // The node of the called flow has the ID of another node here.
  expect(nameOf('call/check')).toBe('Caller: check');
  expect(nameOf('call/inner/input:0')).toBe('Caller: Input 1');
  expect(nameOf('input:4')).toBe('Input 5');
  expect(nameOf('AfterAll')).toBe('After All');
});
