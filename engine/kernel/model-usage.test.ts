import { expect, test } from 'vitest';
import { addUsage } from './model-usage.ts';

test('counts add up, and what neither call reported stays absent', () => {
  const left = { promptTokens: 10, completionTokens: 4, cachedTokens: 8 };
  const right = { promptTokens: 3, completionTokens: 2, cachedTokens: 1, reasoningTokens: 2 };
  expect(addUsage(left, right)).toEqual({
    promptTokens: 13,
    completionTokens: 6,
    cachedTokens: 9,
    reasoningTokens: 2,
  });
});
