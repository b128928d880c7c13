/**
 * What a run needs of whoever hosts it. The local host, a process that keeps the log itself, is one; an engine that gives
 * results again instead of doing work twice is another. The runner names neither.
 */
import { type Clock, sleep } from '../base/clock.ts';
import type { EngineError } from '../base/engine-error.ts';
import { randomText } from '../base/ids.ts';
import { onAbort } from '../base/on-abort.ts';
import { stopReason } from './cancel-scope.ts';
import { Suspension } from './harness.ts';

/**
 * The host of one run.
 *
 * One that `keepsSteps` hands the runner one completion at a time (a step, a timer, a signal, a cancel), waits until the runner
 * has asked for all that follows from it, and only then hands over the next, in an order that it can repeat.
 */
export interface RunHost {
  /**
   * Does the work at most once, as far as the host can tell. What it gives is JSON, and what a replay gets. It never fails: failures
   * are part of what it gives.
   * @param name unique in the run: the full name of a node, `#`, and the number of the attempt, as `each[3].sum_up#2`
   */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Resolves after `ms`; rejects with the reason of `signal` when that aborts before.
   * @param purpose `wait`: durable, of the flow's own making (a pause before a retry, `control.wait`, a time limit on a loop).
   *   `housekeeping`: of this process alone, never kept
   */
  timer(name: string, ms: number, purpose: TimerPurpose, signal?: AbortSignal): Promise<void>;
  /**
   * An answer from outside, which lasts over restarts. A host that ends suspended runs throws a `Suspension` instead; what another one
   * throws ends the run.
   * @param name full name of a node, `?`, and the key of its question; or the name of a step that was cut, and `/cut`
   */
  signal<T>(name: string): Promise<T>;
  /** Epoch milliseconds. At a replay, those of the first time. */
  now(): number;
  /** Calls `listener` when the run is to stop, with the reason where there is one. Returns the end of that. */
  onCancel(listener: (reason?: EngineError) => void): () => void;
  /** Differs after every restart: tells that an attempt was cut. */
  readonly incarnation: string;
  /**
   * It runs the flow from its start after a restart, and gives the results of finished steps again. What a node tells is then told
   * when its step has ended, and ids of runs have to repeat (`FlowRequest.ids`).
   */
  readonly keepsSteps?: true;
}

/** Why somebody waits. */
export type TimerPurpose = 'wait' | 'housekeeping';

const never = new AbortController().signal;
const thisProcess = randomText();

/** A process of its own, whose log is all that lasts. `signal` asks the run to stop. */
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

/** The host, for a run that a node of another one calls: all its names stand below that node's. */
export function hostBelow(host: RunHost, name: string): RunHost {
  return {
    step: (inner, work) => host.step(`${name}/${inner}`, work),
    timer: (inner, ...wait) => host.timer(`${name}/${inner}`, ...wait),
    signal: (inner) => host.signal(`${name}/${inner}`),
    now: () => host.now(),
    // The run above stops it.
    onCancel: () => () => undefined,
    incarnation: host.incarnation,
    ...(host.keepsSteps === true ? { keepsSteps: true } : {}),
  };
}

/**
 * The host, for work that is done again: a node that has asked is called again with the answer, and its steps, timers and signals then
 * have names of their own, with `~` and how often each was asked for before.
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

/** The host's time as a clock, whose timers are of the flow's own making. @param name unique in the run */
export function clockOfHost(host: RunHost, name: string): Clock {
  let count = 0;
  return {
    now: () => host.now(),
    setTimer(callback, delayMs) {
      const stop = new AbortController();
      const over = host.timer(`${name}/${count++}`, delayMs, 'wait', stop.signal);
      // Rejects only when it was ended.
      over.then(callback, () => undefined);
      return () => stop.abort();
    },
  };
}
