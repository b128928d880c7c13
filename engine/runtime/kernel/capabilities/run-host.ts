/**
 * The services that a run needs from its host. The local host is a process that keeps the log itself; another host may
 * be a durable-execution engine that returns recorded results instead of repeating work. The runner depends on neither.
 */
import { type Clock, passTime, sleep } from '../../../base/clock.ts';
import type { EngineError } from '../../../base/engine-error.ts';
import { randomText } from '../../../base/ids.ts';
import { onAbort } from '../../../base/on-abort.ts';
import { stopReason } from '../hub/cancel-scope.ts';
import { Suspension } from '../hub/harness.ts';

/**
 * A run's host.
 *
 * A host with `keepsSteps` hands the runner one completion at a time (a step, a timer, a signal or a cancellation). It
 * waits until the runner has made every request that follows from the completion, then hands over the next one, in an
 * order that it can repeat.
 */
export interface RunHost {
  /**
   * Does the work at most once, as far as the host knows. The result is JSON, and a replay returns it. Never rejects,
   * because failures are part of the result.
   * @param name unique in the run: a node's full name, `#`, and the attempt number, for example `each[3].sum_up#2`
   */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Resolves after `ms`; rejects with the reason from `signal` if that aborts first.
   * @param purpose `wait`: durable and part of the flow (a pause before a retry, `control.wait`). `limit`: a durable
   * timeout of such work; a run that has no other timer only waits. `housekeeping`: local to this process, never recorded
   */
  timer(name: string, ms: number, purpose: TimerPurpose, signal?: AbortSignal): Promise<void>;
  /**
   * Waits for an answer from outside that survives restarts. A host that ends suspended runs throws a `Suspension`
   * instead; any other error ends the run.
   * @param name a node's full name, `?`, and the key of its question; or the full name of an interrupted node or input,
   * and `/cut`. From the second time on, `~` and the number of earlier uses follow
   */
  signal<T>(name: string): Promise<T>;
  /** Returns the current time in epoch milliseconds. During a replay, returns the recorded time. */
  now(): number;
  /**
   * Calls `listener` when the run must stop, passing the reason if there is one. Returns a function that removes the
   * listener.
   */
  onCancel(listener: (reason?: EngineError) => void): () => void;
  /** Different after every restart, which shows that an attempt was interrupted. */
  readonly incarnation: string;
  /**
   * The host runs the flow from its start after a restart and returns the results of finished steps. A node's events
   * are then emitted when its step ends, and run IDs must be reproducible (`FlowRequest.ids`).
   */
  readonly keepsSteps?: true;
  /** The time during which the run only waits for people. Absent for a host that ends waiting runs. */
  readonly waits?: WaitedTime;
}

/** Why the run waits. */
export type TimerPurpose = 'wait' | 'limit' | 'housekeeping';

/** The time during which a run only waits for people. */
export interface WaitedTime {
  /** Milliseconds of all waits so far, up to the time of the host. */
  readonly ms: number;
  /** Calls the listener once when the run does not wait: now, or at the end of the current wait. */
  whenOver(listener: () => void): void;
}

const never = new AbortController().signal;
const thisProcess = randomText();

/** Creates the host for a process whose only durable state is its log. `signal` requests that the run stop. */
export function createLocalHost(clock: Clock, signal: AbortSignal = never): RunHost {
  return {
    step: (_name, work) => work(),
    async timer(_name, ms, purpose, stop = never) {
      await (purpose === 'wait' ? passTime : sleep)(clock, ms, stop);
    },
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

/** Returns the host for a node's child run: every name is prefixed with the node's name. */
export function childRunHost(host: RunHost, name: string): RunHost {
  return {
    step: (inner, work) => host.step(`${name}/${inner}`, work),
    timer: (inner, ...wait) => host.timer(`${name}/${inner}`, ...wait),
    signal: (inner) => host.signal(`${name}/${inner}`),
    now: () => host.now(),
    // The parent run stops this one.
    onCancel: () => () => undefined,
    ...kindOf(host),
  };
}

function kindOf({ incarnation, keepsSteps, waits }: RunHost): Pick<RunHost, 'incarnation' | 'keepsSteps' | 'waits'> {
  return {
    incarnation,
    ...(keepsSteps === undefined ? {} : { keepsSteps }),
    ...(waits === undefined ? {} : { waits }),
  };
}

/**
 * Returns the host for repeated work. A node is called again after an answer, so repeated names of steps, timers and
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
    ...kindOf(host),
  };
}

/** Returns a clock based on the host's time. @param name unique in the run. @param purpose of its timers */
export function clockOfHost(host: RunHost, name: string, purpose: 'wait' | 'limit' = 'wait'): Clock {
  let count = 0;
  return {
    now: () => host.now(),
    setTimer(callback, delayMs) {
      const stop = new AbortController();
      const over = host.timer(`${name}/${count++}`, delayMs, purpose, stop.signal);
      // Rejects only if the timer was cleared.
      over.then(callback, () => undefined);
      return () => stop.abort();
    },
  };
}
