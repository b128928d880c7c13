/**
 * Records calls to the outside world, and answers them from the record. It knows nothing of what a call is: each kind has
 * a wrapper of its own.
 */
import { EngineError, fromErrorRecord } from '../base/engine-error.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { firstMissError, laterMissError, leaking, type Miss, notFound, oddEntries } from './cassette-error.ts';
import {
  type CassetteEntry,
  type CassetteFile,
  callText,
  cassetteText,
  isOdd,
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

// Where calls stand in a cassette that is recorded again: where they stood, and new ones behind the call that was asked
// before them. So a changed prompt shows as a change in place, and parallel calls that swap leave no difference.

interface CallPlaces {
  /** The place of the next call with that key, a number to sort by; equal ones keep the order of asking. */
  next(key: string): number;
}

/** @param known keys of the recorded calls, in order */
export function createCallPlaces(known: readonly string[]): CallPlaces {
  const placesOf = new Map<string, number[]>();
  for (const [place, key] of known.entries()) placesOf.set(key, [...(placesOf.get(key) ?? []), place]);
  const lastOf = new Map<string, number>();
  let last = -1;
  return {
    next(key) {
      // Never before an equal call: their order says which answer is whose.
      last = placesOf.get(key)?.shift() ?? Math.max(last, lastOf.get(key) ?? -1);
      lastOf.set(key, last);
      return last;
    },
  };
}

/**
 * `record`: all calls are live, and the file holds them in place of what it held. `replay`: none is, and a call that was
 * not recorded fails. `auto`: recorded ones are replayed, the others are live and added.
 */
export type CassetteMode = 'record' | 'replay' | 'auto';

export interface CassetteOptions {
  /** Absolute. */
  readonly file: string;
  readonly mode: CassetteMode;
  /** Values that must never be written; asked for each call. */
  readonly secrets: () => readonly string[];
  /** Called once when the file has entries that cannot be used. */
  readonly onOdd: (warning: EngineError) => void;
  /** Told of the first call in mode `auto` that a cassette with calls did not hold. */
  readonly onMiss: (miss: EngineError) => void;
}

/** A call that may be replayed. */
interface CassetteCall<Reply> {
  /** Calls of one kind answer each other only. */
  readonly kind: string;
  /** Names the call in messages. */
  readonly title: string;
  /** All that decides the answer, and nothing that differs from run to run. */
  readonly request: JsonValue;
  readonly signal: AbortSignal;
  /** Codes of errors that are answers of the outside world; others, such as a missing key, are not recorded. */
  readonly recordedErrors: ReadonlySet<string>;
  live(): Promise<Reply>;
  /** The answer as it is recorded. */
  write(reply: Reply): JsonValue;
  /** The answer from the record. @throws EngineError `cassette.unreadable` when somebody has changed it into nonsense */
  read(recorded: JsonValue): Reply;
}

export interface CassettePlayer {
  /** The file, as messages name it. */
  readonly file: string;
  readonly mode: CassetteMode;
  /** What the file held when it was opened. */
  readonly recorded: readonly RecordedCall[];
  /**
   * Answers one call. The n-th of equal requests gets the n-th recorded answer. A live one is on disk before it is given.
   * @throws EngineError `cassette.miss` | `cassette.changed` | `cassette.secret` | `files.not-writable`; the recorded error;
   *   what the live call throws; the signal's reason
   */
  call<Reply>(call: CassetteCall<Reply>): Promise<Reply>;
}

/**
 * Opens a cassette. A missing one is made, but for `replay`.
 * @throws EngineError `cassette.not-found` | `cassette.unreadable` | `cassette.newer-format` | `files.not-writable`
 */
export async function openCassette(options: CassetteOptions): Promise<CassettePlayer> {
  const file = await openCassetteFile(options.file);
  if (file.text === undefined && options.mode === 'replay') throw notFound(options.file);
  const entries = file.text === undefined ? [] : parseCassette(options.file, file.text);
  const odd = entries.filter(isOdd);
  if (odd.length > 0) options.onOdd(oddEntries(options.file, odd));
  // At once, so that a place where nothing can be written is known before the first answer is paid for.
  if (file.text === undefined) await file.save(() => cassetteText([]));
  return new Player(options, file, entries);
}

/** One asking of a request. */
interface Asked {
  readonly key: string;
  readonly request: JsonValue;
  /** From 0, among equal requests. */
  readonly occurrence: number;
  /** Where it belongs in the file. */
  readonly place: number;
  /** From 0, among all. */
  readonly order: number;
}

interface Line {
  readonly place: number;
  readonly order: number;
  readonly text: string;
  /** Of an entry that cannot be used: the answer that a new recording replaces it with. */
  readonly stead?: { readonly key: string; readonly occurrence: number };
}

class Player implements CassettePlayer {
  readonly file: string;
  readonly mode: CassetteMode;
  readonly recorded: readonly RecordedCall[];
  readonly #options: CassetteOptions;
  readonly #disk: CassetteFile;
  readonly #redactor: Redactor;
  /** Of the recorded calls, in order. */
  readonly #keys: readonly string[];
  readonly #places: CallPlaces;
  /** Undefined where the entry of an answer cannot be used: the answers of equal requests keep their order. */
  readonly #answers = new Map<string, (RecordedCall | undefined)[]>();
  readonly #askedOf = new Map<string, number>();
  readonly #lines: Line[];
  #asked = 0;
  #firstMissKey: string | undefined;

  constructor(options: CassetteOptions, disk: CassetteFile, entries: readonly CassetteEntry[]) {
    this.file = options.file;
    this.mode = options.mode;
    this.recorded = entries.filter((entry): entry is RecordedCall => !isOdd(entry));
    this.#options = options;
    this.#disk = disk;
    this.#redactor = createRedactor(options.secrets);
    // Redacted again: an older version may have known fewer names of secrets.
    const keyOf = ({ kind, request }: Pick<RecordedCall, 'kind' | 'request'>): string =>
      requestKey(kind, this.#redactor.redact(request));
    this.#keys = this.recorded.map(keyOf);
    const lines = entries.map((entry, place): Line & { readonly key: string } => {
      if (!isOdd(entry)) {
        const key = keyOf(entry);
        this.#addAnswer(key, entry);
        return { key, place, order: -1, text: callText(entry) };
      }
      const key = entry.asked === undefined ? `odd ${place}` : keyOf(entry.asked);
      const stead = { key, occurrence: this.#addAnswer(key, undefined) };
      return { key, place, order: -1, text: entry.text, stead };
    });
    this.#places = createCallPlaces(lines.map(({ key }) => key));
    this.#lines = options.mode === 'auto' ? lines : [];
  }

  /** @returns the number of the answer among those of equal requests, from 0 */
  #addAnswer(key: string, answer: RecordedCall | undefined): number {
    const known = this.#answers.get(key) ?? [];
    this.#answers.set(key, [...known, answer]);
    return known.length;
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

  #ask({ kind, request: raw }: Pick<RecordedCall, 'kind' | 'request'>): Asked {
    const request = this.#redactor.redact(raw);
    const key = this.#recordedKey(kind, request);
    const occurrence = this.#askedOf.get(key) ?? 0;
    this.#askedOf.set(key, occurrence + 1);
    return { key, request, occurrence, place: this.#places.next(key), order: this.#asked++ };
  }

  /** The key under which the request was recorded, if it was; else its own. */
  #recordedKey(kind: string, request: JsonValue): string {
    const key = requestKey(kind, request);
    if (this.#answers.has(key)) return key;
    const index = this.recorded.findIndex((call) => call.kind === kind && equalButSecrets(call.request, request));
    return this.#keys[index] ?? key;
  }

  #missError({ kind, title }: Pick<Miss, 'kind' | 'title'>, { key, request, occurrence }: Asked): EngineError {
    const recordedCount = this.#answers.get(key)?.filter((answer) => answer !== undefined).length ?? 0;
    const shownTitle = String(this.#redactor.redact(title));
    const miss = { file: this.file, kind, title: shownTitle, occurrence: occurrence + 1, recordedCount };
    const isFirst = this.#firstMissKey === undefined;
    this.#firstMissKey ??= key;
    // Another attempt at the first one is not a later one: its error may be the only one that is shown.
    if (this.#firstMissKey !== key) return laterMissError({ ...miss, differences: undefined });
    const differences = nearestDifferences(
      request,
      this.recorded.filter((call) => call.kind === kind),
    );
    if (this.mode === 'replay') {
      return firstMissError({ ...miss, differences }, 'Undo the change, or record again (mode "record").');
    }
    const error = firstMissError({ ...miss, differences }, 'It is asked live and added.');
    if (isFirst && this.recorded.length > 0) this.#options.onMiss(error);
    return error;
  }

  async #record<Reply>(call: CassetteCall<Reply>, asked: Asked): Promise<Reply> {
    let reply: Reply;
    try {
      reply = await call.live();
    } catch (thrown) {
      const isAnswer = EngineError.is(thrown) && call.recordedErrors.has(thrown.code) && !call.signal.aborted;
      if (isAnswer) await this.#keep({ kind: call.kind, outcome: { error: recordOf(thrown) } }, asked);
      throw thrown;
    }
    call.signal.throwIfAborted();
    await this.#keep({ kind: call.kind, outcome: { response: call.write(reply) } }, asked);
    return reply;
  }

  async #keep({ kind, outcome }: Pick<RecordedCall, 'kind' | 'outcome'>, asked: Asked): Promise<void> {
    const text = callText({ kind, request: asked.request, outcome: this.#redactedOutcome(outcome) });
    if (this.#redactor.isLeaking(text)) throw leaking(this.file);
    const old = this.#lines.findIndex(({ stead }) => stead?.key === asked.key && stead.occurrence === asked.occurrence);
    if (old !== -1) this.#lines.splice(old, 1);
    this.#lines.push({ place: asked.place, order: asked.order, text });
    this.#lines.sort((a, b) => a.place - b.place || a.order - b.order);
    await this.#disk.save(() => cassetteText(this.#lines.map((line) => line.text)));
  }

  #redactedOutcome(outcome: RecordedCall['outcome']): RecordedCall['outcome'] {
    if ('response' in outcome) return { response: this.#redactor.redact(outcome.response) };
    const { message, details, ...rest } = outcome.error;
    return {
      error: {
        ...rest,
        message: String(this.#redactor.redact(message)),
        // Errors cross processes and are stored, so what they carry is JSON.
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
