/**
 * The capabilities that a cassette answers for.
 */
import type { Capabilities } from '../kernel/capabilities.ts';
import { createCassetteModel } from './cassette-model.ts';
import { type CassetteOptions, openCassette } from './cassette-player.ts';
import { createCassetteWeb } from './cassette-web.ts';

/**
 * The same capabilities, with a cassette before those that leave the machine.
 * @throws EngineError `cassette.not-found` | `cassette.unreadable` | `cassette.newer-format` | `files.not-writable`
 */
export async function withCassette<Live extends Pick<Capabilities, 'model' | 'web'>>(
  live: Live,
  options: CassetteOptions,
): Promise<Live> {
  const player = await openCassette(options);
  return {
    ...live,
    model: createCassetteModel(live.model, player),
    web: createCassetteWeb(live.web, player),
  };
}
