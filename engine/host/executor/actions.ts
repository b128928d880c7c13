/**
 * Performs an executor's actions. Each is a separate task, so that none waits for another. They are counted, so that
 * hosts can tell whether the executor is active.
 */
import { EngineError } from '../../base/engine-error.ts';
import { Listeners } from '../../base/listeners.ts';
import { warn } from './warn.ts';

/** Reports that the first action has started, or that the last one has ended. Not part of a run's log. */
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
   * Starts an action. It is active until it has been handled and everything it started has ended.
   * @param whenOver returns a promise for what was started, from the result; undefined if nothing was started
   * @throws EngineError `engine.closed`, or the handler's error: the action was rejected
   */
  async run<Answer>(
    handle: () => Promise<Answer> | Answer,
    whenOver: (answer: Answer) => Promise<unknown> | undefined = () => undefined,
  ): Promise<Answer> {
    if (this.#isClosed) throw engineClosed();
    this.#begin();
    let over: Promise<unknown> | undefined;
    // Deferred, so that a run that has just ended is gone when the next caller's action is handled.
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

  /** Rejects later actions. Resolves when active ones have been handled. */
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

/** Creates the error for an action on an engine that is closing. */
export function engineClosed(): EngineError {
  return new EngineError({ code: 'engine.closed', message: 'The engine is closing. Open the workspace again.' });
}

interface WaitingRun {
  /** Starts immediately without a slot, for a run that only needs to end. Has no effect once it has started. */
  skipLine(): void;
}

interface RunSlots {
  /** Calls `start` once, now or when a slot is free, in order. The slot is freed when the promise resolves. */
  enter(start: () => Promise<void>): WaitingRun;
}

/** Creates `count` slots. */
export function createRunSlots(count: number): RunSlots {
  let free = count;
  const line: (() => void)[] = [];

  function leave(): void {
    const next = line.shift();
    if (next === undefined) free++;
    else next();
  }

  return {
    enter(start) {
      const takePlace = (): void => void start().then(leave);
      if (free > 0) {
        free--;
        takePlace();
        return { skipLine() {} };
      }
      line.push(takePlace);
      return {
        skipLine() {
          const position = line.indexOf(takePlace);
          if (position === -1) return;
          line.splice(position, 1);
          void start();
        },
      };
    },
  };
}
