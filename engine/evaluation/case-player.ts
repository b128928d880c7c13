/**
 * Answers the calls of one case at a time from its recording. Calls that are not recorded are made only while recording.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import type {
  CassetteCall,
  CassetteMode,
  CassettePlayer,
  ReusablePlayer,
} from '../history/cassette/cassette-player.ts';
import { openCassette } from '../history/cassette/cassette-player.ts';

/** Which calls are made and recorded: none, those without a recording, or all. */
export type RecordMode = 'none' | 'missing' | 'all';

interface CasePlayerOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly record: RecordMode;
  /** Values that must never be written. */
  readonly secrets: () => readonly string[];
  /** Called before a call is made. @throws EngineError if it must not be made */
  readonly admit: () => void;
  /** Returns the call with other responses than those from outside. */
  readonly answering?: AnswerCall | undefined;
}

/** Returns a call that is answered without calling anything. */
export type AnswerCall = <Reply>(call: CassetteCall<Reply>) => CassetteCall<Reply>;

/** The provider of models in files of the workspace. Its calls reach nothing outside. */
const scripted = 'scripted::';

const advice = 'Undo the change, or record the missing calls: millrace test --record missing.';

export class CasePlayer implements CassettePlayer {
  readonly #options: CasePlayerOptions;
  readonly #opened = new Map<string, Promise<ReusablePlayer>>();
  #current: ReusablePlayer | undefined;
  /** The recording that the case names; absent if it names none. */
  #named: string | undefined;
  #replayed = 0;
  #recorded = 0;
  #missing: EngineError[] = [];
  /** Problems of recordings with damaged entries, by path. */
  readonly #odd = new Map<string, string>();

  constructor(options: CasePlayerOptions) {
    this.#options = options;
  }

  get file(): string {
    return this.#current?.file ?? '';
  }

  get mode(): CassetteMode {
    return this.#current?.mode ?? 'replay';
  }

  get recorded(): CassettePlayer['recorded'] {
    return this.#current?.recorded ?? [];
  }

  /** Whether calls may be made. */
  get records(): boolean {
    return this.#options.record !== 'none';
  }

  /**
   * Starts a case.
   * @param named path of its recording, relative to the workspace; undefined if it has none
   * @throws EngineError as `openCassette` does
   */
  async begin(named: string | undefined): Promise<void> {
    [this.#current, this.#named] = [undefined, named];
    [this.#replayed, this.#recorded, this.#missing] = [0, 0, []];
    const file = named === undefined ? undefined : resolve(this.#options.workspace, named);
    // A case that calls nothing needs no recording.
    if (file === undefined || named === undefined || !(this.records || existsSync(file))) return;
    const opened = this.#opened.get(file) ?? this.#open(file, named);
    this.#opened.set(file, opened);
    opened.catch(() => this.#opened.delete(file));
    this.#current = await opened;
    this.#current.rewind();
  }

  /** Returns how many calls of the case were answered and made, and the calls that were not recorded. */
  used(): { readonly replayed: number; readonly recorded: number; readonly missing: readonly EngineError[] } {
    return { replayed: this.#replayed, recorded: this.#recorded, missing: this.#missing };
  }

  /**
   * Ends a case. Failures of calls are recorded only if the case passes with them, because a test must not depend on what
   * was out of order while it was recorded.
   * @returns the titles of the calls that are not recorded
   */
  async end(isOk: boolean): Promise<readonly string[]> {
    const lost = (await this.#current?.settle(isOk)) ?? [];
    this.#recorded -= lost.length;
    return lost;
  }

  /** Removes the calls that were not made again from recordings. @param named their paths */
  async removeUnused(named: Iterable<string>): Promise<void> {
    for (const path of named) await (await this.#opened.get(resolve(this.#options.workspace, path)))?.removeUnused();
  }

  async call<Reply>(call: CassetteCall<Reply>): Promise<Reply> {
    const current = this.#current;
    const isLocal = this.#named === undefined && call.kind === 'model' && call.title.startsWith(scripted);
    if (isLocal) return await call.live();
    if (current === undefined) throw this.#miss(notRecorded(call.title, this.#named));
    let isLive = false;
    const answered = this.#options.answering?.(call) ?? call;
    const counted: CassetteCall<Reply> = {
      ...answered,
      live: async () => {
        this.#options.admit();
        isLive = true;
        return await answered.live();
      },
    };
    let isKept = true;
    try {
      return await current.call(counted);
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      isKept = answered.recordedErrors.has(error.code);
      throw error.code === 'cassette.miss' ? this.#miss(error) : error;
    } finally {
      if (!isLive) this.#replayed += 1;
      else if (isKept) this.#recorded += 1;
    }
  }

  /** A damaged entry may be why a call is missing. */
  #miss(error: EngineError): EngineError {
    const odd = this.#odd.get(this.#named ?? '');
    const { code, message, details } = error;
    const told = odd === undefined ? error : new EngineError({ code, message: `${message} ${odd}`, details });
    this.#missing.push(told);
    return told;
  }

  #open(file: string, shownFile: string): Promise<ReusablePlayer> {
    const { record, secrets, answering } = this.#options;
    return openCassette({
      ...{ file, shownFile, secrets, advice, onMiss: () => undefined },
      onOdd: ({ message }) => this.#odd.set(shownFile, message),
      mode: record === 'none' ? 'replay' : 'auto',
      isFresh: record === 'all',
      // The failures of a run that is saved are part of it.
      holdsFailures: answering === undefined,
    });
  }
}

function notRecorded(title: string, file: string | undefined): EngineError {
  const why = file === undefined ? 'The case has no recording' : `The recording ${file} does not exist`;
  const how = file === undefined ? 'Name a file for it with `cassette`, and record it' : 'Record it';
  return new EngineError({
    code: 'cassette.miss',
    message: `${why}, so ${title} cannot be answered. ${how}: millrace test --record missing.`,
  });
}
