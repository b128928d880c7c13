import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { type SpanCollector, startCollector, takeAll } from '../../testing/span-collector.ts';
import { createRedactor } from '../../world/secrets/redactor.ts';
import { mostWaiting, OtlpSender, type OtlpSenderOptions } from './otlp-sender.ts';
import { runSpanOf, type TraceSpan } from './span.ts';

let collector: SpanCollector;
let clock: ManualClock;
let notes: { code: string; message: string }[];
let senders: OtlpSender[];
beforeEach(async () => {
  collector = await startCollector();
  clock = createManualClock();
  [notes, senders] = [[], []];
});
afterEach(async () => {
  const closing = senders.map((sender) => sender.close());
  await clock.advance(60_000);
  await Promise.all(closing);
  expect(clock.openTimers).toBe(0);
  await collector.close();
});

function makeSender(more: Partial<OtlpSenderOptions> = {}): OtlpSender {
  const sender = new OtlpSender({
    ...{ endpoint: new URL(`${collector.address}/v1/traces`), headers: { 'x-key': 'k' }, timeoutMs: 10_000 },
    ...{ origin: { version: '1.0.0' }, redactor: createRedactor(() => [], { isForOthers: true }), clock },
    ...{ note: (notice) => void notes.push(notice), random: () => 0 },
    ...more,
  });
  senders.push(sender);
  return sender;
}

function span(name: string): TraceSpan {
  const place = runSpanOf(asRunId(name));
  return { ...place, name, kind: 1, startedAt: 1, endedAt: 2, attributes: {}, events: [], links: [] };
}

const heard = (): (readonly string[])[] => collector.heard.map(({ names }) => names);
/** Resolves when the sender pauses for this long before it retries. */
const untilPauseOf = (ms: number) => vi.waitFor(() => expect(clock.delays.at(-1)).toBe(ms));
const codes = (): string[] => notes.map(({ code }) => code);

test('sends the spans of a second together, as JSON with the headers, and masked', async () => {
  const sender = makeSender();
  sender.add([span('one')]);
  await clock.advance(999);
  sender.add([{ ...span('two'), failure: 'kim@mail.example.org has no money' }]);
  expect(heard()).toEqual([]);
  await clock.advance(1);
  await vi.waitFor(() => expect(heard()).toEqual([['one', 'two']]));
  const [{ url, headers, body } = expect.fail()] = collector.heard;
  expect([url, headers['content-type'], headers['x-key']]).toEqual(['/v1/traces', 'application/json', 'k']);
  expect(body).toContain('[email] has no money');
  expect(notes).toEqual([]);
});

test('sends many spans immediately, in requests of limited size, one after the other and in order', async () => {
  let under = 0;
  collector.answer = (response) => {
    under += 1;
    expect(under).toBe(1);
    setTimeout(() => {
      under -= 1;
      takeAll(response);
    }, 5);
  };
  const names = Array.from({ length: 600 }, (_, index) => `s${index}`);
  makeSender().add(names.map(span));
  await vi.waitFor(() => expect(heard().flat()).toEqual(names));
  expect(heard().map(({ length }) => length)).toEqual([256, 256, 88]);
});

