import { describe, expect, test } from 'vitest';
import { uuidText, uuidTimeMs, uuidV4, uuidV7 } from '../api/uuid.ts';

describe('version 7', () => {
  test('version 7 contains the time, its version and its variant', () => {
    const text = uuidText(uuidV7(1_700_000_000_123, { ms: 0, count: 0 }));
    expect(text).toMatch(/^018bcfe5-687b-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(uuidTimeMs(text)).toBe(1_700_000_000_123);
  });

  test('version 7 is greater than the previous one, within a millisecond and after the clock goes back', () => {
    const order = { ms: 0, count: 0 };
    const made = Array.from({ length: 10_000 }, (_, at) => uuidText(uuidV7(5_000 - (at % 3), order)));
    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(made.length);
  });
});

test('version 4 has its version and variant, and no time', () => {
  const text = uuidText(uuidV4());
  expect(text).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(uuidTimeMs(text)).toBeUndefined();
});

describe('the time of a UUID', () => {
  test('reads the time of each version that contains one, as in RFC 9562', () => {
    expect(uuidTimeMs('C232AB00-9414-11EC-B3C8-9F6BDECED846')).toBe(1_645_557_742_000);
    expect(uuidTimeMs('1EC9414C-232A-6B00-B3C8-9F6BDECED846')).toBe(1_645_557_742_000);
    expect(uuidTimeMs('017F22E2-79B0-7CC3-98C4-DC0C0C07398F')).toBe(1_645_557_742_000);
  });

  test('reads the time in every notation of a UUID', () => {
    for (const text of [
      '017f22e279b07cc398c4dc0c0c07398f',
      '{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}',
      'urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    ]) {
      expect(uuidTimeMs(text)).toBe(1_645_557_742_000);
    }
    for (const text of ['', 'no', '017f22e2-79b07cc3-98c4-dc0c-0c07398f', 'g17f22e279b07cc398c4dc0c0c07398f']) {
      expect(uuidTimeMs(text)).toBeUndefined();
    }
  });
});
