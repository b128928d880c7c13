import { afterEach, expect, test } from 'vitest';
import type { Ask } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../../app/testing/test-window.tsx';
import { Answers } from './answers.tsx';

let window: TestWindow;
afterEach(() => window.close());

const askedAt = Date.UTC(2020, 0, 1);
const dayMs = 86_400_000;

function wordsOf(asks: readonly Ask[]): string {
  window = openTestWindow({});
  return window.draw(<Answers asks={asks} />).textContent ?? '';
}

test('12.1 shows who answered what, when and after how long, even years later, and hides secrets', () => {
  const schema = {
    type: 'object',
    properties: { size: { type: 'string' }, pin: { type: 'string', format: 'password' } },
  };
  const approval = { kind: 'approval', title: 'Send <b>it</b>?' } as const;
  const words = wordsOf([
    {
      ...{ key: 'a', requestHash: '1', request: approval, askedAt },
      answer: { payload: { approved: false, comment: 'Not <i>now</i>' }, by: 'ada', at: askedAt + 2 * dayMs },
    },
    {
      ...{ key: 'b', requestHash: '2', request: { kind: 'input', title: 'Which?', schema }, askedAt },
      answer: { payload: { values: { size: 'large', pin: '1234' } }, at: askedAt + 31_000 },
    },
    {
      ...{ key: 'c', requestHash: '3', request: approval, askedAt },
      answer: { payload: { approved: true }, by: 'deadline', at: askedAt + 1000 },
    },
    { ...{ key: 'd', requestHash: '4', request: { kind: 'approval', title: 'Open' }, askedAt } },
  ]);
  expect(words).toMatch(/^AnswersSend <b>it<\/b>\?Rejected by ada · .*2020.* · waited 2 d 0 hNot <i>now<\/i>/);
  expect(words).toMatch(/Which\?Answered · .* · waited 0:31.*large/);
  expect(words).toContain('••••••');
  expect(words).not.toContain('1234');
  expect(words).toContain('Approved by its deadline');
  expect(words).not.toContain('Open');
});

test('a node without requests has no answers', () => {
  expect(wordsOf([])).toBe('');
});
