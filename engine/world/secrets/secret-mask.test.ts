import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testRounds } from '../../testing/test-rounds.ts';
import { formsOf } from './secret-forms.ts';
import { createMask } from './secret-mask.ts';

const secret = 'p@ss "w/ö rd+1';
const mask = createMask([{ value: secret, mark: '***' }]);

describe('BB-13 finds a value in every form', () => {
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

  test('finds Base64 at any position among random bytes', () => {
    const some = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(some, some, fc.boolean(), (before, after, isUrl) => {
        const bytes = Buffer.concat([before, Buffer.from(secret), after]);
        expect(mask.text(bytes.toString(isUrl ? 'base64url' : 'base64'))).toContain('***');
      }),
      { numRuns: testRounds(200) },
    );
  });

  test('masks field names, lists and maps, and returns the same object if there is nothing to mask', () => {
    const clean = { a: [1, null, 'x'], b: { c: true } };
    expect(mask.value(clean)).toBe(clean);
    expect(mask.value({ [secret]: [{ a: `<${secret}>` }], n: 1 })).toEqual({ '***': [{ a: '<***>' }], n: 1 });
    const odd = JSON.parse(`{"__proto__": ${JSON.stringify(secret)}}`) as object;
    expect(JSON.stringify(mask.value(odd))).toBe('{"__proto__":"***"}');
  });
});

test('BB-13 hides a value of 6 characters but not a shorter one', () => {
  const short = createMask([
    { value: 'true', mark: '***' },
    { value: '', mark: '***' },
    { value: 'sesame', mark: '!' },
  ]);
  expect(short.text('true or sesame')).toBe('true or !');
});

test('masks a long truncated prefix of a secret but not a word that starts the same', () => {
  const long = createMask([{ value: 'abcdefghijklmnopqrst', mark: '***' }]);
  expect(long.text('key: abcdefghijkl')).toBe('key: ***');
  expect(long.text('key: abcdefg')).toBe('key: abcdefg');
  expect(createMask([{ value: 'secret', mark: '***' }]).text('the sec')).toBe('the sec');
});

describe('BB-13 a text that arrives in pieces', () => {
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

  test('contains no secret wherever it is split, and loses nothing else', () => {
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

  test('holds back no more than a secret could need', () => {
    expect(streamed(['hello p', 'lain'])).toEqual(['hello ', 'plain']);
    expect(streamed(['no such beginning'])).toEqual(['no such beginning']);
  });
});

/**
 * Reference implementation without optimizations: masks the longest form at each position, and a long prefix at the
 * end.
 */
function slowly(text: string, hidden: readonly { value: string; mark: string }[]): string {
  const forms = hidden
    .filter(({ value }) => value.length >= 6)
    .flatMap(({ value, mark: shown }) => formsOf(value).map((form) => ({ form, shown })))
    .sort((a, b) => b.form.length - a.form.length);
  let clean = '';
  for (let at = 0; at < text.length; ) {
    const found = forms.find(({ form }) => text.startsWith(form, at));
    clean += found?.shown ?? text[at];
    at += found?.form.length ?? 1;
  }
  for (let at = 0; at <= clean.length - 8; at++) {
    const end = clean.slice(at);
    const cut = forms.find(
      ({ form }) => form.length > end.length && end.length * 2 >= form.length && form.startsWith(end),
    );
    if (cut !== undefined) return clean.slice(0, at) + cut.shown;
  }
  return clean;
}

test('BB-13 the fast search hides the same as the slow one', () => {
  const secrets = fc.uniqueArray(
    fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', '"', 'ü', '\n'), minLength: 1, maxLength: 24 }),
      fc.string({ minLength: 6, maxLength: 60 }),
      fc.constant(`-----BEGIN KEY-----\n${'abc/+'.repeat(20)}\n-----END KEY-----\n`),
    ),
    { minLength: 1, maxLength: 4 },
  );
  const cut = fc.record({ of: fc.nat(3), form: fc.nat(9), from: fc.nat(4), length: fc.nat(90) });
  fc.assert(
    fc.property(secrets, fc.array(fc.oneof(fc.string({ maxLength: 12 }), cut), { maxLength: 6 }), (values, parts) => {
      const hidden = values.map((value, index) => ({ value, mark: `<${index}>` }));
      const text = parts
        .map((part) => {
          if (typeof part === 'string') return part;
          const forms = formsOf(values[part.of % values.length] ?? '');
          const form = forms[part.form % forms.length] ?? '';
          return part.from === 0 ? form.slice(0, part.length) : form;
        })
        .join('');
      expect(createMask(hidden).text(text)).toBe(slowly(text, hidden));
      expect(createMask(hidden).value({ a: [text] })).toEqual({ a: [slowly(text, hidden)] });
    }),
    { numRuns: testRounds(500) },
  );
});

test('hides texts with a common prefix in every form, whole and in pieces', () => {
  const beginning = 'place-0123456789abcdef0123456789abcdef-';
  const texts = [0, 1].map((index) => ({ value: `${beginning}${index}-`, mark: `<${index}>` }));
  const alike = createMask([{ value: secret, mark: '***' }], { beginning, texts });
  const said = texts.map(({ value }) => value).join(' and ');
  expect(alike.text(`${said}, ${secret}`)).toBe('<0> and <1>, ***');
  expect(alike.value({ [said]: [said] })).toEqual({ '<0> and <1>': ['<0> and <1>'] });
  for (const before of ['', 'x', 'xy']) {
    const encoded = Buffer.from(`${before}${texts[1]?.value} `).toString('base64');
    expect(alike.text(encoded)).toContain('<1>');
  }
  const out: string[] = [];
  const stream = alike.stream((piece) => out.push(piece));
  for (const sign of `${said} ${secret}`) stream.push(sign);
  stream.end();
  expect(out.join('')).toBe('<0> and <1> ***');
  expect(createMask([], { beginning, texts }).text(said)).toBe('<0> and <1>');
});

test('checks a large clean value only once', () => {
  let looks = 0;
  const part = Object.freeze(
    Object.defineProperty({}, 'name', {
      enumerable: true,
      get() {
        looks++;
        return 'clean';
      },
    }),
  );
  const list = Object.freeze(Array.from({ length: 100 }, () => part));
  for (let round = 0; round < 3; round++) expect(mask.value(list)).toBe(list);
  expect(looks).toBe(100);
});
