import { expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { uuidApi } from './uuid.ts';

const call = apiCaller(uuidApi);

test('each function returns a new UUID in its encoding', () => {
  const shapes: Readonly<Record<string, RegExp>> = {
    new: /^.{14}4/,
    new_v4: /^.{14}4/,
    new_v7: /^.{14}7/,
    new_v4_b64: /^[A-Za-z\d+/]{22}==$/,
    new_v4_b64u: /^[\w-]{22}$/,
    new_v4_b58: /^[1-9A-HJ-NP-Za-km-z]{21,22}$/,
    new_v7_b64: /^[A-Za-z\d+/]{22}==$/,
    new_v7_b64u: /^[\w-]{22}$/,
    new_v7_b58: /^[1-9A-HJ-NP-Za-km-z]{21,22}$/,
  };
  for (const [name, shape] of Object.entries(shapes)) {
    expect(call(name), name).toMatch(shape);
    expect(call(name), name).not.toBe(call(name));
  }
});

test('returns the time of a UUID, and nil for one without a time', () => {
  const before = Date.now();
  expect(call('to_time_epoch_ms', call('new_v7'))).toBeGreaterThanOrEqual(before);
  expect(call('to_time_epoch_ms', call('new_v4'))).toBeUndefined();
  expect(call('to_time_epoch_ms', undefined)).toBeUndefined();
  expect(call('to_time_epoch_ms', 'not-a-uuid')).toBeUndefined();
  expect(() => call('to_time_epoch_ms', [])).toThrow(
    'aip.uuid.to_time_epoch_ms - accepted argument types are String or Nil, but was table',
  );
});
