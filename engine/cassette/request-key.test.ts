import { expect, test } from 'vitest';
import { requestKey } from './request-key.ts';

test('the order of keys does not count, on any level', () => {
  const left = { b: [{ y: 1, x: null }], a: 'text' };
  const right = { a: 'text', b: [{ x: null, y: 1 }] };
  expect(requestKey('model', left)).toBe(requestKey('model', right));
  expect(requestKey('model', left)).toMatch(/^[0-9a-f]{64}$/);
});

test('everything else does', () => {
  const keys = [
    requestKey('model', { a: [1, 2] }),
    requestKey('http', { a: [1, 2] }),
    requestKey('model', { a: [2, 1] }),
    requestKey('model', { a: ['1', 2] }),
    requestKey('model', { a: [1, 2], b: null }),
    requestKey('model', [['a', [1, 2]]]),
    requestKey('model', [1, 2]),
    requestKey('model', ['1,2']),
    requestKey('model', {}),
    requestKey('model', []),
    requestKey('model', null),
    requestKey('model', 'null'),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});
