import { expect, test } from 'vitest';
import { readToml } from './toml-source.ts';

test('parses a table, also with a byte order mark', () => {
  expect(readToml('\uFEFFa = 1\n')).toEqual({ table: { a: 1 } });
});

test('reports where a text is no longer valid TOML', () => {
  expect(readToml('a = 1\nb = \n')).toEqual({
    problem: { line: 2, column: expect.any(Number), reason: expect.stringMatching(/\S[^.]$/) },
  });
});

test.each(['\n', '\r\n'])('reports a merge conflict and the line where it starts (line endings %j)', (end) => {
  const text = ['a = 1', '<<<<<<< ours', 'b = 1', '=======', 'b = 2', '>>>>>>> theirs', ''].join(end);
  expect(readToml(text)).toEqual({
    problem: { line: 2, column: 1, reason: expect.stringContaining('Git has left a merge conflict here. Keep one') },
  });
});
