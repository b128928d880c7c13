/** Compares costs with those that the source of the prices calculates, and the models that the documentation names. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { calcPrice } from '@pydantic/genai-prices';
import { expect, test } from 'vitest';
import { modelPrices, modelSource } from './model-data.ts';
import type { ModelPrice } from './model-price.ts';
import { costOf } from './price-table.ts';
import { knownProviders } from './provider-config.ts';

/** Lengths of prompts, around the limits from which on some prices are higher. */
const promptLengths = [1000, 199_999, 200_000, 200_001, 271_999, 272_000, 272_001, 600_000];

interface Asked {
  readonly address: string;
  readonly model: string;
  readonly price: ModelPrice;
  readonly at: Date;
}

/** Requests to each model of each host, at the date of the source and after announced changes. */
const requests: readonly Asked[] = Object.entries(modelPrices).flatMap(([host, models]) =>
  Object.entries(models).flatMap(([model, price]) => {
    const dates = [modelSource.published, ...(price.next ? [price.next.from] : [])];
    return dates.map((date) => ({ address: `https://${host}/v1`, model, price, at: new Date(`${date}T12:00:00Z`) }));
  }),
);

/** Returns usage with cached tokens only if they have their own price, because the source rejects others. */
function usageOf({ cached, cacheWrite }: ModelPrice, promptTokens: number) {
  const [cachedTokens, cacheCreationTokens] = [cached === undefined ? 0 : 100, cacheWrite === undefined ? 0 : 10];
  return { promptTokens, completionTokens: 1234, cachedTokens, cacheCreationTokens };
}

function costAtSource({ address, model, at }: Asked, usage: ReturnType<typeof usageOf>): number | undefined {
  const { promptTokens, completionTokens, cachedTokens, cacheCreationTokens } = usage;
  const counts = {
    ...{ input_tokens: promptTokens, output_tokens: completionTokens },
    ...(cachedTokens > 0 ? { cache_read_tokens: cachedTokens } : {}),
    ...(cacheCreationTokens > 0 ? { cache_write_tokens: cacheCreationTokens } : {}),
  };
  const options = { providerApiUrl: address, timestamp: at };
  // The source spells some names differently.
  return (calcPrice(counts, model, options) ?? calcPrice(counts, model.toLowerCase(), options))?.total_price;
}

test('every model costs as much as the source calculates, at any length, now and after announced changes', () => {
  expect(requests.length).toBeGreaterThan(100);
  for (const asked of requests) {
    for (const promptTokens of promptLengths) {
      const usage = usageOf(asked.price, promptTokens);
      const expected = costAtSource(asked, usage) ?? Number.NaN;
      expect(costOf(asked, usage, asked.at.getTime()), `${asked.model} ${promptTokens}`).toBeCloseTo(expected, 10);
    }
  }
});

test('models that the documentation names with their provider have a price', () => {
  const docs = path.resolve(import.meta.dirname, '../../../docs');
  const named = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => [...readFileSync(path.join(docs, file), 'utf8').matchAll(/\b([a-z_]+)::([\w./-]*\w)/g)])
    .flatMap(([, provider = '', model = '']) => {
      const host = new URL(knownProviders.get(provider)?.baseUrl ?? 'http://127.0.0.1').host;
      // Names such as gpt-x stand for any model.
      return Object.hasOwn(modelPrices, host) && !model.endsWith('-x') ? [{ host, model, provider }] : [];
    });
  expect(named.map(({ model }) => model)).toContain('claude-sonnet-5');
  for (const { host, model, provider } of named) {
    const name = provider === 'fireworks' && !model.includes('/') ? `accounts/fireworks/models/${model}` : model;
    expect(Object.keys(modelPrices[host] ?? {}), `${provider}::${model}`).toContain(name);
  }
});
