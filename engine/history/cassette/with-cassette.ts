/**
 * Applies a cassette to capabilities.
 */
import type { Capabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import { CassetteAnswers } from './cassette-answers.ts';
import { createCassetteModel } from './cassette-model.ts';
import { type CassetteOptions, openCassette } from './cassette-player.ts';
import { createCassetteWeb } from './cassette-web.ts';

/**
 * Returns the capabilities, with a cassette around those that access the network, and what people gave nodes in it.
 * @throws EngineError `cassette.not-found` | `cassette.unreadable` | `cassette.newer-format` | `files.not-writable`
 */
export async function withCassette<Live extends Pick<Capabilities, 'model' | 'web'>>(
  live: Live,
  options: CassetteOptions,
): Promise<Live & { readonly cassetteAnswers: CassetteAnswers }> {
  const player = await openCassette(options);
  return {
    ...live,
    model: createCassetteModel(live.model, player),
    web: createCassetteWeb(live.web, player),
    cassetteAnswers: new CassetteAnswers(player),
  };
}
