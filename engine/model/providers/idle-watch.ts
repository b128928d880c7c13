/**
 * Gives a request up when nothing at all comes any more. There is no limit for a whole answer: a long one is no fault.
 */
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';

/**
 * Milliseconds without a single byte, keep-alives included. Node's own `fetch` would give up after five minutes, with an
 * error that says less.
 */
export const idleLimitMs = 240_000;

interface IdleWatch {
  /** Aborts with the error when the limit is reached. */
  readonly signal: AbortSignal;
  /** `fetch` that counts what comes. Redirects are answers: a key must not follow them to another host. */
  readonly fetch: typeof globalThis.fetch;
  /** Ends the watching. */
  stop(): void;
}

/**
 * Begins to watch.
 * @param provider its name, for the message
 */
export function watchIdle(provider: string, clock: Clock): IdleWatch {
  const idle = new AbortController();
  const giveUp = (): void => idle.abort(tooQuiet(provider));
  let endTimer = clock.setTimer(giveUp, idleLimitMs);
  const touch = (): void => {
    endTimer();
    endTimer = clock.setTimer(giveUp, idleLimitMs);
  };
  return {
    signal: idle.signal,
    async fetch(input, init) {
      const response = await fetch(input, { ...init, redirect: 'manual' });
      touch();
      if (response.body === null) return response;
      const body = response.body.pipeThrough(counting(touch));
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers });
    },
    stop: () => endTimer(),
  };
}

function counting(touch: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      touch();
      controller.enqueue(chunk);
    },
  });
}

function tooQuiet(provider: string): EngineError {
  return new EngineError({
    code: 'model.unavailable',
    message: `Provider "${provider}" sent nothing for ${idleLimitMs / 60_000} minutes; the request was given up.`,
    recoverable: true,
    details: { idleMs: idleLimitMs },
  });
}
