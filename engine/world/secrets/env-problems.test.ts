import { expect, test } from 'vitest';
import { envProblems, readEnvText } from './env-file.ts';

test('a byte order mark is not part of the first name', () => {
  expect(readEnvText('\uFEFFA=1\nB=2')).toEqual(
    new Map([
      ['A', '1'],
      ['B', '2'],
    ]),
  );
});

test.each<[string, readonly (readonly [number, string])[]]>([
  ['A=pa#ss', [[1, 'ends before #']]],
  ['A=1 # why', [[1, 'ends before #']]],
  ['# a comment\n\nA=pa#ss', [[3, 'ends before #']]],
  ['A="abc', [[1, 'no other " follows']]],
  ["B=2\nA='it", [[2, "no other ' follows"]]],
  ['just words', [[1, 'is not NAME=value']]],
  ['A: 1', [[1, 'is not NAME=value']]],
  ['A=1\n<<<<<<< HEAD\nB=2\n=======\nB=3\n>>>>>>> main\n', [[2, 'merge conflict']]],
  ['A\0=\0', [[1, 'not UTF-8']]],
  // Lines that are read as intended.
  ['export A=1\nB = 2\nC="a#b" # c\nD=\'x\'\nE="a\nb#c\nd"\nF=\n', []],
  ['\uFEFFA=1\r\nB=2\r\n', []],
])('%j', (text, problems) => {
  expect(envProblems(text)).toEqual(
    problems.map(([line, words]) => ({ line, message: expect.stringContaining(words) })),
  );
});

test('problems do not contain values', () => {
  expect(JSON.stringify(envProblems('A=secret1#secret2\nB="secret3'))).not.toContain('secret');
});
