import { expect, test } from 'vitest';
import { modelPrices } from './model-data.ts';
import { costOf, priceOn, pricesAt } from './price-table.ts';

const million = 1_000_000;
const now = Date.parse('2026-11-01');
const anthropic = { address: 'https://api.anthropic.com/v1', model: 'claude-opus-4-5' };

test('prices prompt and completion tokens separately', () => {
  expect(costOf(anthropic, { promptTokens: million, completionTokens: million }, now)).toBe(30);
});

test('prices cached tokens lower and tokens written to the cache higher', () => {
  const usage = { promptTokens: 10_000, completionTokens: 0, cachedTokens: 6000, cacheCreationTokens: 1000 };
  expect(costOf(anthropic, usage, now)).toBeCloseTo((3000 * 5 + 6000 * 0.5 + 1000 * 6.25) / million, 12);
});

test('a dated version costs the same as its model', () => {
  const usage = { promptTokens: 1000, completionTokens: 10 };
  expect(costOf({ ...anthropic, model: 'claude-opus-4-5-20251101' }, usage, now)).toBe(costOf(anthropic, usage, now));
});

test('a long prompt can raise the price of all tokens', () => {
  const gemini = { address: 'https://generativelanguage.googleapis.com/v1beta', model: 'gemini-2.5-pro' };
  expect(costOf(gemini, { promptTokens: 200_000, completionTokens: 0 }, now)).toBeCloseTo(0.25, 12);
  expect(costOf(gemini, { promptTokens: 400_000, completionTokens: 0 }, now)).toBeCloseTo(1, 12);
});

test('an announced price applies from its day on', () => {
  const price = { input: 1, output: 2, next: { from: '2027-01-01', input: 3, output: 4 } };
  const from = Date.parse('2027-01-01T00:00:00Z');
  expect(priceOn(price, from - 1).input).toBe(1);
  expect(priceOn(price, from).input).toBe(3);
  expect(priceOn({ input: 1, output: 2 }, from).input).toBe(1);
});

test('lists the prices at an API', () => {
  expect(pricesAt(anthropic.address, now)[anthropic.model]).toMatchObject({ input: 5, output: 25 });
  expect(pricesAt('http://127.0.0.1:11434/v1', now)).toEqual({});
});

test.each([
  [{ ...anthropic, model: 'claude-next' }],
  [{ address: 'http://127.0.0.1:11434/v1', model: 'claude-opus-4-5' }],
  [{ ...anthropic, model: 'constructor' }],
])('%j has no known price', (asked) => {
  expect(costOf(asked, { promptTokens: 1, completionTokens: 1 }, now)).toBeUndefined();
});

test('returns no cost without token counts', () => {
  expect(costOf(anthropic, undefined, now)).toBeUndefined();
});

test('all prices are plausible: completion tokens cost at least as much as prompt tokens, and cached tokens less', () => {
  const prices = Object.values(modelPrices).flatMap((models) => Object.values(models));
  expect(prices.length).toBeGreaterThan(50);
  for (const price of prices.flatMap(({ above, next, ...one }) => [one, above ?? one, next ?? one])) {
    expect(price.input).toBeGreaterThan(0);
    expect(price.output).toBeGreaterThanOrEqual(price.input);
    expect(price.cached ?? 0).toBeLessThan(price.input);
    expect(price.cacheWrite ?? price.input).toBeGreaterThan(price.cached ?? 0);
  }
});
