import { expect, test } from 'vitest';
import type { ListedFiring } from '../../stores/workspace/triggers.ts';
import { nextClockChange, offsetText, pastTimes } from './schedule-times.ts';

const schedule = { cron: '30 7 * * 1-5', timezone: 'Europe/Berlin' };
const now = Date.parse('2026-11-28T12:00Z');

function firing(key: string, more: Partial<ListedFiring> = {}): ListedFiring {
  return { id: 1, flow: 'f', trigger: 'a', key, priority: 0, createdAt: Date.parse(key), state: 'started', ...more };
}

test('times of last week are compared with what happened', () => {
  const late = firing('2026-11-26T06:30:00.000Z', { createdAt: Date.parse('2026-11-26T08:12Z') });
  const skipped = firing('2026-11-27T06:30:00.000Z', { state: 'skipped', reason: 'overlap' });
  const refused = firing('2026-11-25T06:30:00.000Z', { state: 'refused' });
  const again = firing('2026-11-25T06:30:00.000Z#again1', { createdAt: Date.parse('2026-11-25T06:30:20Z') });
  const firings = [skipped, late, again, refused, firing('2026-11-24T06:30:00.000Z')];
  const times = pastTimes(schedule, firings, now);
  expect(times.map(({ dueAt }) => new Date(dueAt).getUTCDate())).toEqual([23, 24, 25, 26, 27]);
  // The last firing of a time counts: the refused one was started again.
  expect(times.map(({ outcome }) => outcome)).toEqual(['off', 'started', 'started', 'started', 'skipped']);
  expect(times.map(({ startedAt }) => startedAt)).toEqual([undefined, undefined, undefined, late.createdAt, undefined]);
});

test('the next change of the clock is found to the hour, and zones without one have none', () => {
  const change = nextClockChange('Europe/Berlin', now) ?? 0;
  expect(Math.abs(change - Date.parse('2027-03-28T01:00Z'))).toBeLessThan(3_600_000);
  expect(nextClockChange('America/New_York', Date.parse('2026-10-30T12:00Z'))).toBeLessThan(
    Date.parse('2026-11-02T00:00Z'),
  );
  expect(nextClockChange('UTC', now)).toBeUndefined();
  expect(nextClockChange('Asia/Tokyo', now)).toBeUndefined();
  expect([offsetText('Europe/Berlin', now), offsetText('UTC', now), offsetText('No/Where')]).toEqual([
    'UTC+1',
    'UTC',
    '',
  ]);
});
