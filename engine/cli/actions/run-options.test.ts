import { expect, test } from 'vitest';
import { gatherInputs } from './run-options.ts';

test.each<[string, unknown]>([
  ['x=null', null],
  ['x=false', false],
  ['x=0', 0],
  ['x=""', ''],
  ['x=', ''],
  ['x="null"', 'null'],
  ['x=nullable', 'nullable'],
  ['x=1e999', '1e999'],
  ['x=a=b', 'a=b'],
])('--input %s', (input, value) => {
  expect(gatherInputs({ input: ['x=before', input] }, '/')).toEqual({ x: value });
});
