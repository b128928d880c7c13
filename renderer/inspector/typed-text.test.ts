import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DrawnText, TypedText, typingPauseMs, unfinishedPauseMs } from './typed-text.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A field over a document that takes each text at once; `hear` = somebody else writes. */
function makeField(begin: string) {
  let document = begin;
  let drawn: DrawnText = { draft: null, isHeld: false };
  const lost: string[] = [];
  const sent: string[] = [];
  const hear = (text: string): void => {
    document = text;
    typed.update(document, send);
  };
  const send = (text: string): boolean => {
    if (text.includes('!')) return false;
    sent.push(text);
    hear(text);
    return true;
  };
  const typed = new TypedText({
    id: 'field',
    shown: begin,
    send,
    draw: (change) => {
      drawn = change(drawn);
    },
    onLost: (text) => lost.push(text),
  });
  return { typed, hear, sent, lost, text: () => drawn.draft ?? document, document: () => document, drawn: () => drawn };
}

const rest = (): Promise<unknown> => vi.advanceTimersByTimeAsync(typingPauseMs + 100);

test('typing is sent after a rest, and what comes back of it is no change of others', async () => {
  const field = makeField('a');
  field.typed.type('ab');
  expect(field.sent).toEqual([]);
  await rest();
  field.typed.type('abc');
  await rest();
  expect(field.sent).toEqual(['ab', 'abc']);
  expect(field.drawn().isHeld).toBe(false);
});

test('what comes back late of what was sent is no change of others, and what others write still is one', async () => {
  const sent: string[] = [];
  let drawn: DrawnText = { draft: null, isHeld: false };
  const send = (text: string): boolean => sent.push(text) > 0;
  const draw = (change: (now: DrawnText) => DrawnText): void => {
    drawn = change(drawn);
  };
  const typed = new TypedText({ id: 'slow', shown: 'a', send, draw, onLost: () => {} });
  typed.type('ab');
  await rest();
  typed.type('abc');
  // The page has been busy, and says only now what it was sent first.
  typed.update('ab', send);
  await rest();
  expect([sent, drawn.isHeld]).toEqual([['ab', 'abc'], false]);
  typed.type('abcd');
  typed.update('theirs', send);
  await rest();
  expect([sent, drawn]).toEqual([['ab', 'abc'], { draft: 'abcd', isHeld: true }]);
});

test('text that cannot be right yet is sent later', async () => {
  const field = makeField('a');
  field.typed.type('a {{', unfinishedPauseMs);
  await rest();
  expect(field.sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(unfinishedPauseMs);
  expect(field.sent).toEqual(['a {{']);
});

test('a field in which nothing waits shows what others write', async () => {
  const field = makeField('a');
  field.typed.type('ab');
  await rest();
  field.hear('theirs');
  expect(field.text()).toBe('theirs');
});

test('typed text is held back when others wrote meanwhile, and goes on to be typed', async () => {
  const field = makeField('a');
  field.typed.type('ab');
  field.hear('theirs');
  expect(field.text()).toBe('ab');
  await rest();
  field.typed.type('abc');
  await rest();
  expect(field.document()).toBe('theirs');
  expect(field.drawn()).toEqual({ draft: 'abc', isHeld: true });
});

test('of two texts the person keeps either', async () => {
  const mine = makeField('a');
  mine.typed.type('mine');
  mine.hear('theirs');
  await rest();
  mine.typed.keepMine();
  await rest();
  expect(mine.document()).toBe('mine');
  expect(mine.drawn()).toEqual({ draft: null, isHeld: false });

  const theirs = makeField('a');
  theirs.typed.type('mine');
  theirs.hear('theirs');
  await rest();
  theirs.typed.forget();
  await rest();
  expect(theirs.text()).toBe('theirs');
  expect(theirs.sent).toEqual([]);
});

test('the same text from both sides is nothing to decide', async () => {
  const field = makeField('a');
  field.typed.type('same');
  field.hear('same');
  await rest();
  expect(field.drawn().isHeld).toBe(false);
});

test('refused text stays in the field, also when others write, and is not sent again by leaving', async () => {
  const field = makeField('a');
  field.typed.type('no!');
  await rest();
  field.hear('theirs');
  await field.typed.leave();
  expect(field.text()).toBe('no!');
  expect(field.document()).toBe('theirs');
});

test('a field that goes away sends what waits; what it must not send is told', async () => {
  const quiet = makeField('a');
  quiet.typed.type('ab');
  quiet.typed.end();
  expect(quiet.document()).toBe('ab');

  const field = makeField('a');
  field.typed.type('ab');
  field.hear('theirs');
  field.typed.end();
  expect(field.document()).toBe('theirs');
  expect(field.lost).toEqual(['ab']);
});
