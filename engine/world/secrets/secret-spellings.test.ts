/** Tests how programs spell a secret that they quote. */
import { describe, expect, test } from 'vitest';
import { createRedactor } from './redactor.ts';
import { createMask, type SecretMask } from './secret-mask.ts';

/** Streams a text through a mask in pieces of `size` characters. */
function streamed(mask: SecretMask, text: string, size: number): string {
  let out = '';
  const stream = mask.stream((piece) => {
    out += piece;
  });
  for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
  stream.end();
  return out;
}

/** Escapes every character that `isEscaped` matches. */
const each = (text: string, isEscaped: RegExp, write: (code: number, sign: string) => string): string =>
  Array.from(text, (sign) => (isEscaped.test(sign) ? write(sign.codePointAt(0) ?? 0, sign) : sign)).join('');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
/** Escapes UTF-16 code units, as JSON does. */
const eachUnit = (text: string, isEscaped: RegExp, write: (code: number) => string): string =>
  text
    .split('')
    .map((unit) => (isEscaped.test(unit) ? write(unit.charCodeAt(0)) : unit))
    .join('');
const special = /[^A-Za-z0-9]/;
const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const small = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase());
const named: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  ö: 'ouml',
  '+': 'plus',
};
const html = (text: string): string => each(text, /[&<>"ö+]/, (_, sign) => `&${named[sign]};`);

/** Functions that spell a text as programs do when they quote it. */
const spellings: readonly (readonly [name: string, spell: (text: string) => string])[] = [
  ['in an address', encodeURIComponent],
  ['in an address with small digits', (text) => small(encodeURIComponent(text))],
  [
    'in an address with all signs escaped',
    (text) => each(encodeURIComponent(text), /[!'()*~._-]/, (code) => `%${hexOf(code, 2)}`),
  ],
  ['in an address with some signs left', (text) => each(text, /[%&<>"ö]/, (_, sign) => encodeURIComponent(sign))],
  ['in an address with every character escaped', (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&')],
  ['in an address twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['in an address of an address', (text) => small(encodeURIComponent(small(encodeURIComponent(text))))],
  ['in a form', (text) => new URLSearchParams({ q: text }).toString().slice(2)],
  ['in a form with small digits', (text) => small(new URLSearchParams({ q: text }).toString().slice(2))],
  ['in JSON', json],
  ['in JSON in JSON', (text) => json(json(text))],
  ['in JSON three times', (text) => json(json(json(text)))],
  ['in JSON four times', (text) => json(json(json(json(text))))],
  ['in JSON of ASCII', (text) => eachUnit(json(text), /[^\x20-\x7e]/, (code) => `\\u${hexOf(code, 4)}`)],
  [
    'in JSON as .NET writes it',
    (text) => eachUnit(text, /["&'+<>\\ö]/, (code) => `\\u${hexOf(code, 4).toUpperCase()}`),
  ],
  ['in JSON as Go writes it', (text) => eachUnit(json(text), /[&<>]/, (code) => `\\u${hexOf(code, 4)}`)],
  [
    'in JSON as PHP writes it',
    (text) => eachUnit(json(text).replaceAll('/', '\\/'), /ö/, (code) => `\\u${hexOf(code, 4)}`),
  ],
  ['in JSON in JSON as PHP writes it', (text) => json(json(text).replaceAll('/', '\\/')).replaceAll('/', '\\/')],
  ['in JSON with every character escaped', (text) => eachUnit(text, /./s, (code) => `\\u${hexOf(code, 4)}`)],
  [
    'in JSON with every character escaped, in JSON',
    (text) => json(eachUnit(text, /./s, (code) => `\\u${hexOf(code, 4).toUpperCase()}`)),
  ],
  ['in a program', (text) => each(json(text), special, (code, sign) => (code < 256 ? `\\x${hexOf(code, 2)}` : sign))],
  ['in a program with braces', (text) => each(text, special, (code) => `\\u{${hexOf(code, 1)}}`)],
  ['in HTML with names', html],
  ['in HTML with decimal numbers', (text) => each(text, special, (code) => `&#${code};`)],
  [
    'in HTML with decimal numbers and zeros',
    (text) => each(text, special, (code) => `&#${String(code).padStart(6, '0')};`),
  ],
  ['in HTML with hexadecimal numbers', (text) => each(text, special, (code) => `&#x${hexOf(code, 1)};`)],
  [
    'in HTML with large hexadecimal numbers',
    (text) => each(text, special, (code) => `&#X${hexOf(code, 4).toUpperCase()};`),
  ],
  ['in HTML with every character escaped', (text) => each(text, /./s, (code) => `&#${code};`)],
  ['in HTML twice', (text) => html(html(text))],
  ['in HTML in JSON', (text) => json(html(text))],
  ['in HTML in JSON as Go writes it', (text) => each(json(html(text)), /[&<>]/, (code) => `\\u${hexOf(code, 4)}`)],
  ['in an address in JSON in JSON', (text) => json(json(encodeURIComponent(text)))],
  ['in JSON in an address', (text) => encodeURIComponent(json(text))],
  ['in JSON in an address with small digits', (text) => small(encodeURIComponent(json(json(text))))],
  ['in JSON in HTML', (text) => html(json(text))],
  ['in Base64 with padding', (text) => Buffer.from(text).toString('base64')],
  ['in Base64 behind one byte', (text) => Buffer.from(`:${text}:`).toString('base64')],
  ['in Base64 behind two bytes', (text) => Buffer.from(`a:${text}\n`).toString('base64').replace(/=+$/, '')],
  ['in Base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
  ['in Base64 for addresses behind one byte', (text) => Buffer.from(`?${text}??`).toString('base64url')],
  ['in Base64 in an address', (text) => encodeURIComponent(Buffer.from(text).toString('base64'))],
  ['in Base64 in JSON as .NET writes it', (text) => each(Buffer.from(text).toString('base64'), /[+]/, () => '\\u002B')],
  ['in Base64 in JSON as PHP writes it', (text) => Buffer.from(text).toString('base64').replaceAll('/', '\\/')],
  ['in hexadecimal digits', (text) => Buffer.from(text).toString('hex')],
  ['in capital hexadecimal digits', (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ['in capital letters', (text) => text.toUpperCase()],
  ['in small letters', (text) => text.toLowerCase()],
  ['in capital letters in an address', (text) => encodeURIComponent(text.toUpperCase())],
  ['in small letters in JSON in JSON', (text) => json(json(text.toLowerCase()))],
  ['in capital letters in HTML', (text) => html(text.toUpperCase())],
];

const hardSecrets: readonly string[] = [
  'S3cr+t/ö&"<k>=%2Fz',
  'p@ss "w/ö rd+1',
  'sk-live/4f9a"b+c=d8e7ABCDEFG',
  'C:\\new\\table "x"\\',
  'a&b;c%41d+e f/g?h=i',
  '~!@#$%^&*()_+{}|:"<>?',
  '-----BEGIN KEY-----\nabc/+def==\n-----END KEY-----\n',
  'плюс+ключ/"секрет"&😀',
];

describe('BB-13 finds a secret of 8 or more characters in any spelling', () => {
  const found = /^before .{0,3}•••K•••.{0,20} behind, and not at its end$/s;
  const maskOf = (values: readonly string[]) => createMask(values.map((value) => ({ value, mark: '•••K•••' })));

  test.each(spellings)('%s', (name, spell) => {
    // In upper case, a letter after a backslash is a different control character.
    const spelled = hardSecrets.filter((one) => name !== 'in capital letters in HTML' || !one.includes('\\'));
    for (const value of spelled) {
      const text = `before ${spell(value)} behind, and not at its end`;
      // Characters of a Base64 group shared with adjacent bytes do not belong to the secret alone, and neither does a
      // trailing quote or backslash.
      for (const hides of [maskOf([value]), maskOf(hardSecrets)]) expect(hides.text(text)).toMatch(found);
      // The redactor that is used for cassettes.
      const redactor = createRedactor(() => [value]);
      expect(redactor.isLeaking(text)).toBe(true);
      expect(redactor.redact(text)).toMatch(/^before .{0,3}\[secret\].{0,20} behind, and not at its end$/s);
      expect(streamed(maskOf([value]), text, 1)).toMatch(found);
      expect(streamed(maskOf(hardSecrets), text, 5)).toMatch(found);
    }
  });

  test('finds a secret cut off in the middle at the end of a text', () => {
    for (const spell of [encodeURIComponent, (text: string) => json(json(text)), html]) {
      const spelled = spell(hardSecrets[0] ?? '');
      const hides = createMask([{ value: hardSecrets[0] ?? '', mark: '***' }]);
      for (let length = Math.ceil(spelled.length * 0.75); length < spelled.length; length++)
        expect(hides.text(`key: ${spelled.slice(0, length)}`)).toMatch(/^key: \*{3}$/);
    }
  });
});

test('BB-13 leaves ordinary text unchanged even if it looks like part of a secret', () => {
  const values = [...hardSecrets, 'password1', 'hello world', 'AAAAAAAA', '%41%42%43%44'];
  const hides = createMask(values.map((value) => ({ value, mark: '***' })));
  const kept = [
    'password 1, hello  world, hello%20worlds apart? hello+word',
    JSON.stringify({
      html: '<b class="k">Tom &amp; Jerry</b>',
      path: 'C:\\new\\table',
      url: 'https://a.example/?q=a%20b',
    }),
    'AAAAAAA ABCD %41%42%43 &#65;&#65; \\u0041\\u0041 50% of 100 & more; a & b',
    '%E4%B8%AD%E6%96%87 \\u4e2d\\u6587 &#20013;&#25991; \\\\\\\\ %%% &&& &unknown; &#99999999; \\u{110000}',
    'HELLO WORLD and PASSWORD1 are too short to be found in capital letters',
  ].map((text) => text.replace('hello%20worlds', 'hello%20word'));
  for (const text of kept) expect(hides.text(text)).toBe(text);
});

test('BB-13 matches a secret of fewer than 12 characters only in its own letter case', () => {
  const hides = createMask([{ value: 'password1', mark: '***' }]);
  expect(hides.text('Password1 and PASSWORD1, password1.')).toBe('Password1 and PASSWORD1, ***.');
});
