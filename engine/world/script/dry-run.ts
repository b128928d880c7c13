/**
 * Dry runs of scripts: files are written to a temporary overlay, and all other effects are omitted.
 */
import { EngineError } from '../../base/engine-error.ts';
import {
  type DryEffect,
  type DryRun,
  mostDryEffects,
  type ScriptScope,
} from '../../runtime/kernel/capabilities/capabilities.ts';
import { OverlayFiles } from '../files/overlay/overlay-files.ts';
import type { OverlayChange } from '../files/overlay/overlay-tree.ts';
import type { WebAnswer } from '../lua/host-calls.ts';
import { type EffectActs, nameOf } from './effect-calls.ts';
import type { ScriptHostOptions } from './script-host-options.ts';
import { isWithin, realPathOf, shownScriptPath, slashed } from './script-paths.ts';

type DryRunOptions = Pick<ScriptHostOptions, 'workspace' | 'homeFolder' | 'answersFromCassette' | 'written'>;
type DryFiles = Pick<ScriptHostOptions, 'realPathOf' | 'trash' | 'written'> &
  Required<Pick<ScriptHostOptions, 'holder'>>;

/** A dry run, including the agents that it calls. */
export class ScriptDryRun implements DryRun {
  readonly hasAnswers: boolean;
  readonly #overlay = new OverlayFiles();
  readonly #options: DryRunOptions;
  readonly #leftOut: DryEffect[] = [];

  constructor(options: DryRunOptions) {
    this.#options = options;
    this.hasAnswers = options.answersFromCassette === true;
  }

  leaveOut(effect: DryEffect): void {
    if (this.#leftOut.length < mostDryEffects) this.#leftOut.push(effect);
  }

  effects(): readonly DryEffect[] {
    const changes = this.#overlay.changes();
    // A folder is implied by its content unless it is empty.
    const named = changes.filter(
      ({ change, path }, at) => change !== 'make' || changes[at + 1]?.path.startsWith(path) !== true,
    );
    return [...this.#leftOut, ...named.map((change) => this.#effectOf(change))].slice(0, mostDryEffects);
  }

  close(): Promise<void> {
    return this.#overlay.close();
  }

  /** Replaces the files on disk. */
  files(): DryFiles {
    const overlay = this.#overlay;
    const { written } = this.#options;
    return {
      holder: overlay,
      realPathOf: (absolute) => overlay.realPathOf(absolute, (path) => realPathOf(path)),
      trash: (_path, real) => overlay.remove(real),
      // No file is written that a person would have to review.
      written: { isUnseen: (path, text) => written.isUnseen(path, text), changing: (_change, work) => work() },
    };
  }

  /**
   * Replaces external effects: commands succeed without output, requests return an empty page unless a cassette has a
   * response, and editors appear to open.
   * @param announce shows a line to people
   */
  acts(real: EffectActs, announce: (text: string) => void): EffectActs {
    const leaveOut = (effect: DryEffect['effect'], target: string): void => {
      this.leaveOut({ effect, target });
      announce(`-> Dry run, left out: ${words[effect] ?? effect} ${target}`);
    };
    return {
      async exec(_request, shown) {
        leaveOut('command', shown);
        return { stdout: '', stderr: '', exit: 0 };
      },
      async restore(_path, shown) {
        leaveOut('command', shown);
        return '';
      },
      send: async (params, shown, signal) => {
        const answer = this.hasAnswers ? await recorded(() => real.send(params, shown, signal), announce) : undefined;
        if (answer !== undefined) return answer;
        leaveOut('web', `${params.method} ${shown}`);
        return { status: 200, url: params.url, text: '', headers: {} };
      },
      // The editor is not queried, because that would open it.
      openInside: async () => null,
      async startEditor([command = ''], _file, shown) {
        leaveOut('editor', shown);
        return nameOf(command);
      },
    };
  }

  #effectOf({ change, path }: OverlayChange): DryEffect {
    const { workspace, homeFolder } = this.#options;
    const isInside = isWithin(workspace, path) && path !== workspace;
    const target = isInside ? slashed(path.slice(workspace.length + 1)) : shownScriptPath(path, homeFolder);
    return { effect: change === 'delete' ? 'delete' : 'write', target: change === 'make' ? `${target}/` : target };
  }
}

const words: Readonly<Partial<Record<DryEffect['effect'], string>>> = { command: 'the command', web: 'the request' };

/**
 * Returns a response from a cassette; undefined if it has none for the request. @throws the recorded error, and any
 * other failure
 */
async function recorded(
  ask: () => Promise<WebAnswer>,
  announce: (text: string) => void,
): Promise<WebAnswer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!EngineError.is(error) || (error.code !== 'cassette.miss' && error.code !== 'cassette.changed')) throw error;
    announce(error.message);
    return undefined;
  }
}

/** Returns a script's dry run if its host created it. */
export function scriptDryRunOf({ dryRun }: Pick<ScriptScope, 'dryRun'>): ScriptDryRun | undefined {
  return dryRun instanceof ScriptDryRun ? dryRun : undefined;
}
