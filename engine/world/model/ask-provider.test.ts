import { expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { ModelReply } from '../../runtime/kernel/models/model-capability.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { withRetries } from './ask-provider.ts';
import type { AskOptions } from './model-provider.ts';

const reply: ModelReply = { text: 'yes', finishReason: 'stop' };

function failure(code: string, details?: unknown, recoverable = true): EngineError {
  return new EngineError({ code, message: 'no', recoverable, details });
}

type Outcome = ModelReply | EngineError | ((options: AskOptions) => never);

function start(outcomes: readonly Outcome[], signal = new AbortController().signal) {
  const clock = createManualClock();
  let tries = 0;
  const provider = withRetries(
    {
      async ask(_request, options) {
        const outcome = outcomes[tries++];
        if (typeof outcome === 'function') return outcome(options);
        if (outcome === undefined || outcome instanceof Error) throw outcome;
        return outcome;
      },
    },
    { clock, random: () => 0.5 },
  );
  const result = provider.ask({ model: 'm', messages: [] }, { signal, onText: () => {} }).catch((error) => error);
  return { clock, result, tries: () => tries };
}

const unavailable = failure('model.unavailable');

test('retries a network failure after increasing pauses', async () => {
  const { clock, result, tries } = start([unavailable, unavailable, reply]);
  await clock.advance(60_000);
  expect(await result).toBe(reply);
  expect(tries()).toBe(3);
  expect(clock.delays).toEqual([750, 1500]);
});

test('gives up after three attempts', async () => {
  const { clock, result, tries } = start([unavailable, unavailable, unavailable, reply]);
  await clock.advance(60_000);
  expect(await result).toBe(unavailable);
  expect(tries()).toBe(3);
});

test.each([
  [{ retryAfterMs: 20_000 }, [20_000]],
  [{ retryAfterMs: 0 }, [750]],
  [{ retryAfterMs: 60_001 }, []],
  [undefined, [750]],
])('waits for a busy provider with %j for %j ms', async (details, delays) => {
  const { clock, result } = start([failure('model.rate-limited', details), reply]);
  await clock.advance(60_000);
  expect(clock.delays).toEqual(delays);
  expect(await result).toEqual(delays.length === 0 ? expect.any(EngineError) : reply);
});

test.each([
  failure('model.rejected', undefined, false),
  failure('model.missing-key', undefined, false),
  failure('model.rate-limited', undefined, false),
  failure('model.unavailable', { idleMs: 1 }),
])('does not retry an error that a retry would not change (%#)', async (error) => {
  const { clock, result, tries } = start([error, reply]);
  expect(await result).toBe(error);
  expect(tries()).toBe(1);
  expect(clock.delays).toEqual([]);
});

test('does not retry after a bug', async () => {
  const bug = new TypeError('x is not a function');
  const { result, tries } = start([
    () => {
      throw bug;
    },
    reply,
  ]);
  expect(await result).toBe(bug);
  expect(tries()).toBe(1);
});

test.each(['onText', 'onReasoning'] as const)('does not retry after a partial response (%s)', async (listener) => {
  const { result, tries } = start([
    (options) => {
      options[listener]?.('half');
      throw unavailable;
    },
    reply,
  ]);
  expect(await result).toBe(unavailable);
  expect(tries()).toBe(1);
});

test('cancellation ends the pause at once', async () => {
  const controller = new AbortController();
  const { clock, result, tries } = start([unavailable, reply], controller.signal);
  await clock.settle();
  expect(clock.openTimers).toBe(1);
  controller.abort('stop');
  expect(await result).toBe('stop');
  expect(clock.openTimers).toBe(0);
  expect(tries()).toBe(1);
});
