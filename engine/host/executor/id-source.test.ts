import { expect, test } from 'vitest';
import { createIdSource } from './id-source.ts';

test('an ID contains its creation time in UTC and sorts by it', () => {
  let now = Date.UTC(2026, 10, 21, 23, 15, 2);
  const ids = createIdSource({ now: () => now, setTimer: () => () => {} });
  const first = ids.runId();
  now += 1000;
  const second = ids.runId();
  expect(first).toMatch(/^20261121-231502-[0-9a-hjkmnp-tv-z]{6}$/);
  expect(second.startsWith('20261121-231503-')).toBe(true);
  expect([second, first].sort()).toEqual([first, second]);
  expect(ids.sessionId()).toMatch(/^s-20261121-231503-.{6}$/);
});

test('never repeats an ID, even when many are created in the same second', () => {
  const ids = createIdSource({ now: () => 0, setTimer: () => () => {} });
  const made = Array.from({ length: 50_000 }, () => ids.runId());
  expect(new Set(made).size).toBe(made.length);
});
