import { describe, expect, test } from 'vitest';
import { respondType } from './respond-type.ts';

function problemsOf(input: unknown): readonly string[] {
  const parsed = respondType.inputSchema.safeParse(input);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
}

describe('the headers of a response', () => {
  test.each(['Content-Type', 'location', 'Retry-After', 'X-Order-Id', 'link'])('can have the name %s', (name) => {
    expect(problemsOf({ headers: { [name]: 'value' } })).toEqual([]);
  });

  test.each([
    ...['Set-Cookie', 'set-cookie', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Host', 'Upgrade'],
    ...['Content-Security-Policy', 'X-Frame-Options', 'X-Content-Type-Options', 'Access-Control-Allow-Origin'],
    ...[
      'X-Accel-Redirect',
      'X-Sendfile',
      'X-Forwarded-For',
      'Clear-Site-Data',
      'Service-Worker-Allowed',
      'x-a b',
      'x-ä',
    ],
    ...['', 'x-a\r\nset-cookie'],
  ])('cannot have the name %j', (name) => {
    expect(problemsOf({ headers: Object.fromEntries([[name, 'value']]) })).toHaveLength(1);
  });

  test.each(['a\r\nSet-Cookie: b=c', 'a\nb', 'a\0b', 'ä', 'x'.repeat(4_097)])('cannot have the value %j', (value) => {
    expect(problemsOf({ headers: { 'x-a': value } })).toEqual(['headers.x-a']);
  });
});

test('a status is final', () => {
  expect([99, 101, 199, 600, 200.5, '200'].map((status) => problemsOf({ status }))).toEqual(Array(6).fill(['status']));
  expect(respondType.inputSchema.parse({})).toEqual({ status: 200, headers: {}, body: null });
});
