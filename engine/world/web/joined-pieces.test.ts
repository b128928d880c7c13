import { DecoratorHandler, type Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { joinedPieces } from './joined-pieces.ts';

/** Creates a response; the test sends its pieces. `isTaking` is the reader's answer to each piece. */
function open() {
  const clock = createManualClock();
  const got: string[] = [];
  const reader = { isTaking: true, proceed: (): void => undefined };
  let resumed = 0;
  let stage: Dispatcher.DispatchHandlers = {};
  const dispatch: Dispatcher['dispatch'] = (_, handler) => {
    stage = handler;
    return true;
  };
  joinedPieces({ DecoratorHandler }, clock)(dispatch)(
    { path: '/', method: 'GET' },
    {
      onHeaders: (_status, _headers, resume) => {
        reader.proceed = resume;
        return true;
      },
      onData: (piece) => {
        got.push(piece.toString());
        return reader.isTaking;
      },
      onComplete: () => got.push('(end)'),
      onError: (error) => got.push(`(${error.message})`),
    },
  );
  stage.onHeaders?.(200, [], () => resumed++, '');
  return {
    ...{ clock, got, reader },
    send: (...pieces: readonly string[]) => pieces.map((piece) => stage.onData?.(Buffer.from(piece))),
    end: () => stage.onComplete?.([]),
    fail: () => stage.onError?.(new Error('cut')),
    resumed: () => resumed,
  };
}

/** The pieces that are never joined. */
const first = ['1', '2', '3', '4', '5', '6', '7', '8'];

describe('pieces of a body', () => {
  test('passes on pieces individually if there are few', () => {
    const { clock, got, send } = open();
    send(...first);
    expect(got).toEqual(first);
    expect(clock.openTimers).toBe(0);
  });

  test('joins pieces that follow another one within a frame, in order', async () => {
    const { clock, got, send } = open();
    send(...first, 'a', 'b', 'c');
    await clock.advance(31);
    send('d');
    expect(got).toEqual([...first, 'a']);
    await clock.advance(1);
    expect(got).toEqual([...first, 'a', 'bcd']);
    send('e');
    await clock.advance(32);
    expect(got.slice(-1)).toEqual(['e']);
  });

  test('passes on a piece immediately after a pause', async () => {
    const { clock, got, send } = open();
    send(...first, 'a');
    await clock.advance(32);
    send('b');
    expect(got).toEqual([...first, 'a', 'b']);
  });

  test('does not hold back large pieces', () => {
    const { got, send } = open();
    const large = 'x'.repeat(16 * 1024);
    send(...first, 'a', 'b', large);
    expect(got.slice(-1)).toEqual([`b${large}`]);
  });

  test('passes on pieces before the end, and leaves no timer', () => {
    const { clock, got, send, end } = open();
    send(...first, 'a', 'b', 'c');
    end();
    expect(got.slice(-2)).toEqual(['bc', '(end)']);
    expect(clock.openTimers).toBe(0);
  });

  test('passes on pieces before the failure that follows them', async () => {
    const { clock, got, send, fail } = open();
    send(...first, 'a', 'b');
    fail();
    await clock.advance(100);
    expect(got.slice(-2)).toEqual(['b', '(cut)']);
    expect(clock.openTimers).toBe(0);
  });

  test('pauses while the reader is full, even if it fills up at the end of a frame', async () => {
    const { clock, reader, send, resumed } = open();
    expect(send(...first, 'a', 'b')).not.toContain(false);
    reader.isTaking = false;
    await clock.advance(32);
    expect(send('c')).toEqual([false]);
    reader.proceed();
    expect(resumed()).toBe(1);
  });

  test('continues if the reader has space again before the next piece', async () => {
    const { clock, reader, send } = open();
    send(...first, 'a', 'b');
    reader.isTaking = false;
    await clock.advance(32);
    reader.proceed();
    reader.isTaking = true;
    expect(send('c')).toEqual([true]);
  });
});
