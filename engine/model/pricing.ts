/**
 * What a request cost.
 */
import type { ModelUsage } from '../kernel/run-event.ts';
import { type ModelPrice, priceTable, type TokenPrices } from './price-table.ts';

/** What was asked, and where. */
export interface PricedModel {
  /** Address of the API; prices are those of a host, whatever a provider is called in the settings. */
  readonly address: string;
  /** The provider's own name, without an ending for how much to think. */
  readonly model: string;
}

/**
 * The price of one request in US dollars, from the public list prices.
 * @returns undefined when the price or the usage is not known: no number is better than a wrong one
 */
export function costOf(asked: PricedModel, usage: ModelUsage | undefined): number | undefined {
  const price = usage === undefined ? undefined : findPrice(asked);
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

/** A dated version costs what its model costs. */
const versions = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d|latest)$/;

function findPrice({ address, model }: PricedModel): ModelPrice | undefined {
  const { hostname } = new URL(address);
  const prices = Object.hasOwn(priceTable, hostname) ? priceTable[hostname] : undefined;
  if (prices === undefined) return undefined;
  const names = [model, model.replace(versions, '')];
  const name = names.find((one) => Object.hasOwn(prices, one));
  return name === undefined ? undefined : prices[name];
}
