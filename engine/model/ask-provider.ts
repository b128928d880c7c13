/**
 * One request to a provider: repeated where that helps, and priced.
 */
import type { Clock } from '../base/clock.ts';
import type { ModelReply } from '../kernel/capabilities.ts';
import type { AskOptions, KeySource, ProviderRequest } from './model-provider.ts';
import { withRetries } from './model-retry.ts';
import { costOf } from './pricing.ts';
import type { ProviderConfig } from './provider-config.ts';
import { createSdkProvider } from './providers/sdk-provider.ts';

/** Whom to ask, and with what. */
export interface AskedProvider {
  /** As in `name::model`. */
  readonly name: string;
  readonly config: ProviderConfig;
  readonly keyOf: KeySource;
  readonly clock: Clock;
  /** From 0 up to 1, for the time between two tries. */
  readonly random: () => number;
}

/** @throws EngineError `model.*`; the signal's reason when it aborts */
export async function askProvider(
  { name, config, keyOf, clock, random }: AskedProvider,
  request: ProviderRequest,
  options: AskOptions,
): Promise<ModelReply> {
  const provider = withRetries(createSdkProvider({ name, config, keyOf, clock }), { clock, random });
  const reply = await provider.ask(request, options);
  const costUsd = costOf({ address: config.baseUrl, model: request.model }, reply.usage);
  return costUsd === undefined ? reply : { ...reply, costUsd };
}
