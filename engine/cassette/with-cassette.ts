/**
 * The capabilities that a cassette answers for.
 */
import type { Capabilities } from '../kernel/capabilities.ts';
import { createCassetteModel } from './cassette-model.ts';
import type { CassettePlayer } from './cassette-player.ts';
import { createCassetteWeb } from './cassette-web.ts';

/** The same capabilities, with the cassette before those that leave the machine. */
export function withCassette(live: Capabilities, player: CassettePlayer): Capabilities {
  return {
    ...live,
    model: createCassetteModel(live.model, player),
    web: createCassetteWeb(live.web, player),
  };
}
