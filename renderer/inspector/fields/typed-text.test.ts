import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DrawnText, TypedText, typingPauseMs, unfinishedPauseMs } from './typed-text.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a field for a document that accepts each text at once. `hear` simulates a change by someone else. */
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

test('typing is sent after a pause, and its echo is not treated as a change by others', async () => {
  const field = makeField('a');
  field.typed.type('ab');
  expect(field.sent).toEqual([]);
  await rest();
  field.typed.type('abc');
  await rest();
  expect(field.sent).toEqual(['ab', 'abc']);
  expect(field.drawn().isHeld).toBe(false);
});

test('a late echo of sent text is not treated as a change by others, but their changes are', async () => {
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
  // The page was busy and reports only now what it was sent first.
  typed.update('ab', send);
  await rest();
  expect([sent, drawn.isHeld]).toEqual([['ab', 'abc'], false]);
  typed.type('abcd');
  typed.update('theirs', send);
  await rest();
  expect([sent, drawn]).toEqual([['ab', 'abc'], { draft: 'abcd', isHeld: true }]);
});

test('incomplete text is sent later', async () => {
  const field = makeField('a');
  field.typed.type('a {{', unfinishedPauseMs);
  await rest();
  expect(field.sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(unfinishedPauseMs);
  expect(field.sent).toEqual(['a {{']);
});

test('a field without pending text shows changes by others', async () => {
  const field = makeField('a');
  field.typed.type('ab');
  await rest();
  field.hear('theirs');
  expect(field.text()).toBe('theirs');
});

test('typed text is held back after a change by others, and can still be edited', async () => {
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

test('the user can keep either of two texts', async () => {
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

test('equal changes by both sides are not a conflict', async () => {
  const field = makeField('a');
  field.typed.type('same');
  field.hear('same');
  await rest();
  expect(field.drawn().isHeld).toBe(false);
});

test('rejected text stays in the field after a change by others, and is not sent again when the field loses the focus', async () => {
  const field = makeField('a');
  field.typed.type('no!');
  await rest();
  field.hear('theirs');
  await field.typed.leave();
  expect(field.text()).toBe('no!');
  expect(field.document()).toBe('theirs');
});

test('a field that disappears sends its pending text, and reports text that it must not send', async () => {
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
