import { expect, test } from 'vitest';
import { apiCaller } from '../../../testing/call-api.ts';
import { semverApi } from './semver.ts';

const call = apiCaller(semverApi);

const comparisons: readonly (readonly [string, string, string, boolean])[] = [
  ['1.2.3', '>', '1.2.0', true],
  ['1.2.3', '<', '1.3.0', true],
  ['1.10.0', '>', '1.9.0', true],
  ['1.2.3', '=', '1.2.3', true],
  ['1.2.3', '==', '1.2.3', true],
  ['1.2.3', '>=', '1.2.3', true],
  ['1.2.3', '<=', '1.2.3', true],
  ['1.2.3', '>', '1.2.3', false],
  ['1.2.3', '!=', '1.2.0', true],
  ['1.2.3', '~=', '1.2.3', false],
  ['0.6.7-WIP', '<', '0.6.7', true],
  ['0.6.7-alpha.1', '<', '0.6.7-alpha.2', true],
  ['0.6.7-alpha.9', '<', '0.6.7-alpha.10', true],
  ['0.6.7-alpha.1', '<', '0.6.7-beta', true],
  ['1.0.0+build', '=', '1.0.0', false],
  ['1.0.0+build', '>', '1.0.0', true],
];

test('compares versions by the rules of Semantic Versioning, including build metadata', () => {
  const held = comparisons.map(([left, operator, right]) => call('compare', left, operator, right));
  expect(held).toEqual(comparisons.map(([, , , holds]) => holds));
});

test('rejects invalid versions and operators', () => {
  expect(() => call('compare', '1.0', '>', '1.0.0')).toThrow(/^Invalid version '1.0': /);
  expect(() => call('compare', '1.0.0', '>', 'v1.0.0')).toThrow(/^Invalid version 'v1.0.0': /);
  expect(() => call('compare', '1.0.0', '=>', '1.0.0')).toThrow("Invalid operator '=>'");
  expect(() => call('compare', undefined, '>', '1.0.0')).toThrow(/^bad argument #1/);
  expect(() => call('parse', ' 1.0.0')).toThrow(/^Invalid version/);
});

test('returns the parts of a version, and nil for absent ones', () => {
  expect(call('parse', '1.2.3-beta.1+build.12')).toEqual({
    major: 1,
    minor: 2,
    patch: 3,
    prerelease: 'beta.1',
    build: 'build.12',
  });
  expect(call('parse', '2.0.0')).toEqual({ major: 2, minor: 0, patch: 0 });
});

test('recognizes only pre-releases as pre-releases', () => {
  expect(['1.2.3', '1.2.3-beta', '1.0.0+b.1', '1.0.0-a+b'].map((text) => call('is_prerelease', text))).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(() => call('is_prerelease', 'x')).toThrow(/^Invalid version/);
});

test('accepts only versions with three numbers', () => {
  const texts = ['1.2.3', '1.2.3-b', '1.0.0+b', '1.0', 'x', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3 ', '=1.2.3', ''];
  expect(texts.filter((text) => call('valid', text) === true)).toEqual(['1.2.3', '1.2.3-b', '1.0.0+b']);
});
