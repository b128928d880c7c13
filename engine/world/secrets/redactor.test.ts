import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testRounds } from '../../testing/test-rounds.ts';
import { createRedactor, secretMark } from './redactor.ts';

const key = 'sk-live/0123456789+abc"x=';
const { redact, isLeaking } = createRedactor(() => [key, 'ollama', '']);

describe('a known secret', () => {
  test('replaces a secret everywhere, in every spelling', () => {
    const value = {
      plain: `Use ${key} now`,
      json: JSON.stringify({ a: [key] }),
      half: `{"a": "${JSON.stringify(key).slice(1, -1)}`,
      address: `https://h/p?x=${encodeURIComponent(key)}`,
      basic: Buffer.from(key).toString('base64'),
      list: [[key]],
    };
    const text = JSON.stringify(redact(value));
    for (const form of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)])
      expect(text).not.toContain(form);
    expect(text).not.toContain(Buffer.from(key).toString('base64'));
    expect(redact('Use ollama now')).toBe('Use ollama now');
  });

  test('replaces texts with the shape of a key, and no similar words', () => {
    const { redact } = createRedactor(() => []);
    const prompt = 'Use sk-ant-api03-A1b2C3d4E5f6G7h8 and ghp_0123456789abcdefABCD.';
    expect(redact({ prompt })).toEqual({ prompt: `Use ${secretMark} and ${secretMark}.` });
    expect(redact(redact({ prompt }))).toEqual(redact({ prompt }));
    for (const text of ['sk-learn-pipelines-are-fine', 'task-1234567890123456', 'npm_config_cache_folder'])
      expect(redact(text)).toBe(text);
  });

  test('detects a secret in the name of a field', () => {
    expect(isLeaking(JSON.stringify(redact({ [key]: 1 })))).toBe(true);
    expect(isLeaking(JSON.stringify(redact({ a: key })))).toBe(false);
  });
});

describe('a name that identifies a secret', () => {
  test.each([
    'password',
    'userPassword',
    'api_key',
    'apiKey',
    'X-Api-Key',
    'token',
    'access_token',
    'refreshToken',
    'client_secret',
    'Authorization',
    'set-cookie',
    'AWS_SECRET_ACCESS_KEY',
  ])('%s hides its value regardless of its structure', (name) => {
    expect(redact({ [name]: 'abc', deep: [{ [name]: { a: ['x', 5, true, null, ''] } }] })).toEqual({
      [name]: '[secret]',
      deep: [{ [name]: { a: ['[secret]', '[secret]', true, null, ''] } }],
    });
  });

  test.each([
    'tokens',
    'promptTokens',
    'max_tokens',
    'next_page_token',
    'key',
    'author',
    'keyboard',
    'text',
    'secretary',
  ])('%s does not hide its value', (name) => expect(redact({ [name]: 'abc' })).toEqual({ [name]: 'abc' }));

  test.each([
    'authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'x-api-key',
    'api-key',
    'x-goog-api-key',
    'ocp-apim-subscription-key',
    'x-auth-token',
    'private-token',
    'x-amz-security-token',
    'x-hub-signature-256',
    'x-client-secret',
    'x-session',
  ])('the header %s is hidden', (name) => {
    expect(redact({ headers: { [name]: 'abc', accept: '*/*' } })).toEqual({
      headers: { [name]: '[secret]', accept: '*/*' },
    });
  });

  test('hides values in text that is JSON, JSON lines, or nested JSON', () => {
    expect(redact('{"a": 1, "password": "p\\"1"}')).toBe('{"a":1,"password":"[secret]"}');
    expect(redact('{"password":"a"}\n{"password" : "b"}')).toBe('{"password":"[secret]"}\n{"password" : "[secret]"}');
    expect(redact(JSON.stringify({ inner: '{"token":"abc"}' }))).toBe(
      JSON.stringify({ inner: '{"token":"[secret]"}' }),
    );
    expect(redact('{"a": 1,\n "b": 2}')).toBe('{"a": 1,\n "b": 2}');
    // The tree contains only the last of two equal names.
    expect(redact('{"token":"abc","token":""}')).toBe('{"token":"[secret]","token":""}');
    expect(redact('curl -H "x: Bearer abcdefghijklmnop.qrs"')).toBe('curl -H "x: Bearer [secret]"');
    expect(redact('The bearer of this letter')).toBe('The bearer of this letter');
  });
});

describe('a URL', () => {
  test.each([
    ['https://me:pass@host/a?b=1', 'https://[secret]@host/a?b=1'],
    ['https://token@host', 'https://[secret]@host'],
    ['postgres://u:p@db:5432/x', 'postgres://[secret]@db:5432/x'],
    ['https://h/a@b', 'https://h/a@b'],
    ['https://h/?back=https://me:pass@g/', 'https://h/?back=https://[secret]@g/'],
    ['https://h/?key=1&q=2', 'https://h/?key=[secret]&q=2'],
    ['https://h/?q=2&api%5Fkey=1#x', 'https://h/?q=2&api%5Fkey=[secret]#x'],
    [
      'https://h/?X-Amz-Signature=ab&X-Amz-Credential=cd',
      'https://h/?X-Amz-Signature=[secret]&X-Amz-Credential=[secret]',
    ],
    ['https://h/cb#access_token=abc&state=1', 'https://h/cb#access_token=[secret]&state=1'],
    ['/cb?token=abc', '/cb?token=[secret]'],
    ['see https://h/?sig=a and https://h/?sig=b.', 'see https://h/?sig=[secret] and https://h/?sig=[secret]'],
    ['https://h/?%=1&token=%', 'https://h/?%=1&token=[secret]'],
    ['https://h/?page_token=3&tokens=4', 'https://h/?page_token=3&tokens=4'],
  ])('%s', (address, expected) => {
    expect(redact(address)).toBe(expected);
  });
});

