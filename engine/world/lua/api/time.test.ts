import { expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { createTimeApi } from './time.ts';

/** 2:30 a.m. UTC. */
const micros = Date.UTC(2025, 7, 23, 2, 30, 5) * 1000 + 4_056;

function caller(zone: string, nowMicros = micros) {
  return apiCaller(createTimeApi({ nowMicros: () => nowMicros, zone: () => zone }));
}

test('formats times in UTC', () => {
  const call = caller('America/New_York');
  expect(call('now_iso_utc')).toBe('2025-08-23T02:30:05Z');
  expect(call('now_iso_utc_micro')).toBe('2025-08-23T02:30:05.004056Z');
  expect(call('now_utc_micro')).toBe(micros);
  expect(call('today_utc')).toBe('Saturday 2025-08-23');
  expect(call('today_iso_utc')).toBe('2025-08-23');
  expect(call('weekday_utc')).toBe('Saturday');
});

test('formats times in the local time zone, where the date may differ', () => {
  const call = caller('America/New_York');
  expect(call('now_iso_local')).toBe('2025-08-22T22:30:05-04:00');
  expect(call('now_iso_local_micro')).toBe('2025-08-22T22:30:05.004056-04:00');
  expect(call('today_local')).toBe('Friday 2025-08-22');
  expect(call('today_iso_local')).toBe('2025-08-22');
  expect(call('weekday_local')).toBe('Friday');
  expect(call('local_tz_id')).toBe('America/New_York');
});

test('formats time zones ahead of UTC, with offsets of partial hours and daylight saving time', () => {
  expect(caller('Asia/Kathmandu')('now_iso_local')).toBe('2025-08-23T08:15:05+05:45');
  expect(caller('Europe/London')('now_iso_local')).toBe('2025-08-23T03:30:05+01:00');
  expect(caller('Europe/London', Date.UTC(2025, 0, 1) * 1000)('now_iso_local')).toBe('2025-01-01T00:00:00Z');
  expect(caller('UTC')('now_iso_local_micro')).toBe('2025-08-23T02:30:05.004056Z');
});

test('uses the system clock by default', () => {
  const call = apiCaller(createTimeApi());
  const before = Date.now();
  const now = Number(call('now_utc_micro')) / 1000;
  expect(Math.abs(now - before)).toBeLessThan(60_000);
  expect(Number.isInteger(call('now_utc_micro'))).toBe(true);
  expect(call('local_tz_id')).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});
