/**
 * What a run needs from its host. The local host is a process that keeps the log itself; another host may be a
 * durable-execution engine that returns recorded results instead of repeating work. The runner depends on neither.
 */
import { type Clock, sleep } from '../../../base/clock.ts';
import type { EngineError } from '../../../base/engine-error.ts';
import { randomText } from '../../../base/ids.ts';
import { onAbort } from '../../../base/on-abort.ts';
import { stopReason } from '../hub/cancel-scope.ts';
import { Suspension } from '../hub/harness.ts';

/**
 * The host of one run.
 *
 * A host with `keepsSteps` hands the runner one completion at a time (a step, a timer, a signal or a cancellation). It
 * waits until the runner has made every request that follows from it, then hands over the next, in an order that it can
 * repeat.
 */
export interface RunHost {
  /**
   * Does the work at most once, as far as the host knows. The result is JSON and is what a replay returns. Never
   * rejects, because failures are part of the result.
   * @param name unique in the run: the full name of a node, `#`, and the number of the attempt, for example
   * `each[3].sum_up#2`
   */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Resolves after `ms`; rejects with the reason of `signal` if it aborts first.
   * @param purpose `wait`: durable and part of the flow (a pause before a retry, `control.wait`, a timeout of a loop).
   * `housekeeping`: local to this process, never recorded
   */
  timer(name: string, ms: number, purpose: TimerPurpose, signal?: AbortSignal): Promise<void>;
  /**
   * Waits for an answer from outside that survives restarts. A host that ends suspended runs throws a `Suspension`
   * instead; any other error ends the run.
   * @param name the full name of a node, `?`, and the key of its question; or the name of an interrupted step and
   * `/cut`
   */
  signal<T>(name: string): Promise<T>;
  /** Returns the current time in epoch milliseconds. During a replay, returns the recorded time. */
  now(): number;
  /**
   * Calls `listener` when the run must stop, with the reason if there is one. Returns a function that removes the
   * listener.
   */
  onCancel(listener: (reason?: EngineError) => void): () => void;
  /** Differs after every restart, which shows that an attempt was interrupted. */
  readonly incarnation: string;
  /**
   * The host runs the flow from its start after a restart and returns the results of finished steps. A node's events
   * are then emitted when its step ends, and run ids must be reproducible (`FlowRequest.ids`).
   */
  readonly keepsSteps?: true;
}

/** Why the run waits. */
export type TimerPurpose = 'wait' | 'housekeeping';

const never = new AbortController().signal;
const thisProcess = randomText();

/** Creates the host for a process that has only its log as durable state. `signal` requests that the run stops. */
export function createLocalHost(clock: Clock, signal: AbortSignal = never): RunHost {
  return {
    step: (_name, work) => work(),
    timer: (_name, ms, _purpose, stop = never) => sleep(clock, ms, stop),
    signal: () => Promise.reject(new Suspension()),
    now: () => clock.now(),
    onCancel(listener) {
      if (!signal.aborted) return onAbort(signal, () => listener(stopReason(signal)));
      listener(stopReason(signal));
      return () => undefined;
    },
    incarnation: thisProcess,
  };
}

/** Returns the host for a child run of a node: every name is prefixed with the name of that node. */
export function childRunHost(host: RunHost, name: string): RunHost {
  return {
    step: (inner, work) => host.step(`${name}/${inner}`, work),
    timer: (inner, ...wait) => host.timer(`${name}/${inner}`, ...wait),
    signal: (inner) => host.signal(`${name}/${inner}`),
    now: () => host.now(),
    // The parent run stops this one.
    onCancel: () => () => undefined,
    incarnation: host.incarnation,
    ...(host.keepsSteps === true ? { keepsSteps: true } : {}),
  };
}

/**
 * Returns the host for repeated work. After an answer the node is called again, so repeated names of steps, timers and
 * signals get `~` and the number of earlier uses.
 */
export function hostOfRepeats(host: RunHost): RunHost {
  const counts = new Map<string, number>();
  const named = (name: string): string => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count === 0 ? name : `${name}~${count}`;
  };
  return {
    step: (name, work) => host.step(named(name), work),
    timer: (name, ...wait) => host.timer(named(name), ...wait),
    signal: (name) => host.signal(named(name)),
    now: () => host.now(),
    onCancel: (listener) => host.onCancel(listener),
    incarnation: host.incarnation,
    ...(host.keepsSteps === true ? { keepsSteps: true } : {}),
  };
}

/** Returns a clock based on the host's time. Its timers are part of the flow. @param name unique in the run */
export function clockOfHost(host: RunHost, name: string): Clock {
  let count = 0;
  return {
    now: () => host.now(),
    setTimer(callback, delayMs) {
      const stop = new AbortController();
      const over = host.timer(`${name}/${count++}`, delayMs, 'wait', stop.signal);
      // Rejects only if the timer was cleared.
      over.then(callback, () => undefined);
      return () => stop.abort();
    },
  };
}
