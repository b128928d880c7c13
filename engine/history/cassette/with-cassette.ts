/**
 * Applies a cassette to capabilities.
 */
import type { Capabilities } from '../../runtime/kernel/capabilities/capabilities.ts';
import { CassetteAnswers } from './cassette-answers.ts';
import { createCassetteCommands } from './cassette-commands.ts';
import { createCassetteModel } from './cassette-model.ts';
import { type CassetteOptions, type CassettePlayer, openCassette } from './cassette-player.ts';
import { createCommandRecorder } from './cassette-scripts.ts';
import { createCassetteWeb } from './cassette-web.ts';

/** The parts of a cassette that do not belong to capabilities. */
export interface OpenedCassette {
  /** What people gave nodes. */
  readonly answers: CassetteAnswers;
  /** For calls that belong to no capability. */
  readonly player: CassettePlayer;
  /** Records the commands of scripts, and returns recorded results. */
  readonly recordCommand: ReturnType<typeof createCommandRecorder>;
}

/**
 * Returns the capabilities, with a cassette around those that reach beyond this program.
 * @throws EngineError `cassette.not-found` | `cassette.unreadable` | `cassette.newer-format` | `files.not-writable`
 */
export async function withCassette<Live extends Pick<Capabilities, 'model' | 'web' | 'commands'>>(
  live: Live,
  options: CassetteOptions,
): Promise<Live & { readonly cassette: OpenedCassette }> {
  return withPlayer(live, await openCassette(options));
}

/** Returns the capabilities with an opened cassette around them. */
export function withPlayer<Live extends Pick<Capabilities, 'model' | 'web' | 'commands'>>(
  live: Live,
  player: CassettePlayer,
): Live & { readonly cassette: OpenedCassette } {
  return {
    ...live,
    model: createCassetteModel(live.model, player),
    web: createCassetteWeb(live.web, player),
    commands: createCassetteCommands(live.commands, player),
    cassette: {
      answers: new CassetteAnswers(player),
      player,
      recordCommand: createCommandRecorder(player),
    },
  };
}
