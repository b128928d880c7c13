import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../flowspec/json-value.ts';
import { mayExceed, withShortTexts } from './event-traits.ts';

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

test('what scripts show is cut to a length that people read; what is short stays the same event', () => {
  const long = 'x'.repeat(30_000);
  const cut = `${'x'.repeat(19_940)} … (cut here, 10,060 more characters)`;
  const label = `${'x'.repeat(1940)} … (cut here, 28,060 more characters)`;
  expect(withShortTexts({ type: 'log', level: 'print', text: long })).toMatchObject({ text: cut });
  expect(withShortTexts({ type: 'pin', iden: 'a', content: long })).toEqual({ type: 'pin', iden: 'a', content: cut });
  expect(withShortTexts({ type: 'pin', iden: 'a', content: 'x', label: long })).toMatchObject({ content: 'x', label });
  expect(withShortTexts({ type: 'label', text: long })).toMatchObject({ text: label });
  const short = { type: 'pin', iden: 'a', content: 'x', label: 'y' } as const;
  expect(withShortTexts(short)).toBe(short);
});
