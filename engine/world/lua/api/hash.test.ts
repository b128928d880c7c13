import { expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { hashApi } from './hash.ts';

const call = apiCaller(hashApi);

test('the module has a function for every algorithm and encoding', () => {
  expect(hashApi.members.map((one) => one.name).join(' ')).toBe(
    'sha256 sha256_b58 sha256_b64 sha256_b64u sha512 sha512_b58 sha512_b64 sha512_b64u blake3 blake3_b58 blake3_b64 blake3_b64u',
  );
});

test('hashes the UTF-8 bytes of a text', () => {
  expect(call('sha256', 'é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
  expect(call('blake3_b64u', 'abc')).toBe('ZDezrDhGUTP_tjt1JzqNtUjFWEZdedsD_TWcbNW9nYU');
  expect(call('sha512_b64', 'abc')).toMatch(/^3a81oZNherrMQXNJriBBMRLm.*==$/);
  expect(call('sha256_b58', '')).toBe('GKot5hBsd81kMupNCXHaqbhv3huEbxAFMLnpcX2hniwn');
  expect(() => call('sha256')).toThrow(/^bad argument #1/);
});
