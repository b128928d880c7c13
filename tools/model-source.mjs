/** Reads prices and aliases of models from the package `@pydantic/genai-prices`, for `npm run prices`. */
import { familyAliases, fixedAliases, otherKinds, otherSpellings, pricedHosts } from './model-families.mjs';
import { ToolError } from './tool-error.mjs';

/**
 * @typedef {object} TokenPrices US dollars per million tokens
 * @property {number} input
 * @property {number} output
 * @property {number} [cached] read from the provider's cache
 * @property {number} [cacheWrite] written to the cache
 */
/** @typedef {TokenPrices & { above?: TokenPrices & { tokens: number } }} TieredPrices */
/** @typedef {TieredPrices & { next?: TieredPrices & { from: string } }} ModelPrice */
/** @typedef {{ prices: Record<string, Record<string, ModelPrice>>, aliases: Record<string, string> }} ModelData */
/** @typedef {import('@pydantic/genai-prices').ModelPrice} SourcePrice */
/** @typedef {import('@pydantic/genai-prices').ModelInfo} SourceModel */

/** Keys of the result and of the source. The source also has prices of other media, and of caches that last an hour. */
const keys = /** @type {const} */ ({
  input: 'input_mtok',
  output: 'output_mtok',
  cached: 'cache_read_mtok',
  cacheWrite: 'cache_write_mtok',
});

/**
 * @param {SourcePrice} price
 * @param {(value: import('@pydantic/genai-prices').TieredPrices) => number} ofTiers
 * @returns {TokenPrices | undefined} undefined if text is not priced
 */
function tokenPrices(price, ofTiers) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const [key, name] of Object.entries(keys)) {
    const value = price[name];
    if (value !== undefined) found[key] = typeof value === 'number' ? value : ofTiers(value);
  }
  const { input, output } = found;
  return input && output ? { ...found, input, output } : undefined;
}

/**
 * @param {SourcePrice} price
 * @returns {TieredPrices | undefined}
 * @throws {ToolError} if a price has more than two tiers, or tiers with different limits
 */
function tieredPrices(price) {
  const limits = new Set(
    Object.values(keys).flatMap((key) => {
      const value = price[key];
      return value === undefined || typeof value === 'number' ? [] : value.tiers.map(({ start }) => start);
    }),
  );
  if (limits.size > 1) throw new ToolError(`Several limits of tiers: ${JSON.stringify(price)}`);
  const base = tokenPrices(price, (value) => value.base);
  const high = tokenPrices(price, ({ tiers, base: low }) => tiers[0]?.price ?? low);
  const [tokens] = limits;
  return base && high && tokens !== undefined ? { ...base, above: { tokens, ...high } } : base;
}

/**
 * @param {SourceModel['prices']} prices
 * @param {string} published date from which on prices are future ones
 * @returns {ModelPrice | undefined} undefined if prices depend on the time of day
 * @throws {ToolError} if more than one change is known in advance
 */
function modelPrice(prices, published) {
  if (!Array.isArray(prices)) return tieredPrices(prices);
  /** @type {{ from: string, prices: SourcePrice }[]} */
  const dated = [];
  for (const { constraint, prices: price } of prices) {
    if (constraint?.type === 'time_of_date') return undefined;
    dated.push({ from: constraint?.start_date ?? '', prices: price });
  }
  const current = dated.filter(({ from }) => from <= published).sort((one, other) => (one.from < other.from ? -1 : 1));
  const future = dated.filter(({ from }) => from > published);
  if (future.length > 1) throw new ToolError(`Several future prices: ${JSON.stringify(prices)}`);
  const now = current.length === 0 ? undefined : tieredPrices(current.at(-1)?.prices ?? {});
  const [change] = future;
  const next = change === undefined ? undefined : tieredPrices(change.prices);
  return now && change && next ? { ...now, next: { from: change.from, ...next } } : now;
}

/**
 * @param {SourceModel['match']} match
 * @returns {string[]} the names that it accepts literally
 */
function literalNames(match) {
  if ('equals' in match) return [match.equals];
  return 'or' in match ? match.or.flatMap(literalNames) : [];
}

/** The date of a version, or the alias of the latest one. `price-table.ts` ignores it too. */
const versionDate = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d|latest)$/;

/**
 * @param {SourceModel[]} models
 * @param {{ wanted: RegExp, published: string, spellings: Readonly<Record<string, string>> }} options
 * @returns {Record<string, ModelPrice>} sorted by name
 */
function pricesOf(models, { wanted, published, spellings }) {
  const offered = models.filter(({ deprecated }) => deprecated !== true);
  const ids = new Set(offered.map(({ id }) => id));
  /** @type {Map<string, ModelPrice>} */
  const found = new Map();
  for (const { id, match, prices } of offered) {
    const price = modelPrice(prices, published);
    for (const name of [id, ...literalNames(match)]) {
      const undated = name.replace(versionDate, '');
      // A dated version keeps its date if it has its own price.
      const key = undated !== id && ids.has(undated) ? name : undated;
      if (price !== undefined && wanted.test(key) && !otherKinds.test(key)) found.set(key, price);
    }
  }
  for (const [name, inSource] of Object.entries(spellings)) {
    const price = found.get(inSource);
    if (price === undefined) throw new ToolError(`The source has no price of ${inSource}.`);
    found.set(name, price);
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * @param {string} alias a key of `familyAliases`
 * @param {ModelData['prices']} prices
 * @returns {string} the newest model of the family
 * @throws {ToolError} if there is none
 */
export function newestOf(alias, prices) {
  const family = familyAliases[alias];
  const candidates = Object.keys(prices[family?.host ?? ''] ?? {}).flatMap((name) => {
    const [match, ...version] = family?.model.exec(name) ?? [];
    if (match === undefined) return [];
    return [{ name, version: Number(version.filter(Boolean).join('.').replace('p', '.')) }];
  });
  const newest = candidates.sort((one, other) => other.version - one.version)[0];
  if (family === undefined || newest === undefined) throw new ToolError(`No model for the alias ${alias}.`);
  const { prefix } = family;
  return prefix === undefined ? newest.name : prefix + newest.name.slice(newest.name.lastIndexOf('/') + 1);
}

/**
 * Returns the prices and aliases that follow from the installed version of the source.
 * @param {string} published date of that version
 * @returns {Promise<ModelData>}
 */
export async function readSource(published) {
  const { findProvider } = await import('@pydantic/genai-prices');
  /** @type {ModelData['prices']} */
  const prices = {};
  for (const [host, { provider: providerId, models: wanted }] of Object.entries(pricedHosts)) {
    const { models } = findProvider({ providerId }) ?? {};
    if (models === undefined) throw new ToolError(`The source has no provider ${providerId}.`);
    prices[host] = pricesOf(models, { wanted, published, spellings: otherSpellings[host] ?? {} });
  }
  const families = Object.keys(familyAliases).map((alias) => [alias, newestOf(alias, prices)]);
  return { prices, aliases: { ...Object.fromEntries(families), ...fixedAliases } };
}
