import { expect, onTestFinished, test } from 'vitest';
import { createTestFolder } from '../../world/files/testing/test-folder.ts';
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
  ['x=9007199254740991', 9007199254740991],
  ['x="9007199254740993"', '9007199254740993'],
  ['x=id 9007199254740993', 'id 9007199254740993'],
])('--input %s', (input, value) => {
  expect(gatherInputs({ input: ['x=before', input] }, { folder: '/' })).toEqual({ x: value });
});

test.each([
  '9007199254740993',
  '-9223372036854775808',
  '{"id":9007199254740993}',
  '[1,[9007199254740993]]',
  '{"a":[1e400]}',
])('rejects --input x=%s, which would lose precision', (text) => {
  expect(() => gatherInputs({ input: [`x=${text}`] }, { folder: '/' })).toThrow(
    expect.objectContaining({
      code: 'json.unsafe-number',
      message: expect.stringContaining('--input x contains the number'),
    }),
  );
});

test('rejects --input-file with such a number and names the file', () => {
  const folder = createTestFolder();
  onTestFinished(folder.remove);
  folder.write('in.json', '{"id": 9007199254740993}');
  expect(() => gatherInputs({ input: [], inputFile: 'in.json' }, { folder: folder.path })).toThrow(
    expect.objectContaining({
      code: 'json.unsafe-number',
      message: expect.stringContaining('--input-file in.json contains the number 9007199254740993'),
    }),
  );
});
