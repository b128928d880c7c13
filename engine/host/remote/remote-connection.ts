/**
 * Keeps a connection to a shared history: opens it when it is first needed, and again after the server was unreachable.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { Listeners } from '../../base/listeners.ts';
import type { SharedHistory } from '../../history/postgres/shared-history.ts';
import { warn } from '../executor/warn.ts';

interface ConnectionOptions {
  /** Opens the history with this password. */
  readonly open: (password: string | undefined) => Promise<SharedHistory>;
  /** Returns the current password; undefined if none is stored. */
  readonly password: () => string | undefined;
  readonly clock: Clock;
}

/** Time between two checks of the connection, in milliseconds. */
const checkMs = 2000;

/** Minimum time between two attempts to connect, so that simultaneous calls share one. */
const attemptMs = 1000;

/** Errors that concern the connection, and not a single call. */
const connectionErrors: ReadonlySet<string> = new Set([
  'store.unreachable',
  'store.denied',
  'store.not-found',
  'store.newer-version',
  'store.bad-url',
]);

const lostCodes: ReadonlySet<string> = new Set(['store.unreachable']);

export class RemoteConnection {
  readonly #options: ConnectionOptions;
  readonly #listeners = new Listeners<[]>();
  #history: SharedHistory | undefined;
  #opening: Promise<SharedHistory> | undefined;
  #problem: EngineError | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #deniedPassword: { readonly password: string | undefined } | undefined;
  #stopTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Why the history cannot be reached; undefined if it can, or is not needed yet. */
  get problem(): EngineError | undefined {
    return this.#problem;
  }

  /** Calls the listener when the history was opened, lost, or is reachable again. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Calls `work` with the history. @throws EngineError `store.*` if it cannot be reached; errors of `work` */
  async use<Result>(work: (history: SharedHistory) => Promise<Result>): Promise<Result> {
    const history = this.#history ?? (await this.#noting(() => this.#open(), connectionErrors));
    // An operation may also be denied or find nothing over a working connection.
    return await this.#noting(() => work(history), lostCodes);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer?.();
    this.#listeners.clear();
    const opening = await this.#opening?.catch(() => undefined);
    await (this.#history ?? opening)?.close();
  }

  async #open(): Promise<SharedHistory> {
    if (this.#opening !== undefined) return await this.#opening;
    const { clock } = this.#options;
    if (this.#problem !== undefined && clock.now() - this.#failedAt < attemptMs) throw this.#problem;
    this.#opening = this.#attempt();
    try {
      this.#history = await this.#opening;
      return this.#history;
    } catch (error) {
      this.#failedAt = clock.now();
      throw error;
    } finally {
      this.#opening = undefined;
      this.#checkLater();
    }
  }

  async #attempt(): Promise<SharedHistory> {
    const password = this.#options.password();
    // The server may lock the account after several attempts with a wrong password.
    if (this.#deniedPassword !== undefined && this.#deniedPassword.password === password && this.#problem !== undefined)
      throw this.#problem;
    this.#deniedPassword = undefined;
    try {
      return await this.#options.open(password);
    } catch (error) {
      if (EngineError.is(error) && error.code === 'store.denied') this.#deniedPassword = { password };
      throw error;
    }
  }

  /** Notes whether `work` succeeds or fails with one of the codes. */
  async #noting<Result>(work: () => Promise<Result>, codes: ReadonlySet<string>): Promise<Result> {
    try {
      const result = await work();
      this.#noteProblem(undefined);
      return result;
    } catch (error) {
      if (EngineError.is(error) && codes.has(error.code)) this.#noteProblem(error);
      throw error;
    }
  }

  #noteProblem(problem: EngineError | undefined): void {
    const former = this.#problem;
    this.#problem = problem;
    if (former?.message !== problem?.message) this.#listeners.tell(warn);
  }

  /** A broken connection is noticed even if nothing is read. */
  #checkLater(): void {
    if (this.#isClosed) return;
    this.#stopTimer ??= this.#options.clock.setTimer(() => {
      this.#stopTimer = undefined;
      const check = async (): Promise<unknown> => await (this.#history ?? (await this.#open())).findRun(0);
      void this.#noting(check, connectionErrors)
        // `#noting` has noted the problem.
        .catch((error: unknown) => {
          if (!EngineError.is(error)) warn(error);
        })
        .finally(() => this.#checkLater());
    }, checkMs);
  }
}