describe('a failing collector', () => {
  test.each([429, 502, 503, 504])('retries after %i with growing pauses', async (status) => {
    collector.answer = (response, count) => {
      if (count > 3) takeAll(response);
      else response.writeHead(status).end();
    };
    makeSender().add([span('one')]);
    await clock.advance(1000);
    for (const [count, pause] of [
      [1, 500],
      [2, 1000],
      [3, 2000],
    ] as const) {
      await untilPauseOf(pause);
      expect(heard()).toHaveLength(count);
      await clock.advance(pause - 1);
      expect(heard()).toHaveLength(count);
      await clock.advance(1);
    }
    await vi.waitFor(() => expect(heard()).toHaveLength(4));
    expect(notes).toEqual([]);
  });

  test('waits as long as the collector asks before it retries', async () => {
    collector.answer = (response, count) => {
      if (count > 1) takeAll(response);
      else response.writeHead(503, { 'retry-after': '7' }).end();
    };
    makeSender().add([span('one')]);
    await clock.advance(1000);
    await untilPauseOf(7000);
    await clock.advance(6999);
    expect(heard()).toHaveLength(1);
    await clock.advance(1);
    await vi.waitFor(() => expect(heard()).toHaveLength(2));
  });

  test.each([500, 400, 401, 413, 302])('does not retry after %i, and sends the next spans', async (status) => {
    collector.answer = (response, count) => {
      if (count > 2) takeAll(response);
      else response.writeHead(status, { location: '/elsewhere' }).end('{}');
    };
    const sender = makeSender();
    for (const [index, name] of ['one', 'two', 'three'].entries()) {
      sender.add([span(name)]);
      await clock.advance(1000);
      await vi.waitFor(() => expect(heard()).toHaveLength(index + 1));
      await vi.waitFor(() => expect(clock.openTimers).toBe(0));
    }
    expect(heard()).toEqual([['one'], ['two'], ['three']]);
    expect(notes[0]).toEqual({
      code: 'traces.not-sent',
      message: `The span collector at ${new URL(collector.address).host} responded with status ${status}. Spans were dropped. Runs are not affected.`,
    });
  });

  test('reports that a collector rejected some spans, and does not send the others again', async () => {
    collector.answer = (response) =>
      response.end(JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'too\nold' } }));
    makeSender().add([span('one')]);
    await clock.advance(1000);
    await vi.waitFor(() => expect(codes()).toEqual(['traces.rejected']));
    expect(notes[0]?.message).toContain('has rejected 2 spans: too old.');
    await clock.advance(60_000);
    expect(heard()).toHaveLength(1);
  });

  test.each([
    ['nothing', ''],
    ['text that is not JSON', '{'],
    ['a text that is too long', `{"partialSuccess":{"rejectedSpans":1,"x":"${'x'.repeat(100_000)}"}}`],
    ['a list', '[1]'],
  ])('accepts the response %s', async (_what, text) => {
    collector.answer = (response) => response.end(text);
    makeSender().add([span('one')]);
    await clock.advance(1000);
    await vi.waitFor(() => expect(clock.openTimers).toBe(0));
    expect(heard()).toHaveLength(1);
    expect(notes).toEqual([]);
  });

  test('gives up on a collector that hangs, retries, and keeps only a limited number of spans', async () => {
    collector.answer = () => undefined;
    const sender = makeSender();
    sender.add([span('first')]);
    await clock.advance(1000);
    await vi.waitFor(() => expect(heard()).toHaveLength(1));
    sender.add(Array.from({ length: mostWaiting + 10 }, (_, index) => span(`s${index}`)));
    expect(codes()).toEqual(['traces.dropped']);
    await clock.advance(10_000);
    await untilPauseOf(500);
    collector.answer = takeAll;
    await clock.advance(500);
    await vi.waitFor(() => expect(heard().flat()).toHaveLength(2 + mostWaiting), { timeout: 10_000 });
    // The oldest waiting spans were dropped.
    expect(heard()[2]?.[0]).toBe('s10');
  });

  test('reports an unreachable collector after the maximum number of attempts', async () => {
    const { address } = collector;
    await collector.close();
    makeSender().add([span('one')]);
    await clock.advance(1000);
    for (const pause of [500, 1000, 2000, 4000, 8000]) {
      await untilPauseOf(pause);
      expect(notes).toEqual([]);
      await clock.advance(pause);
    }
    await vi.waitFor(() => expect(codes()).toEqual(['traces.not-sent']));
    expect(notes[0]?.message).toContain(
      `at ${new URL(address).host} cannot be reached (ECONNREFUSED). Spans were dropped.`,
    );
    collector = await startCollector();
  });
});

describe('closing the sender', () => {
  test('sends waiting spans immediately', async () => {
    const sender = makeSender();
    sender.add([span('one')]);
    await sender.close();
    expect(heard()).toEqual([['one']]);
  });

  test('waits two seconds for a collector that hangs', async () => {
    collector.answer = () => undefined;
    const sender = makeSender();
    sender.add([span('one')]);
    let isClosed = false;
    const closing = sender.close().then(() => {
      isClosed = true;
    });
    await vi.waitFor(() => expect(heard()).toHaveLength(1));
    await clock.advance(1999);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closing;
    expect(notes[0]?.message).toContain('did not respond before the program ended');
    sender.add([span('late')]);
    expect(clock.openTimers).toBe(0);
  });

  test('shortens a pause and tries once more', async () => {
    collector.answer = (response, count) => {
      if (count > 1) takeAll(response);
      else response.writeHead(503).end();
    };
    const sender = makeSender();
    sender.add([span('one')]);
    await clock.advance(1000);
    await untilPauseOf(500);
    await sender.close();
    expect(heard()).toEqual([['one'], ['one']]);
    expect(notes).toEqual([]);
  });
});

test('works with a real clock', async () => {
  const sender = makeSender({ clock: systemClock });
  sender.add(Array.from({ length: 256 }, (_, index) => span(`s${index}`)));
  await vi.waitFor(() => expect(heard()).toHaveLength(1));
  await sender.close();
});
