/**
 * Answers the calls of one case at a time from its recording. Calls that are not recorded are made only while recording.
 */
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
  readonly record: RecordMode;
  /** Values that must never be written. */
  readonly secrets: () => readonly string[];
  readonly onOdd: (warning: EngineError) => void;
  /** Called before a call is made. @throws EngineError if it must not be made */
  readonly admit: () => void;
}

/** The provider of models in files of the workspace. Its calls reach nothing outside. */
const scripted = 'scripted::';

const advice = 'Undo the change, or record the missing calls: millrace test --record missing.';

export class CasePlayer implements CassettePlayer {
  readonly #options: CasePlayerOptions;
  readonly #opened = new Map<string, Promise<ReusablePlayer>>();
  #current: ReusablePlayer | undefined;
  #replayed = 0;
  #recorded = 0;
  #missing: EngineError[] = [];

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
   * @param file absolute path of its recording; undefined if it has none
   * @throws EngineError as `openCassette` does
   */
  async begin(file: string | undefined): Promise<void> {
    this.#current = undefined;
    [this.#replayed, this.#recorded, this.#missing] = [0, 0, []];
    if (file === undefined) return;
    const opened = this.#opened.get(file) ?? this.#open(file);
    this.#opened.set(file, opened);
    opened.catch(() => this.#opened.delete(file));
    this.#current = await opened;
    this.#current.rewind();
  }

  /** Returns how many calls of the case were answered and made, and the calls that were not recorded. */
  used(): { readonly replayed: number; readonly recorded: number; readonly missing: readonly EngineError[] } {
    return { replayed: this.#replayed, recorded: this.#recorded, missing: this.#missing };
  }

  async call<Reply>(call: CassetteCall<Reply>): Promise<Reply> {
    const current = this.#current;
    if (current === undefined && call.kind === 'model' && call.title.startsWith(scripted)) return await call.live();
    if (current === undefined) throw this.#miss(notRecorded(call.title));
    let isLive = false;
    const counted: CassetteCall<Reply> = {
      ...call,
      live: async () => {
        this.#options.admit();
        isLive = true;
        return await call.live();
      },
    };
    try {
      return await current.call(counted);
    } catch (error) {
      throw EngineError.is(error) && error.code === 'cassette.miss' ? this.#miss(error) : error;
    } finally {
      if (isLive) this.#recorded += 1;
      else this.#replayed += 1;
    }
  }

  #miss(error: EngineError): EngineError {
    this.#missing.push(error);
    return error;
  }

  #open(file: string): Promise<ReusablePlayer> {
    const { record, secrets, onOdd } = this.#options;
    return openCassette({
      ...{ file, secrets, onOdd, advice, onMiss: () => undefined },
      mode: record === 'none' ? 'replay' : 'auto',
      isFresh: record === 'all',
    });
  }
}

function notRecorded(title: string): EngineError {
  return new EngineError({
    code: 'cassette.miss',
    message: `The case has no recording, so ${title} cannot be answered. Name a file for it with \`cassette\`, and record it: millrace test --record missing.`,
  });
}
