/**
 * Calculates what requests cost at the public list prices in `model-data.ts`.
 *
 * These prices cover only text. They don't include uncertain prices, such as those that depend on the time of day
 * (DeepSeek), and prices of batches and of priority service.
 */
import { dialedHost } from '../../base/web-address.ts';
import type { ModelUsage } from '../../runtime/kernel/events/run-event.ts';
import { modelPrices } from './model-data.ts';
import type { ModelPrice, TieredPrices, TokenPrices } from './model-price.ts';

/** The model that was called, and where. */
interface PricedModel {
  /** The API's URL. Prices depend on the host, not on the provider's name in the settings. */
  readonly address: string;
  /** The provider's own name, without a suffix for the reasoning effort. */
  readonly model: string;
}

/**
 * Returns the cost of one request in US dollars at public list prices.
 * @param atMs time of the request, in epoch milliseconds
 * @returns undefined if the price or the usage is not known, because no number is better than a wrong one
 */
export function costOf(asked: PricedModel, usage: ModelUsage | undefined, atMs: number): number | undefined {
  const price = usage === undefined ? undefined : findPrice(asked, atMs);
  if (price === undefined || usage === undefined) return undefined;
  const { promptTokens, completionTokens, cachedTokens = 0, cacheCreationTokens = 0 } = usage;
  const rates: TokenPrices = price.above !== undefined && promptTokens > price.above.tokens ? price.above : price;
  const plainTokens = Math.max(0, promptTokens - cachedTokens - cacheCreationTokens);
  const perMillion =
    plainTokens * rates.input +
    cachedTokens * (rates.cached ?? rates.input) +
    cacheCreationTokens * (rates.cacheWrite ?? rates.input) +
    completionTokens * rates.output;
  return perMillion / 1_000_000;
}

/**
 * Returns the prices at an API, by model name without a version date.
 * @param address the API's URL
 */
export function pricesAt(address: string, atMs: number): Readonly<Record<string, TieredPrices>> {
  const models = modelsAt(address);
  return Object.fromEntries(Object.entries(models).map(([name, price]) => [name, priceOn(price, atMs)]));
}

function modelsAt(address: string): Readonly<Record<string, ModelPrice>> {
  const host = dialedHost(new URL(address));
  return (Object.hasOwn(modelPrices, host) ? modelPrices[host] : undefined) ?? {};
}

/** Returns the prices that apply at a time, in epoch milliseconds. */
export function priceOn(price: ModelPrice, atMs: number): TieredPrices {
  return price.next !== undefined && atMs >= Date.parse(price.next.from) ? price.next : price;
}

/** A dated version costs the same as its model, unless it has its own price. */
const versions = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d|latest)$/;

/** Returns whether the price of a model is known. @param atMs epoch milliseconds */
export function hasPrice(asked: PricedModel, atMs: number): boolean {
  return findPrice(asked, atMs) !== undefined;
}

function findPrice({ address, model }: PricedModel, atMs: number): TieredPrices | undefined {
  const prices = modelsAt(address);
  const name = [model, model.replace(versions, '')].find((one) => Object.hasOwn(prices, one));
  const price = name === undefined ? undefined : prices[name];
  return price === undefined ? undefined : priceOn(price, atMs);
}
