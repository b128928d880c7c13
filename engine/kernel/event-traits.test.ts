import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../flowspec/json-value.ts';
import { mayExceed } from './event-traits.ts';

test('never calls a value small whose JSON text is over the limit', () => {
  const values = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
  fc.assert(
    fc.property(values, fc.nat(500), (value, limit) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect(mayExceed(value, limit) || bytes <= limit).toBe(true);
    }),
  );
});

test('calls ordinary values small', () => {
  expect(mayExceed({ text: 'a line of text', count: 3, tags: ['a', 'b'] }, 16 * 1024)).toBe(false);
});

test('stops looking once the limit is passed', () => {
  const endless = new Proxy([1], { get: (target, key) => (key === 'length' ? 1e9 : Reflect.get(target, key)) });
  expect(mayExceed(endless, 1024)).toBe(true);
});
