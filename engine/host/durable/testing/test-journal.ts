/**
 * A journal in memory whose attempts break at any time. It checks that each attempt requests the same operations.
 */
import type { Finished, Handle, Journal } from '../journal.ts';

interface Operation {
  readonly kind: 'step' | 'timer' | 'message' | 'cancel';
  readonly name: string;
}

/** The part of a journal that survives attempts. */
export class StoredJournal {
  readonly operations: Operation[] = [];
  /** Finished operations in order, by position in `operations`. */
  readonly finished: { readonly place: number; readonly text: string }[] = [];
  /** Texts of messages, in order. */
  readonly messages: string[] = [];
  isCanceled = false;
}

interface TestJournalOptions {
  readonly stored: StoredJournal;
  /** Returns a number from 0 to `count` - 1. */
  readonly choose: (count: number) => number;
  /** Number of completions in this attempt before it breaks; undefined if it does not break. */
  readonly breakAfter?: number;
}

interface TestHandle {
  readonly place: number;
}

export class TestJournal implements Journal {
  readonly #options: TestJournalOptions;
  readonly #works = new Map<number, () => Promise<string>>();
  readonly #running = new Map<number, Promise<void>>();
  readonly #results = new Map<number, string>();
  readonly #end = new AbortController();
  readonly ended = this.#end.signal;
  /** Resolves when the attempt breaks. */
  readonly broken: Promise<void>;
  #requested = 0;
  #delivered = 0;

  constructor(options: TestJournalOptions) {
    this.#options = options;
    this.broken = new Promise((resolve) => this.ended.addEventListener('abort', () => resolve()));
  }

  step(name: string, work: () => Promise<string>): Handle {
    const handle = this.#request({ kind: 'step', name });
    if (!this.#isFinished(handle.place)) this.#works.set(handle.place, work);
    return handle;
  }

  sleep(ms: number): Handle {
    return this.#request({ kind: 'timer', name: String(ms) });
  }

  message(index: number): Handle {
    return this.#request({ kind: 'message', name: String(index) });
  }

  cancellation(): Handle {
    return this.#request({ kind: 'cancel', name: '' });
  }

  async next(handles: readonly Handle[]): Promise<Finished> {
    const places = new Map((handles as readonly TestHandle[]).map((handle) => [handle.place, handle]));
    for (const [place, work] of this.#works) if (places.has(place)) this.#begin(place, work);
    if (this.#options.breakAfter === this.#delivered++) {
      this.#end.abort();
      return await new Promise(() => undefined);
    }
    const { finished } = this.#options.stored;
    const known = finished.find(({ place }) => places.has(place));
    const next = known ?? (await this.#pick([...places.keys()]));
    if (known === undefined) finished.push(next);
    const handle = places.get(next.place);
    if (handle === undefined) throw new Error('Nobody waits for it');
    return { handle, text: next.text };
  }

  suspend(): void {
    throw new Error('Tests end before a run leaves memory');
  }

  #request(operation: Operation): TestHandle {
    const { operations } = this.#options.stored;
    const place = this.#requested++;
    const former = operations[place];
    if (former === undefined) operations.push(operation);
    else if (former.kind !== operation.kind || former.name !== operation.name)
      throw new Error(`Operation ${place} was ${former.kind} ${former.name}, now ${operation.kind} ${operation.name}`);
    return { place };
  }

  #isFinished(place: number): boolean {
    return this.#options.stored.finished.some((one) => one.place === place);
  }

  #begin(place: number, work: () => Promise<string>): void {
    this.#works.delete(place);
    const done = work().then((text) => {
      this.#results.set(place, text);
    });
    this.#running.set(place, done);
  }

  /** Chooses one of the operations that can finish now. Messages finish only when nothing else can. */
  async #pick(places: readonly number[]): Promise<{ readonly place: number; readonly text: string }> {
    const { stored, choose } = this.#options;
    await Promise.all(places.map((place) => this.#running.get(place)));
    const of = (kind: Operation['kind']): readonly number[] =>
      places.filter((place) => stored.operations[place]?.kind === kind);
    const steps = of('step').filter((place) => this.#results.has(place));
    const timers = of('timer').slice(0, 1);
    const ready = [...steps, ...timers, ...(stored.isCanceled ? of('cancel') : [])];
    const picked = ready[choose(ready.length)];
    if (picked !== undefined) return { place: picked, text: this.#results.get(picked) ?? '' };
    const [message] = of('message');
    const text = stored.messages[Number(stored.operations[message ?? -1]?.name)];
    if (message === undefined || text === undefined) throw new Error('Nothing can finish');
    return { place: message, text };
  }
}
