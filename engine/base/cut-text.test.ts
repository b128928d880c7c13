import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

test('returns a short text unchanged', () => {
  expect(cutText('x'.repeat(2000), 2000)).toBe('x'.repeat(2000));
});

test('truncates a long text with a note about its length, and not a second time', () => {
  const cut = cutText('x'.repeat(3_000_000), 2000);
  expect(cut).toBe(`${'x'.repeat(1940)} … (cut here, 2,998,060 more characters)`);
  expect(cut.length).toBeLessThanOrEqual(2000);
  expect(cutText(cut, 2000)).toBe(cut);
});

test('can keep the end as well', () => {
  const cut = cutText(`${'x'.repeat(3_000_000)}end`, 200, 23);
  expect(cut).toBe(`${'x'.repeat(117)} … (cut here, 2,999,866 more characters) … ${'x'.repeat(17)}end`);
  expect(cutText(cut, 200, 23)).toBe(cut);
});

test('does not split a surrogate pair', () => {
  expect(cutText(`${'x'.repeat(39)}${'😀'.repeat(100)}`, 100)).toBe(
    `${'x'.repeat(39)} … (cut here, 200 more characters)`,
  );
  expect(cutText(`${'😀'.repeat(100)}`, 100, 14)).toBe(
    `${'😀'.repeat(13)} … (cut here, 164 more characters) … ${'😀'.repeat(5)}`,
  );
});
