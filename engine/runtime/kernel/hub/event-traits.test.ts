import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { mayExceed, withInternedValues, withShortTexts } from './event-traits.ts';

test('never classifies a value as small if its JSON text exceeds the limit', () => {
  const values = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
  fc.assert(
    fc.property(values, fc.nat(500), (value, limit) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect(mayExceed(value, limit) || bytes <= limit).toBe(true);
    }),
  );
});

test('classifies ordinary values as small', () => {
  expect(mayExceed({ text: 'a line of text', count: 3, tags: ['a', 'b'] }, 16 * 1024)).toBe(false);
});

test('stops counting once the limit is exceeded', () => {
  const endless = new Proxy([1], { get: (target, key) => (key === 'length' ? 1e9 : Reflect.get(target, key)) });
  expect(mayExceed(endless, 1024)).toBe(true);
});

test('truncates long text from scripts to a readable length, and returns the same event for short text', () => {
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

test('stores only the large messages of a model request elsewhere, or all if there are many', () => {
  const long = 'x'.repeat(20_000);
  const request = (messages: JsonValue) =>
    ({ type: 'model:request', provider: 'p', model: 'm', messagesHash: 'h', messages }) as const;
  const messagesOf = (messages: JsonValue) => withInternedValues(request(messages), () => 'elsewhere');
  const few = [
    { role: 'system', content: 'Be short' },
    { role: 'user', content: long },
  ];
  expect(messagesOf(few)).toEqual(request([few[0] as JsonValue, { role: 'user', content: 'elsewhere' }]));
  const many = Array.from({ length: 500 }, () => few[0] as JsonValue);
  expect(messagesOf(many)).toEqual(request('elsewhere'));
});
