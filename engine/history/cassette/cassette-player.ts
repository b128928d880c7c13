/**
 * Records external calls and replays them. It does not depend on the type of call; each type has its own wrapper.
 */
import { EngineError, fromErrorRecord } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createRedactor, type Redactor } from '../../world/secrets/redactor.ts';
import {
  firstMissError,
  invalidCassetteEntries,
  laterMissError,
  leaking,
  type Miss,
  notFound,
} from './cassette-error.ts';
import {
  type CassetteEntry,
  type CassetteFile,
  callText,
  cassetteText,
  isInvalidCassetteEntry,
  openCassetteFile,
  parseCassette,
} from './cassette-file.ts';
import {
  equalButSecrets,
  nearestDifferences,
  type RecordedCall,
  type RecordedError,
  requestKey,
} from './compare-requests.ts';
import { type CassetteLine, createCallPlaces, RecordedLines } from './recorded-lines.ts';

/**
 * `record`: makes all calls live and replaces the content of the file. `replay`: makes no live calls and fails for
 * calls that were not recorded. `auto`: replays recorded calls, makes all others live and adds them.
 */
export type CassetteMode = 'record' | 'replay' | 'auto';

export interface CassetteOptions {
  /** Absolute path. */
  readonly file: string;
  readonly mode: CassetteMode;
  /** Returns values that must never be written; called for each call. */
  readonly secrets: () => readonly string[];
  /** Path for messages; `file` if absent. */
  readonly shownFile?: string;
  /** With `auto`: makes every call again. A response replaces the recorded one to the same request. */
  readonly isFresh?: boolean;
  /** With `auto`: writes failures only when `settle` says that they are expected. */
  readonly holdsFailures?: boolean;
  /** What to do about a missing call in `replay`. */
  readonly advice?: string;
  /** Called once if the file has invalid entries. */
  readonly onOdd: (warning: EngineError) => void;
  /** Called for the first unrecorded call in mode `auto`, if the cassette contains calls. */
  readonly onMiss: (miss: EngineError) => void;
}

/** A call that can be replayed. */
export interface CassetteCall<Reply> {
  /** Kind of the call; only calls of the same kind can match. */
  readonly kind: string;
  /** Description of the call for messages. */
  readonly title: string;
  /** All data that determines the response, and no data that differs between runs. */
  readonly request: JsonValue;
  readonly signal: AbortSignal;
  /** Codes of errors that come from external systems. Other errors, such as a missing key, are not recorded. */
  readonly recordedErrors: ReadonlySet<string>;
  /** Returns the hash with which the log identifies the request, for calls that have one. */
  readonly loggedHash?: () => string;
  live(): Promise<Reply>;
  /** Whether a response says that the other side failed, so that another attempt may get a different one. */
  isFailure?(reply: Reply): boolean;
  /** Converts a response to its recorded form. */
  write(reply: Reply): JsonValue;
  /**
   * Restores a response from the recording. @throws EngineError `cassette.unreadable` if it was edited into an invalid
   * value
   */
  read(recorded: JsonValue): Reply;
}

export interface CassettePlayer {
  /** Name of the file in messages. */
  readonly file: string;
  readonly mode: CassetteMode;
  /** The calls that the file contained when it was opened. */
  readonly recorded: readonly RecordedCall[];
  /**
   * Performs one call. The n-th equal request gets the n-th recorded response. A live response is written before it is
   * returned.
   * @throws EngineError `cassette.miss` | `cassette.changed` | `cassette.secret` | `files.not-writable`; the recorded
   * error; the error of the live call; the signal's reason
   */
  call<Reply>(call: CassetteCall<Reply>): Promise<Reply>;
}

/**
 * Opens a cassette. Creates a missing one, except for `replay`.
 * @throws EngineError `cassette.not-found` | `cassette.unreadable` | `cassette.newer-format` | `files.not-writable`
 */
export async function openCassette(options: CassetteOptions): Promise<ReusablePlayer> {
  const file = await openCassetteFile(options.file);
  if (file.text === undefined && options.mode === 'replay') throw notFound(options.file);
  const entries = file.text === undefined ? [] : parseCassette(options.shownFile ?? options.file, file.text);
  const odd = entries.filter(isInvalidCassetteEntry);
  if (odd.length > 0) options.onOdd(invalidCassetteEntries(options.shownFile ?? options.file, odd));
  // Written immediately, so that a read-only location is detected before the first response is paid for.
  if (file.text === undefined) await file.save(() => cassetteText([]));
  return new Player(options, file, entries);
}

