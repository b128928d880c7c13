import { expect, test } from 'vitest';
import { costOf, priceTable } from './price-table.ts';

const million = 1_000_000;
const anthropic = { address: 'https://api.anthropic.com/v1', model: 'claude-opus-4-5' };

test('prompt and answer have prices of their own', () => {
  expect(costOf(anthropic, { promptTokens: million, completionTokens: million })).toBe(30);
});

test('what came from the cache is cheaper, and what went into it dearer', () => {
  const usage = { promptTokens: 10_000, completionTokens: 0, cachedTokens: 6000, cacheCreationTokens: 1000 };
  expect(costOf(anthropic, usage)).toBeCloseTo((3000 * 5 + 6000 * 0.5 + 1000 * 6.25) / million, 12);
});

test('a dated version costs what its model costs', () => {
  const usage = { promptTokens: 1000, completionTokens: 10 };
  expect(costOf({ ...anthropic, model: 'claude-opus-4-5-20251101' }, usage)).toBe(costOf(anthropic, usage));
});

test('a long prompt may make all of it dearer', () => {
  const gemini = { address: 'https://generativelanguage.googleapis.com/v1beta', model: 'gemini-2.5-pro' };
  expect(costOf(gemini, { promptTokens: 200_000, completionTokens: 0 })).toBeCloseTo(0.25, 12);
  expect(costOf(gemini, { promptTokens: 400_000, completionTokens: 0 })).toBeCloseTo(1, 12);
});

test.each([
  [{ ...anthropic, model: 'claude-next' }],
  [{ address: 'http://127.0.0.1:11434/v1', model: 'claude-opus-4-5' }],
  [{ ...anthropic, model: 'constructor' }],
])('%j has no known price', (asked) => {
  expect(costOf(asked, { promptTokens: 1, completionTokens: 1 })).toBeUndefined();
});

test('without a count there is no price', () => {
  expect(costOf(anthropic, undefined)).toBeUndefined();
});

test('no price is absurd: an answer costs no less than its prompt, and cached tokens no more', () => {
  const prices = Object.values(priceTable).flatMap((models) => Object.values(models));
  expect(prices.length).toBeGreaterThan(50);
  for (const price of prices.flatMap((one) => [one, ...(one.above ? [one.above] : [])])) {
    expect(price.input).toBeGreaterThan(0);
    expect(price.output).toBeGreaterThanOrEqual(price.input);
    expect(price.cached ?? 0).toBeLessThan(price.input);
    expect(price.cacheWrite ?? price.input).toBeGreaterThanOrEqual(price.input);
  }
});
