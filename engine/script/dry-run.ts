/**
 * Dry runs of scripts: files go to an overlay that is thrown away, and everything else that would act outside is left out.
 */
import { EngineError } from '../base/engine-error.ts';
import { OverlayFiles } from '../files/overlay-files.ts';
import type { OverlayChange } from '../files/overlay-tree.ts';
import { type DryEffect, type DryRun, mostDryEffects, type ScriptScope } from '../kernel/capabilities.ts';
import type { WebAnswer } from '../lua/host-calls.ts';
import { type EffectActs, nameOf } from './effect-calls.ts';
import type { ScriptHostOptions } from './script-host-options.ts';
import { isWithin, realPathOf, shownScriptPath, slashed } from './script-paths.ts';

type DryRunOptions = Pick<ScriptHostOptions, 'workspace' | 'homeFolder' | 'answersFromCassette' | 'written'>;
type DryFiles = Pick<ScriptHostOptions, 'realPathOf' | 'trash' | 'written'> &
  Required<Pick<ScriptHostOptions, 'holder'>>;

/** One dry run, with the agents that it calls. */
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
    // A folder is named by what is in it, unless it is empty.
    const named = changes.filter(
      ({ change, path }, at) => change !== 'make' || changes[at + 1]?.path.startsWith(path) !== true,
    );
    return [...this.#leftOut, ...named.map((change) => this.#effectOf(change))].slice(0, mostDryEffects);
  }

  close(): Promise<void> {
    return this.#overlay.close();
  }

  /** In place of the files of the disk. */
  files(): DryFiles {
    const overlay = this.#overlay;
    const { written } = this.#options;
    return {
      holder: overlay,
      realPathOf: (absolute) => overlay.realPathOf(absolute, (path) => realPathOf(path)),
      trash: (_path, real) => overlay.remove(real),
      // Nothing is written that a person would have to look at.
      written: { isUnseen: (path, text) => written.isUnseen(path, text), noting: (_reals, work) => work() },
    };
  }

  /**
   * In place of acts outside: commands succeed without output, requests are answered by an empty page unless a cassette has the answer,
   * and editors seem to open.
   * @param announce shows people a line
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
      // Which editor it would be is not asked: to ask would open it.
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

/** The answer of a cassette; undefined where it has none for the request. @throws the recorded error, and any other failure */
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

/** The dry run that a script belongs to, if its host has made it. */
export function scriptDryRunOf({ dryRun }: Pick<ScriptScope, 'dryRun'>): ScriptDryRun | undefined {
  return dryRun instanceof ScriptDryRun ? dryRun : undefined;
}
