/** The format of the prices in `model-data.ts`. */

/** Prices in US dollars per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  /** Price of prompt tokens read from the provider's cache; defaults to `input`. */
  readonly cached?: number;
  /** Price of prompt tokens written to the cache; defaults to `input`. */
  readonly cacheWrite?: number;
}

/** Prices that can depend on the length of the prompt. */
export interface TieredPrices extends TokenPrices {
  /** Prices of all tokens if the prompt has more than this number. */
  readonly above?: TokenPrices & { readonly tokens: number };
}

/** Prices of a model. */
export interface ModelPrice extends TieredPrices {
  /** Prices that the provider has announced, and the day from which they apply (UTC). */
  readonly next?: TieredPrices & { readonly from: string };
}