/** A player that several runs use, one after another. */
export interface ReusablePlayer extends CassettePlayer {
  /** Counts equal requests from the beginning again. Calls recorded since the file was opened are answered from then on. */
  rewind(): void;
  /**
   * Ends a run. Failures that were held are written if they are expected; otherwise, the calls count as not recorded.
   * @returns the titles of those calls
   * @throws EngineError `cassette.changed` | `files.not-writable`
   */
  settle(areExpected: boolean): Promise<readonly string[]>;
  /**
   * Removes the calls that were not made again since the file was opened.
   * @throws EngineError `cassette.changed` | `files.not-writable`
   */
  removeUnused(): Promise<void>;
}

/** One call with a request. */
interface CassetteRequest {
  readonly key: string;
  readonly request: JsonValue;
  /** Index among equal requests, starting at 0. */
  readonly occurrence: number;
  /** Position in the file. */
  readonly place: number;
  /** Index among all calls, starting at 0. */
  readonly order: number;
}

class Player implements ReusablePlayer {
  readonly file: string;
  readonly mode: CassetteMode;
  readonly recorded: readonly RecordedCall[];
  readonly #options: CassetteOptions;
  readonly #disk: CassetteFile;
  readonly #redactor: Redactor;
  /** Keys of the recorded calls, in order. */
  readonly #keys: readonly string[];
  readonly #places: ReturnType<typeof createCallPlaces>;
  /**
   * Recorded calls by key. Undefined replaces an invalid entry, so that the responses of equal requests keep their
   * order.
   */
  readonly #answers = new Map<string, (RecordedCall | undefined)[]>();
  readonly #askedOf = new Map<string, number>();
  readonly #lines: RecordedLines;
  #asked = 0;
  #firstMissKey: string | undefined;

