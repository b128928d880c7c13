/**
 * Limits the duration of work, whether or not the work reacts to its signal, and writes its progress to the log.
 */
import { type Clock, elapsedSince } from '../../base/clock.ts';
import { onAbort } from '../../base/on-abort.ts';
import { seenText } from '../../language/json/shown-text.ts';
import type { ToolScope } from '../../runtime/kernel/capabilities/tool-capability.ts';
import type { AskCapability } from '../../runtime/kernel/requests/ask.ts';
import { ToolFailure, type ToolProgress } from './tool-source.ts';

interface TimeLimit {
  readonly tool: string;
  /** Timeout in milliseconds; undefined for none. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** A running timeout, as its work sees it. */
interface RunningLimit {
  /** Returns the result of a wait that does not count. */
  hold<T>(wait: () => Promise<T>): Promise<T>;
  /** Starts the timeout again, because the work has progressed. */
  restart(): void;
}

type LimitedWork<T> = (signal: AbortSignal, limit: RunningLimit) => Promise<T>;

/** Work that keeps reporting progress ends after this many timeouts. */
const mostTimeouts = 12;

/**
 * Returns the result of the work. Later results of abandoned work are ignored.
 * @param work receives a signal that aborts with the caller's signal and on timeout
 * @throws ToolFailure `timeout`; the signal's reason; the work's errors
 */
export function withinTime<T>(work: LimitedWork<T>, { tool, timeoutMs, signal, clock }: TimeLimit): Promise<T> {
  return new Promise((resolve, reject) => {
    const own = new AbortController();
    const stopListening = onAbort(signal, () => end(signal.reason));
    const timer = new PausableTimer(timeoutMs, clock, () =>
      end(new ToolFailure('timeout', `${tool} did not finish within ${timeoutMs} ms.`)),
    );
    const settle = (): void => {
      stopListening();
      timer.stop();
    };
    const end = (reason: unknown): void => {
      settle();
      own.abort(reason);
      reject(reason);
    };
    begin(work, own.signal, timer).then(
      (value) => {
        settle();
        resolve(value);
      },
      (thrown: unknown) => {
        settle();
        reject(thrown);
      },
    );
  });
}

/** External code may throw synchronously, or not return a promise. */
async function begin<T>(work: LimitedWork<T>, signal: AbortSignal, limit: RunningLimit): Promise<T> {
  return await work(signal, limit);
}

/** Stops while any wait is held. */
class PausableTimer implements RunningLimit {
  readonly #clock: Clock;
  readonly #onExpired: () => void;
  readonly #limitMs: number | undefined;
  #leftMs: number | undefined;
  /** Time that may still be added by restarts, in milliseconds. */
  #spareMs: number;
  #startedAt = 0;
  #holds = 0;
  #end: (() => void) | undefined;

  /** @param limitMs undefined for no limit */
  constructor(limitMs: number | undefined, clock: Clock, onExpired: () => void) {
    this.#limitMs = limitMs;
    this.#leftMs = limitMs;
    this.#spareMs = (mostTimeouts - 1) * (limitMs ?? 0);
    this.#clock = clock;
    this.#onExpired = onExpired;
    this.#start();
  }

  async hold<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#holds++ === 0) this.#pause();
    try {
      return await wait();
    } finally {
      if (--this.#holds === 0) this.#start();
    }
  }

  restart(): void {
    if (this.#leftMs === undefined || this.#limitMs === undefined) return;
    const isRunning = this.#end !== undefined;
    this.#pause();
    const addedMs = Math.min(this.#spareMs, this.#limitMs - this.#leftMs);
    this.#spareMs -= addedMs;
    this.#leftMs += addedMs;
    if (isRunning) this.#start();
  }

  /** Ends the limit for good. */
  stop(): void {
    this.#pause();
    this.#leftMs = undefined;
  }

  #start(): void {
    if (this.#leftMs === undefined) return;
    this.#startedAt = this.#clock.now();
    this.#end = this.#clock.setTimer(this.#onExpired, this.#leftMs);
  }

  #pause(): void {
    if (this.#end === undefined || this.#leftMs === undefined) return;
    this.#end();
    this.#end = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - elapsedSince(this.#startedAt, this.#clock));
  }
}

/** Minimum time between two lines of a call, in milliseconds. */
const lineEveryMs = 1_000;
/** Maximum number of lines of a call. */
const mostLines = 200;

type LimitedScope = ToolScope & { readonly progress: (progress: ToolProgress) => void };

/**
 * Extends the scope of an attempt with a timeout: it can ask, which pauses the timeout, and report progress, which
 * restarts it.
 */
export function limitedScope<Scope extends ToolScope>(
  tool: string,
  scope: Scope,
  limit: RunningLimit,
): Scope & LimitedScope {
  const progress = reportsOf(tool, scope, limit);
  // Not copied once more: this is part of each call's time.
  if (scope.ask === undefined) return Object.assign(scope, { progress });
  return Object.assign(scope, { progress, ask: heldAsk(scope.ask, limit) });
}

/** The time until the answer does not count. */
function heldAsk(ask: AskCapability, limit: RunningLimit): AskCapability {
  return (key, request, wait) => limit.hold(() => ask(key, request, wait));
}

function reportsOf(tool: string, { hub, clock }: ToolScope, limit: RunningLimit): LimitedScope['progress'] {
  let lines = 0;
  let writtenAt: number | undefined;
  return ({ done, total, message = '' }) => {
    limit.restart();
    const isSoon = writtenAt !== undefined && elapsedSince(writtenAt, clock) < lineEveryMs;
    if (isSoon || lines >= mostLines) return;
    const count = total === undefined ? `${done ?? ''}` : `${done ?? 0} of ${total}`;
    const parts = [seenText(message, 200), count].filter((part) => part !== '');
    if (parts.length === 0) return;
    writtenAt = clock.now();
    lines += 1;
    hub.emit({ type: 'log', level: 'info', text: `${tool}: ${parts.join(', ')}` });
  };
}
