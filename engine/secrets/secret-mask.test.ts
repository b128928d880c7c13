import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testRounds } from '../testing/test-rounds.ts';
import { createMask, formsOf } from './secret-mask.ts';

const secret = 'p@ss "w/ö rd+1';
const mask = createMask([{ value: secret, mark: '***' }]);

describe('BB-13 a value is found in every form', () => {
  test.each<[string, string]>([
    ['as it is', `a ${secret} b`],
    ['in JSON', JSON.stringify({ key: secret })],
    ['in an address', `https://a.example/?q=${encodeURIComponent(secret)}&r=1`],
    ['in a form', `q=${encodeURIComponent(secret).replaceAll('%20', '+')}`],
    ['in Base64', Buffer.from(secret).toString('base64')],
    ['in Base64 behind one byte', Buffer.from(`a${secret}`).toString('base64')],
    ['in Base64 behind two bytes', Buffer.from(`ab${secret}z`).toString('base64')],
    ['in a Basic header', `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`],
    ['in Base64 for addresses', Buffer.from(`>>>${secret}`).toString('base64url')],
  ])('%s', (_name, text) => {
    const clean = mask.text(text);
    expect(clean).toContain('***');
    for (const form of formsOf(secret)) expect(clean).not.toContain(form);
  });

  test('in Base64, wherever it stands among random bytes', () => {
    const some = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(some, some, fc.boolean(), (before, after, isUrl) => {
        const bytes = Buffer.concat([before, Buffer.from(secret), after]);
        expect(mask.text(bytes.toString(isUrl ? 'base64url' : 'base64'))).toContain('***');
      }),
      { numRuns: testRounds(200) },
    );
  });

  test('in names of fields, lists and maps; what holds none comes back itself', () => {
    const clean = { a: [1, null, 'x'], b: { c: true } };
    expect(mask.value(clean)).toBe(clean);
    expect(mask.value({ [secret]: [{ a: `<${secret}>` }], n: 1 })).toEqual({ '***': [{ a: '<***>' }], n: 1 });
    const odd = JSON.parse(`{"__proto__": ${JSON.stringify(secret)}}`) as object;
    expect(JSON.stringify(mask.value(odd))).toBe('{"__proto__":"***"}');
  });
});

test('BB-13 a value of 6 characters is hidden, a shorter one is left alone', () => {
  const short = createMask([
    { value: 'true', mark: '***' },
    { value: '', mark: '***' },
    { value: 'sesame', mark: '!' },
  ]);
  expect(short.text('true or sesame')).toBe('true or !');
});

test('a beginning that somebody cut off is taken out when it tells much; a word that only begins alike is not', () => {
  const long = createMask([{ value: 'abcdefghijklmnopqrst', mark: '***' }]);
  expect(long.text('key: abcdefghijkl')).toBe('key: ***');
  expect(long.text('key: abcdefg')).toBe('key: abcdefg');
  expect(createMask([{ value: 'secret', mark: '***' }]).text('the sec')).toBe('the sec');
});

describe('BB-13 a text that comes in pieces', () => {
  const pieces = (text: string, cuts: readonly number[]): string[] => {
    const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
    return places.slice(1).map((end, index) => text.slice(places[index], end));
  };
  const streamed = (parts: readonly string[]): string[] => {
    const out: string[] = [];
    const stream = mask.stream((piece) => out.push(piece));
    for (const part of parts) stream.push(part);
    stream.end();
    return out;
  };

  test('holds no value, however it is cut, and loses nothing else', () => {
    const words = fc.array(fc.constantFrom('p', 'p@s', 'ss ', secret, ' and ', encodeURIComponent(secret), 'x'));
    fc.assert(
      fc.property(words, fc.array(fc.nat(300), { maxLength: 12 }), (list, cuts) => {
        const text = list.join('');
        const out = streamed(pieces(text, cuts)).join('');
        for (const form of formsOf(secret)) expect(out).not.toContain(form);
        expect(out).toBe(mask.text(text));
      }),
      { numRuns: testRounds(300) },
    );
  });

  test('holds back no more than a value could need', () => {
    expect(streamed(['hello p', 'lain'])).toEqual(['hello ', 'plain']);
    expect(streamed(['no such beginning'])).toEqual(['no such beginning']);
  });
});
