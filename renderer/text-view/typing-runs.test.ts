import { describe, expect, test } from 'vitest';
import { createTypingRuns, type TypingRuns } from './typing-runs.ts';

/** Types a text letter by letter. Returns the letters of each undo step, joined. */
function stepsOf(runs: TypingRuns, text: string): string[] {
  const steps: { key: string | undefined; letters: string }[] = [];
  for (const [index, letter] of [...text].entries()) {
    const key = runs.keyOf([{ start: index, end: index, text: letter }]);
    const last = steps.at(-1);
    if (last !== undefined && key !== undefined && last.key === key) last.letters += letter;
    else steps.push({ key, letters: letter });
  }
  return steps.map(({ letters }) => letters);
}

describe('typing', () => {
  test('is undone word by word', () => {
    expect(stepsOf(createTypingRuns(), 'say hello  there\nyou')).toEqual(['say ', 'hello  ', 'there\n', 'you']);
  });

  test('starts a new step elsewhere, and after the cursor was moved', () => {
    const runs = createTypingRuns();
    const first = runs.keyOf([{ start: 10, end: 10, text: 'a' }]);
    expect(runs.keyOf([{ start: 5, end: 5, text: 'b' }])).not.toBe(first);
    const second = runs.keyOf([{ start: 6, end: 6, text: 'c' }]);
    runs.end();
    expect(runs.keyOf([{ start: 7, end: 7, text: 'd' }])).not.toBe(second);
  });

  test('continues inside automatically closed brackets, and during text composition', () => {
    const runs = createTypingRuns();
    const first = runs.keyOf([{ start: 3, end: 3, text: '()' }]);
    expect(runs.keyOf([{ start: 4, end: 4, text: 'x' }])).toBe(first);
    expect(runs.keyOf([{ start: 4, end: 5, text: 'か' }])).toBe(first);
  });

  test('continues at each of several cursors', () => {
    const runs = createTypingRuns();
    const insertions = (places: readonly number[], text: string) =>
      places.map((place) => ({ start: place, end: place, text }));
    const first = runs.keyOf(insertions([2, 10], 'a'));
    expect(runs.keyOf(insertions([3, 12], 'b'))).toBe(first);
    expect(runs.keyOf(insertions([4, 14], 'c'))).toBe(first);
  });
});

describe('deleting', () => {
  test('is one step in either direction, separate from typing', () => {
    const runs = createTypingRuns();
    const typed = runs.keyOf([{ start: 4, end: 4, text: 'a' }]);
    const deleted = runs.keyOf([{ start: 4, end: 5, text: '' }]);
    expect(deleted).not.toBe(typed);
    expect(runs.keyOf([{ start: 3, end: 4, text: '' }])).toBe(deleted);
    expect(runs.keyOf([{ start: 3, end: 4, text: '' }])).toBe(deleted);
    expect(runs.keyOf([{ start: 9, end: 10, text: '' }])).not.toBe(deleted);
  });
});

test('pasting and deleting a long range are separate steps', () => {
  const runs = createTypingRuns();
  expect(runs.keyOf([{ start: 0, end: 0, text: 'pasted text' }])).toBeUndefined();
  expect(runs.keyOf([{ start: 0, end: 11, text: '' }])).toBeUndefined();
});
