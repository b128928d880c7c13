import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../../base/engine-error.ts';
import { asRunId } from '../../../base/ids.ts';
import { createManualClock } from '../../../testing/manual-clock.ts';
import { cancellation } from '../hub/cancel-scope.ts';
import { closedInbox, createInboxRouter, type Inbox, withInbox } from './agent-inbox.ts';

const runId = asRunId('run-7');

function setUp() {
  const clock = createManualClock(1000);
  const router = createInboxRouter({ clock });
  const stop = new AbortController();
  const inbox = router.open({ runId, signal: stop.signal });
  const left = () => ({ timers: clock.openTimers, listeners: getEventListeners(stop.signal, 'abort').length });
  return { clock, router, stop, inbox, left };
}

const nothingLeft = { timers: 0, listeners: 0 };

function sendCode(router: ReturnType<typeof createInboxRouter>): string {
  try {
    router.send(runId, 'x');
    return 'sent';
  } catch (thrown) {
    return toErrorRecord(thrown).code;
  }
}

async function allOf(inbox: Inbox): Promise<string[]> {
  const contents: string[] = [];
  for await (const { content } of inbox) contents.push(content);
  return contents;
}

describe('an open inbox', () => {
  test('keeps messages with their time until they are read, in order', async () => {
    const { router, clock, inbox } = setUp();
    router.send(runId, 'one');
    await clock.advance(5);
    router.send(runId, 'two');
    router.send(runId, 'three');
    expect(await inbox.pop()).toEqual({ content: 'one', timestamp: 1000 });
    expect(inbox.drain()).toEqual([
      { content: 'two', timestamp: 1005 },
      { content: 'three', timestamp: 1005 },
    ]);
    expect(inbox.drain()).toEqual([]);
  });

  test('passes a message to the reader that has waited longest, and leaves no timer', async () => {
    const { router, clock, inbox } = setUp();
    const [first, second] = [inbox.pop(), inbox.pop()];
    router.send(runId, 'one');
    router.send(runId, 'two');
    expect([(await first)?.content, (await second)?.content]).toEqual(['one', 'two']);
    expect(clock.openTimers).toBe(0);
  });

  test('returns messages after it was closed, ends iteration, and accepts no others', async () => {
    const { router, inbox, left } = setUp();
    router.send(runId, 'one');
    router.send(runId, 'two');
    inbox.close();
    inbox.close();
    expect(await allOf(inbox)).toEqual(['one', 'two']);
    expect(sendCode(router)).toBe('inbox.no-such-run');
    expect(left()).toEqual(nothingLeft);
  });

  test('is iterated as messages arrive', async () => {
    const { router, clock, inbox } = setUp();
    const reading = allOf(inbox);
    router.send(runId, 'one');
    await clock.settle();
    router.send(runId, 'two');
    await clock.settle();
    inbox.close();
    expect(await reading).toEqual(['one', 'two']);
  });

  test('receives only messages to its own run', async () => {
    const { router, inbox } = setUp();
    const other = router.open({ runId: asRunId('run-8'), signal: new AbortController().signal });
    router.send(runId, 'mine');
    expect([inbox.drain().length, other.drain().length]).toEqual([1, 0]);
  });
});

describe('FE-72 an agent that waits on an empty inbox', () => {
  test('FE-72 is released after the idle time, not before, and every message restarts that time', async () => {
    const { router, clock, inbox, left } = setUp();
    const reading = allOf(inbox);
    await clock.advance(59_999);
    router.send(runId, 'late');
    await clock.advance(59_999);
    expect(left()).toEqual({ timers: 1, listeners: 1 });
    await clock.advance(1);
    expect(await reading).toEqual(['late']);
    expect(sendCode(router)).toBe('inbox.no-such-run');
    expect(left()).toEqual(nothingLeft);
  });

  test('FE-72 waits as long as its host sets', async () => {
    const clock = createManualClock();
    const inbox = createInboxRouter({ clock, idleMs: 5 }).open({ runId, signal: new AbortController().signal });
    const waiting = inbox.pop();
    expect(clock.delays).toEqual([5]);
    await clock.advance(5);
    expect(await waiting).toBeUndefined();
  });

  test('FE-72 is released by cancel and timeout, which abort its signal', async () => {
    const { stop, inbox, left } = setUp();
    const waiting = [inbox.pop(), inbox.pop()];
    stop.abort(cancellation());
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(left()).toEqual(nothingLeft);
  });

  test('FE-72 never waits if no message can arrive, or after its signal has aborted', async () => {
    expect(await closedInbox.pop()).toBeUndefined();
    expect([closedInbox.drain(), await allOf(closedInbox)]).toEqual([[], []]);
    const router = createInboxRouter();
    const inbox = router.open({ runId, signal: AbortSignal.abort(cancellation()) });
    expect(await inbox.pop()).toBeUndefined();
    expect(sendCode(router)).toBe('inbox.no-such-run');
  });
});

describe('withInbox', () => {
  test('closes the inbox when the work has returned its result, even for a reader that still waits', async () => {
    const { clock, router, left } = setUp();
    const { signal } = new AbortController();
    let abandoned: Promise<unknown> | undefined;
    const result = await withInbox(router, { runId: asRunId('run-8'), signal }, async (inbox) => {
      abandoned = inbox.pop();
      return 'done';
    });
    expect([result, await abandoned]).toEqual(['done', undefined]);
    expect([clock.openTimers, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
    // The inbox of another call is not affected.
    expect([left().listeners, sendCode(router)]).toEqual([1, 'sent']);
  });

  test('also closes it when the work fails', async () => {
    const router = createInboxRouter();
    const failure = new Error('no');
    const { signal } = new AbortController();
    await expect(withInbox(router, { runId, signal }, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(sendCode(router)).toBe('inbox.no-such-run');
  });

  test('passes a closed inbox if there is no router', async () => {
    const { signal } = new AbortController();
    expect(await withInbox(undefined, { runId, signal }, (inbox) => inbox.pop())).toBeUndefined();
  });
});
