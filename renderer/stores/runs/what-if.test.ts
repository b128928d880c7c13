import { expect, test } from 'vitest';
import { heldActionText, lowerLevels, placeOfAct, type WhatIf, whatIfText } from './what-if.ts';

const nothing: WhatIf = {
  level: 'semi_auto',
  ranAt: null,
  pauses: 0,
  suggestions: 0,
  acts: [],
  marks: new Map(),
  at: null,
};

test('offers only levels that are lower than the one the flow declares', () => {
  expect(lowerLevels(undefined)).toEqual(['suggest_only', 'semi_auto']);
  expect(lowerLevels('full_auto')).toEqual(['suggest_only', 'semi_auto']);
  expect(lowerLevels('semi_auto')).toEqual(['suggest_only']);
  expect(lowerLevels('suggest_only')).toEqual([]);
});

test('describes a simulation in one sentence', () => {
  expect(whatIfText(nothing)).toBe('Semi-auto: nothing would have been held back. It ran without a level.');
  expect(whatIfText({ ...nothing, pauses: 4, ranAt: 'full_auto' })).toBe(
    'Semi-auto: it would have paused 4 times. It ran at Full auto.',
  );
  expect(whatIfText({ ...nothing, pauses: 1, suggestions: 2 })).toContain('paused once and it would have made 2 sugg');
  expect(whatIfText({ ...nothing, level: 'full_auto', refused: 'No policy allows that.' })).toBe(
    'Full auto: No policy allows that.',
  );
});

test('shows events in child runs at the node that started them', () => {
  expect(placeOfAct({ nodeId: 'each[2].sub/x/y' })).toBe('each[2].sub');
  expect(heldActionText({ kind: 'pause', count: 1 })).toBe('would pause');
  expect(heldActionText({ kind: 'suggestion', count: 3 })).toBe('would suggest, 3 times');
});
