/**
 * The actions of an executor: each is a task of its own, so none waits for another. They are counted, so that hosts can
 * learn whether there is anything to do.
 */
import { EngineError } from '../base/engine-error.ts';
import { Listeners } from '../base/listeners.ts';
import { warn } from './warn.ts';

/** Not part of any run's log: the first action begins, the last one has ended. */
export interface ExecEvent {
  readonly type: 'exec:start' | 'exec:end';
}

export class Actions {
  readonly #listeners = new Listeners<[ExecEvent]>();
  readonly #handled = new Set<Promise<unknown>>();
  #underWay = 0;
  #isClosed = false;

  subscribe(listener: (event: ExecEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Starts an action. It is under way until it was handled and, if it has started something, until that is over.
   * @param whenOver what was started, from the answer; undefined = nothing
   * @throws EngineError `engine.closed`, or what the handler throws: the action was refused
   */
  async run<Answer>(
    handle: () => Promise<Answer> | Answer,
    whenOver: (answer: Answer) => Promise<unknown> | undefined = () => undefined,
  ): Promise<Answer> {
    if (this.#isClosed) throw engineClosed();
    this.#begin();
    let over: Promise<unknown> | undefined;
    // A turn later: who asks right after a run has ended finds it gone.
    const task = Promise.resolve().then(handle);
    this.#handled.add(task);
    try {
      const answer = await task;
      over = whenOver(answer);
      return answer;
    } finally {
      this.#handled.delete(task);
      if (over === undefined) this.#end();
      else void over.finally(() => this.#end());
    }
  }

  /** Refuses actions from now on; resolves when those under way are handled. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#handled);
  }

  #begin(): void {
    if (this.#underWay++ === 0) this.#listeners.tell(warn, { type: 'exec:start' });
  }

  #end(): void {
    if (--this.#underWay === 0) this.#listeners.tell(warn, { type: 'exec:end' });
  }
}

/** The error for an action on an engine that is closing. */
export function engineClosed(): EngineError {
  return new EngineError({ code: 'engine.closed', message: 'The engine is closing. Open the workspace again.' });
}