describe('a secret seen once', () => {
  test('hides a secret seen once from then on, including in the same value', () => {
    const redactor = createRedactor(() => []);
    const before = { path: '/s/tok-1234567890' };
    expect(redactor.redact(before)).toEqual(before);
    expect(redactor.redact({ path: '/s/tok-1234567890', headers: { authorization: 'Bearer tok-1234567890' } })).toEqual(
      {
        path: '/s/[secret]',
        headers: { authorization: '[secret]' },
      },
    );
    expect(redactor.redact(before)).toEqual({ path: '/s/[secret]' });
    redactor.redact({ text: '{ "token": "abcdefgh12345" }' });
    expect(redactor.redact('session abcdefgh12345')).toBe('session [secret]');
    redactor.redact('https://me:pass-word-1234@h/?sig=c2lnbmF0dXJl%2B1');
    expect(redactor.redact('pass-word-1234 c2lnbmF0dXJl+1')).toBe('[secret] [secret]');
  });

  test('does not remember a secret that is a common word', () => {
    const redactor = createRedactor(() => []);
    redactor.redact({ token: 'internationalization', password: 'hello' });
    expect(redactor.redact('hello internationalization')).toBe('hello internationalization');
  });
});

describe('any value', () => {
  test('redacting a value twice does not change it again', () => {
    const names = fc.constantFrom('headers', 'token', 'authorization', 'a', 'url');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.constantFrom(key, `https://a:b@c?key=${key}`, `Bearer ${'x'.repeat(20)}`, '{"token":"a b"}', '{"token":"'),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(texts, fc.double({ noNaN: true }), fc.dictionary(names, tie('tree')), fc.array(tie('tree'))),
    }));
    fc.assert(
      fc.property(fc.jsonValue(), tree, (some, other) => {
        // Values generated by fast-check are valid JSON here.
        const once = createRedactor(() => [key]).redact([some, other] as never);
        expect(createRedactor(() => [key]).redact(once)).toEqual(once);
      }),
      { numRuns: testRounds(60) },
    );
  });

  test('accepts values that are deeply nested or very long', () => {
    const deep = '['.repeat(100_000);
    expect(redact(deep)).toBe(deep);
    const closed = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(redact(closed)).toBe(closed);
    const long = `{"password":"${'x'.repeat(500_000)}"}\n${'/?a&'.repeat(100_000)}`;
    expect(String(redact(long))).toContain('{"password":"[secret]"}');
  });
});

describe('MF-181 sharing with others', () => {
  const { redact: strict } = createRedactor(() => [key], { isForOthers: true });

  test.each([
    ['ask kim.o@mail.example.org, or <a@b.co>', 'ask [email], or <[email]>'],
    ['pay with 4111 1111 1111 1111.', 'pay with [card].'],
    ['5500-0000-0000-0004', '[card]'],
    ['call +49 30 901820, or (030) 901820', 'call [phone], or [phone]'],
    ['call 555-867-5309 or (555) 867-5309 or +1 (555) 867-5309', 'call [phone] or [phone] or [phone]'],
    ['use sk-proj-abcdef0123456789abcd and ghp_abcdefghij0123456789', 'use [secret] and [secret]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '[secret]'],
    ['{"mail": "kim@mail.example.org"}', '{"mail": "[email]"}'],
  ])('%j becomes %j', (text, expected) => {
    expect(strict({ text })).toEqual({ text: expected });
    // A cassette must keep the original text, except for keys.
    expect(redact({ text })).toEqual({ text: expected.includes(secretMark) ? expected : text });
  });

  test('hides a card number that is stored as a number', () => {
    expect(strict({ card: 4111111111111111, amount: 4111111111111112 })).toEqual({
      card: '[card]',
      amount: 4111111111111112,
    });
  });

  test.each([
    '123e4567-e89b-12d3-a456-426614174000',
    'run 20261124-032746-qd3ent',
    '2026-11-24T03:27:46.123Z and 2026-11-24 03:27',
    '24.11.2026, 11/24/2026',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'demo@text/enrich, v1.2.3, 10.0.0.1:8080, 12345678 items, 1,234,567.89 USD',
    'tool:ecbdfd7ff4d369a2dd7eb4d187a33b83dbc55d3ddba71db57c9e84260143c161:0',
    'order 4512345678901, epoch 1764000000000',
  ])('does not change %s', (text) => {
    expect(strict({ text, at: 1_764_000_000_000 })).toEqual({ text, at: 1_764_000_000_000 });
  });

  test('does not change ids, hashes and dates of any kind', () => {
    const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
    const ids = fc.oneof(
      fc.uuid(),
      hash,
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
    fc.assert(
      fc.property(ids, fc.constantFrom('', 'of ', '"'), (id, before) => {
        const text = `${before}${id}`;
        expect(strict(text)).toBe(text);
      }),
      { numRuns: testRounds(300) },
    );
  });

  test('handles very long text', () => {
    for (const piece of ['1 ', '+1 ', 'a@', 'a.', '0-', '(0', '-----BEGIN PRIVATE KEY-----']) {
      const text = piece.repeat(50_000);
      expect(String(strict(text)).length).toBeGreaterThan(0);
    }
  });
});
