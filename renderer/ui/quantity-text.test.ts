import { expect, test } from 'vitest';
import { byteText, costText, countText, durationText, elapsedText, shortTimeText, waitText } from './quantity-text.ts';

test('durations have the precision that matters at their magnitude', () => {
  const durations = [0, 3, 99.6, 240, 12_430, 58_900, 64_000, 3_599_999, 7_500_000];
  expect(durations.map(durationText)).toEqual([
    '0 ms',
    '3 ms',
    '100 ms',
    '0.2 s',
    '12.4 s',
    '58 s',
    '1 m 04 s',
    '59 m 59 s',
    '2 h 05 m',
  ]);
});

test('a final duration equals the last elapsed time that was shown', () => {
  for (const ms of [1_960, 9_999, 12_349, 19_990]) {
    expect(durationText(ms)).toBe(`${Number(elapsedText(ms).slice(2)).toFixed(1)} s`);
  }
});

test('elapsed time never shows 60 seconds', () => {
  expect([0, 38_440, 59_970, 725_000, 3_723_000].map(elapsedText)).toEqual([
    '0:00.0',
    '0:38.4',
    '0:59.9',
    '12:05.0',
    '1:02:03',
  ]);
});

test('a wait of several days is not shown in seconds', () => {
  expect([-5, 31_900, 725_000, 7_500_000, 273_600_000].map(waitText)).toEqual([
    '0:00',
    '0:31',
    '12:05',
    '2 h 05 m',
    '3 d 4 h',
  ]);
});

test('a sum that excludes calls without a known price is a lower bound, and shows how many there are', () => {
  expect([costText(0, 0), costText(0.018, 0), costText(12.3, 2), costText(0, 1)]).toEqual([
    '$0',
    '$0.018',
    'at least $12.30, 2 calls unpriced',
    'at least $0, 1 call unpriced',
  ]);
  expect([costText(undefined, 3), costText(undefined, 0), costText(undefined, undefined)]).toEqual([
    'price unknown',
    null,
    null,
  ]);
});

test('sizes and counts are short', () => {
  expect([812, 16_384, 2_300_000].map(byteText)).toEqual(['812 B', '16 KB', '2.3 MB']);
  expect([812, 21_400, 999_960].map(countText)).toEqual(['812', '21.4k', '1.0M']);
});

test('a time on another day has no time of day', () => {
  const now = new Date(2026, 4, 20, 15, 0).getTime();
  const texts = [new Date(2026, 4, 20, 10, 12), new Date(2026, 4, 18, 10, 12), new Date(2026, 2, 3, 10, 12)].map(
    (date) => shortTimeText(date.getTime(), now),
  );
  expect(texts.map((text) => /\d\d:\d\d/.test(text))).toEqual([true, false, false]);
});
