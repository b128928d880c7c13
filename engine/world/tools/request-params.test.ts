import { describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { resolveBindings } from '../../language/bindings/bindings.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { filledAddress, filledHeader, filledText, type ValueFor } from './request-params.ts';

function valuesOf(params: JsonMap): ValueFor {
  return (source) => resolveBindings(source, { get: (root) => (root === 'params' ? params : undefined) }) as JsonValue;
}

function attempt<T>(fill: () => T): T | string {
  try {
    return fill();
  } catch (error) {
    const { code, message } = toErrorRecord(error);
    return `${code}: ${message}`;
  }
}

const host = 'https://h.example';

describe('a parameter in a URL', () => {
  test.each<[string, JsonMap, string]>([
    ['/a/{{params.x}}/b', { x: 'c d' }, '/a/c%20d/b'],
    ['/a/{{params.x}}', { x: 'c/d\\e' }, '/a/c%2Fd%5Ce'],
    ['/a/{{params.x}}', { x: '?k=1&l=2#m' }, '/a/%3Fk%3D1%26l%3D2%23m'],
    ['/a/{{params.x}}', { x: '\r\n\0' }, '/a/%0D%0A%00'],
    ['/a/{{params.x}}', { x: 'b/../c' }, '/a/b%2F..%2Fc'],
    ['/a/{{params.x}}', { x: '..\\c' }, '/a/..%5Cc'],
    ['/a/{{params.x}}', { x: 'b%2f..' }, '/a/b%252f..'],
    ['/a/{{params.x}}', { x: '...' }, '/a/...'],
    ['/a/{{params.x}}', { x: '.hidden' }, '/a/.hidden'],
    ['/a/{{params.x}}', { x: 'a..b' }, '/a/a..b'],
    ['/a/{{params.x}}', { x: '%2e%2ea' }, '/a/%252e%252ea'],
    ['/a/{{params.x}}', { x: 7 }, '/a/7'],
    ['/a/{{params.x}}', { x: true }, '/a/true'],
    ['/a/{{params.x}}', { x: ['..', 1] }, '/a/%5B%22..%22%2C1%5D'],
    ['/a/v{{params.x}}', { x: '' }, '/a/v'],
    ['/a/{{params.x}}{{params.y}}', { x: '.', y: 'a' }, '/a/.a'],
    ['/a/{{params.x}}-{{params.y}}', { x: '.', y: '.' }, '/a/.-.'],
    ['/a?q={{params.x}}', { x: 'a&b=c#d+e' }, '/a?q=a%26b%3Dc%23d%2Be'],
    ['/a?q={{params.x}}', { x: '..' }, '/a?q=..'],
    ['/a?q={{params.x}}&r={{params.y}}', { x: '', y: '../..' }, '/a?q=&r=..%2F..'],
    ['/a?{{params.x}}=1', { x: 'b&c' }, '/a?b%26c=1'],
    ['/a#{{params.x}}', { x: '..' }, '/a#..'],
    ['/a/..{{params.x}}', { x: 'b' }, '/a/..b'],
    ['/a/{{params.x}}', { x: '日本 👩‍🚀' }, `/a/${encodeURIComponent('日本 👩‍🚀')}`],
    ['/{{params.x}}', { x: '//evil.example' }, '/%2F%2Fevil.example'],
    ['/{{params.x}}', { x: '@evil.example' }, '/%40evil.example'],
  ])('%s with %j stays in its place', (template, params, expected) => {
    const filled = attempt(() => filledAddress(host + template, valuesOf(params)));
    expect(filled).toBe(host + expected);
    expect(new URL(filled).host).toBe('h.example');
  });

  test.each<[string, JsonMap, string]>([
    ['/a/{{params.x}}', { x: '.' }, 'x would change'],
    ['/a/{{params.x}}', { x: '..' }, 'x would change'],
    ['/a/{{params.x}}/b', { x: '..' }, 'x would change'],
    ['/a/{{params.x}}?q=1', { x: '..' }, 'x would change'],
    ['/a/{{params.x}}', { x: '%2e%2e' }, 'x would change'],
    ['/a/{{params.x}}', { x: '%2E.' }, 'x would change'],
    ['/a/{{params.x}}', { x: '%252e%252e' }, 'x would change'],
    ['/a/{{params.x}}', { x: '%25252e' }, 'x would change'],
    ['/a/{{params.x}}{{params.y}}', { x: '.', y: '.' }, 'x and y would change'],
    ['/a/{{params.x}}{{params.y}}', { x: '', y: '..' }, 'x and y would change'],
    ['/a/{{params.x}}{{params.y}}', { x: '%2', y: 'e' }, 'x and y would change'],
    ['/a/.{{params.x}}', { x: '.' }, 'x would change'],
    ['/a/.{{params.x}}', { x: '' }, 'x would change'],
    ['/a/{{params.x}}', { x: '' }, 'x is empty'],
    ['/a/{{params.x}}/b', { x: '' }, 'x is empty'],
    ['/a/{{params.x}}?q=1', { x: '' }, 'x is empty'],
    ['/a/{{?params.x}}', {}, 'x is empty'],
    ['/a/{{params.x}}', { x: '\ud800' }, 'x contains half a character'],
    ['/a?q={{params.x}}', { x: 'a\udc00' }, 'x contains half a character'],
  ])('%s with %j is rejected by name', (template, params, words) => {
    expect(attempt(() => filledAddress(host + template, valuesOf(params)))).toMatch(
      new RegExp(`^tool.bad-param: The parameter ${words}`),
    );
  });

  test.each<[string, JsonMap, string | RegExp]>([
    ['https://{{params.x}}.example.com/', { x: 'eu-1' }, 'https://eu-1.example.com/'],
    ['https://{{params.x}}/a', { x: 'h.example:8080' }, 'https://h.example:8080/a'],
    ['https://h.example:{{params.x}}/', { x: 8080 }, 'https://h.example:8080/'],
    ['{{params.x}}', { x: 'http://h/?a=1#b' }, 'http://h/?a=1#b'],
    ['{{params.x}}/items', { x: 'http://h/v1' }, 'http://h/v1/items'],
    ['https://{{params.x}}.example.com/', { x: 'evil.test/' }, /^tool.bad-param.*part of a host/],
    ['https://{{params.x}}.example.com/', { x: 'a.b' }, /^tool.bad-param.*part of a host/],
    ['https://{{params.x}}.example.com/', { x: 'me@evil' }, /^tool.bad-param.*part of a host/],
    ['https://{{params.x}}.example.com/', { x: '' }, /^tool.bad-param.*part of a host/],
    ['https://h.example:{{params.x}}/', { x: '80@evil.test' }, /^tool.bad-param.*part of a host/],
    ['https://h.example{{params.x}}', { x: '.evil.test' }, /^tool.bad-param.*part of a host/],
    ['https://{{params.x}}/a', { x: 'h.example/b' }, /^tool.bad-param.*part of a host/],
    ['{{params.x}}/items', { x: 'http://h/?q=' }, /^tool.bad-param.*\? or #/],
    ['{{params.x}}/{{params.y}}', { x: 'http://h', y: '..' }, /^tool.bad-param.*y would change/],
  ])('%s with %j in the host', (template, params, expected) => {
    const filled = attempt(() => filledAddress(template, valuesOf(params)));
    if (typeof expected === 'string') expect(filled).toBe(expected);
    else expect(filled).toMatch(expected);
  });
});

describe('a parameter in a header', () => {
  test.each<[JsonValue, string]>([
    ['plain', 'Bearer plain'],
    [7, 'Bearer 7'],
    ['café', 'Bearer café'],
    ['a, b; c="d"', 'Bearer a, b; c="d"'],
  ])('may be %j', (x, expected) => {
    expect(filledHeader('authorization', 'Bearer {{params.x}}', valuesOf({ x }))).toBe(expected);
  });

  test.each(['a\r\nx-evil: 1', 'a\nb', 'a\rb', 'a\0b', '日本', '\x7f', '\ud800'])('rejects %j', (x) => {
    const filled = attempt(() => filledHeader('x-name', '{{params.x}}', valuesOf({ x })));
    expect(filled).toMatch(/^tool.bad-param: The parameter x cannot be sent in the header x-name/);
    expect(filled).not.toContain('evil');
  });
});

describe('a parameter in a body', () => {
  const json = 'application/json';

  test.each<[string, string | undefined, JsonMap, JsonValue]>([
    ['{"a":"{{params.x}}"}', json, { x: '","admin":true,"b":"' }, '{"a":"\\",\\"admin\\":true,\\"b\\":\\""}'],
    ['{"a":"{{params.x}}"}', undefined, { x: 'a"b\\c\nd}' }, '{"a":"a\\"b\\\\c\\nd}"}'],
    ['{"a":"x \\" {{params.x}}"}', json, { x: '"' }, '{"a":"x \\" \\""}'],
    ['{"a":{{params.x}}}', json, { x: '1,"admin":true' }, '{"a":"1,\\"admin\\":true"}'],
    ['{"a":{{params.x}}}', json, { x: 7 }, '{"a":7}'],
    ['{"a":{{params.x}}}', json, { x: { b: [null] } }, '{"a":{"b":[null]}}'],
    ['{"a":"{{params.x}}"}', json, { x: 7 }, '{"a":"7"}'],
    ['{"a":"{{params.x}}"}', json, { x: '\ud800' }, '{"a":"\\ud800"}'],
    ['[{{params.x}}]', undefined, { x: 'a' }, '["a"]'],
    ['a={{params.x}}&b=1', 'application/x-www-form-urlencoded', { x: '1&b=2' }, 'a=1%26b%3D2&b=1'],
    ['Hello {{params.x}}!', 'text/plain', { x: '"{}"' }, 'Hello "{}"!'],
    ['Hello {{params.x}}!', undefined, { x: '"{}"' }, 'Hello "{}"!'],
    ['{{params.x}}', json, { x: { a: 1 } }, { a: 1 }],
    ['{{params.x}}', undefined, { x: 'text' }, 'text'],
  ])('%s of the type %s with %j stays in its place', (template, type, params, expected) => {
    const filled = filledText(template, type, valuesOf(params));
    expect(filled).toEqual(expected);
    if (typeof filled === 'string' && /^[{[]/.test(template) && !template.startsWith('{{')) JSON.parse(filled);
  });
});