  constructor(options: CassetteOptions, disk: CassetteFile, entries: readonly CassetteEntry[]) {
    this.file = options.shownFile ?? options.file;
    this.mode = options.mode;
    this.recorded = entries.filter((entry): entry is RecordedCall => !isInvalidCassetteEntry(entry));
    this.#options = options;
    this.#disk = disk;
    this.#redactor = createRedactor(options.secrets);
    // Redacted again, because an older version may have recognized fewer secret names.
    const keyOf = ({ kind, request }: Pick<RecordedCall, 'kind' | 'request'>): string =>
      requestKey(kind, this.#redactor.redact(request));
    this.#keys = this.recorded.map(keyOf);
    const counts = new Map<string, number>();
    const lines = entries.map((entry, place): CassetteLine => {
      const isOdd = isInvalidCassetteEntry(entry);
      const asked = isOdd ? entry.asked : entry;
      const key = asked === undefined ? `odd ${place}` : keyOf(asked);
      const occurrence = counts.get(key) ?? 0;
      counts.set(key, occurrence + 1);
      if (options.isFresh !== true || isOdd) this.#setAnswer(key, occurrence, isOdd ? undefined : entry);
      return { key, occurrence, place, order: -1, text: isOdd ? entry.text : callText(entry) };
    });
    this.#places = createCallPlaces(lines.map(({ key }) => key));
    this.#lines = new RecordedLines(options.mode === 'auto' ? lines : []);
  }

  rewind(): void {
    this.#askedOf.clear();
    this.#firstMissKey = undefined;
  }

  #setAnswer(key: string, occurrence: number, answer: RecordedCall | undefined): void {
    const answers = [...(this.#answers.get(key) ?? [])];
    answers[occurrence] = answer;
    this.#answers.set(key, answers);
  }

  async settle(areExpected: boolean): Promise<readonly string[]> {
    const held = this.#lines.takeHeld(areExpected);
    if (areExpected) {
      if (held.length > 0) await this.#save();
      return [];
    }
    for (const { key, occurrence } of held) this.#setAnswer(key, occurrence, undefined);
    return held.map(({ title }) => title);
  }

  async removeUnused(): Promise<void> {
    if (this.#lines.removeOld()) await this.#save();
  }

  async call<Reply>(call: CassetteCall<Reply>): Promise<Reply> {
    call.signal.throwIfAborted();
    const asked = this.#ask(call);
    if (this.mode === 'record') return await this.#record(call, asked);
    const answer = this.#answers.get(asked.key)?.[asked.occurrence];
    if (answer !== undefined) return replayed(call, answer);
    const miss = this.#missError(call, asked);
    if (this.mode === 'replay') throw miss;
    return await this.#record(call, asked);
  }

  #ask({ kind, request: raw }: Pick<RecordedCall, 'kind' | 'request'>): CassetteRequest {
    const request = this.#redactor.redact(raw);
    const key = this.#recordedKey(kind, request);
    const occurrence = this.#askedOf.get(key) ?? 0;
    this.#askedOf.set(key, occurrence + 1);
    return { key, request, occurrence, place: this.#places.next(key), order: this.#asked++ };
  }

  /** Returns the key under which the request was recorded; if it was not, returns its own key. */
  #recordedKey(kind: string, request: JsonValue): string {
    const key = requestKey(kind, request);
    if (this.#answers.has(key)) return key;
    const index = this.recorded.findIndex((call) => call.kind === kind && equalButSecrets(call.request, request));
    return this.#keys[index] ?? key;
  }

  #missError(
    { kind, title }: Pick<Miss, 'kind' | 'title'>,
    { key, request, occurrence }: CassetteRequest,
  ): EngineError {
    const recordedCount = this.#answers.get(key)?.filter((answer) => answer !== undefined).length ?? 0;
    const shownTitle = String(this.#redactor.redact(title));
    const miss = { file: this.file, kind, title: shownTitle, occurrence: occurrence + 1, recordedCount };
    const isFirst = this.#firstMissKey === undefined;
    this.#firstMissKey ??= key;
    // A repetition of the first miss gets the full error, because it may be the only error that is shown.
    if (this.#firstMissKey !== key) return laterMissError({ ...miss, differences: undefined });
    const differences = nearestDifferences(
      request,
      this.recorded.filter((call) => call.kind === kind),
    );
    if (this.mode === 'replay') {
      const { advice = 'Undo the change, or record again (mode "record").' } = this.#options;
      return firstMissError({ ...miss, differences }, advice);
    }
    const error = firstMissError({ ...miss, differences }, 'The call is made live and added.');
    if (isFirst && this.recorded.length > 0) this.#options.onMiss(error);
    return error;
  }

  async #record<Reply>(call: CassetteCall<Reply>, asked: CassetteRequest): Promise<Reply> {
    let reply: Reply;
    const { kind } = call;
    try {
      reply = await call.live();
    } catch (thrown) {
      const isAnswer = EngineError.is(thrown) && call.recordedErrors.has(thrown.code) && !call.signal.aborted;
      if (isAnswer) await this.#keep(call, { kind, outcome: { error: recordOf(thrown) } }, asked);
      throw thrown;
    }
    call.signal.throwIfAborted();
    await this.#keep(call, { kind, outcome: { response: call.write(reply) } }, asked, call.isFailure?.(reply));
    return reply;
  }

  async #keep(
    { title }: Pick<Miss, 'title'>,
    { kind, outcome }: Pick<RecordedCall, 'kind' | 'outcome'>,
    asked: CassetteRequest,
    isFailure = 'error' in outcome,
  ): Promise<void> {
    const call = { kind, request: asked.request, outcome: this.#redactedOutcome(outcome) };
    const text = callText(call);
    if (this.#redactor.isLeaking(text)) throw leaking(this.file);
    const { key, occurrence, place, order } = asked;
    this.#setAnswer(key, occurrence, call);
    const line = { key, occurrence, place, order, text };
    if (isFailure && this.#options.holdsFailures === true)
      return this.#lines.hold({ ...line, title: String(this.#redactor.redact(title)) });
    this.#lines.put(line);
    await this.#save();
  }

  async #save(): Promise<void> {
    await this.#disk.save(() => this.#lines.text());
  }

  #redactedOutcome(outcome: RecordedCall['outcome']): RecordedCall['outcome'] {
    if ('response' in outcome) return { response: this.#redactor.redact(outcome.response) };
    const { message, details, ...rest } = outcome.error;
    return {
      error: {
        ...rest,
        message: String(this.#redactor.redact(message)),
        // Errors are sent between processes and stored, so their details must be JSON.
        ...(details === undefined ? {} : { details: this.#redactor.redact(JSON.parse(JSON.stringify(details))) }),
      },
    };
  }
}

function recordOf({ code, message, recoverable, details }: EngineError): RecordedError {
  return { code, message, ...(recoverable ? { recoverable } : {}), ...(details === undefined ? {} : { details }) };
}

function replayed<Reply>(call: CassetteCall<Reply>, { outcome }: RecordedCall): Reply {
  if ('error' in outcome) throw fromErrorRecord(outcome.error);
  return call.read(outcome.response);
}
