import { expect, test } from 'vitest';
import { costOf, priceTable } from './price-table.ts';

const million = 1_000_000;
const anthropic = { address: 'https://api.anthropic.com/v1', model: 'claude-opus-4-5' };

test('prices prompt and completion tokens separately', () => {
  expect(costOf(anthropic, { promptTokens: million, completionTokens: million })).toBe(30);
});

test('prices cached tokens lower and tokens written to the cache higher', () => {
  const usage = { promptTokens: 10_000, completionTokens: 0, cachedTokens: 6000, cacheCreationTokens: 1000 };
  expect(costOf(anthropic, usage)).toBeCloseTo((3000 * 5 + 6000 * 0.5 + 1000 * 6.25) / million, 12);
});

test('a dated version costs the same as its model', () => {
  const usage = { promptTokens: 1000, completionTokens: 10 };
  expect(costOf({ ...anthropic, model: 'claude-opus-4-5-20251101' }, usage)).toBe(costOf(anthropic, usage));
});

test('a long prompt can raise the price of all tokens', () => {
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

test('returns no cost without token counts', () => {
  expect(costOf(anthropic, undefined)).toBeUndefined();
});

test('all prices are plausible: completion tokens cost at least as much as prompt tokens, and cached tokens at most as much', () => {
  const prices = Object.values(priceTable).flatMap((models) => Object.values(models));
  expect(prices.length).toBeGreaterThan(50);
  for (const price of prices.flatMap((one) => [one, ...(one.above ? [one.above] : [])])) {
    expect(price.input).toBeGreaterThan(0);
    expect(price.output).toBeGreaterThanOrEqual(price.input);
    expect(price.cached ?? 0).toBeLessThan(price.input);
    expect(price.cacheWrite ?? price.input).toBeGreaterThanOrEqual(price.input);
  }
});
