import { expect, test } from 'vitest';
import { caseOfRow } from './dataset.ts';

test.each([
  [{}, { a: 'Q "x"' }, 'row 1: Q "x"'],
  [{ name: '{{row.a}}' }, { a: '"x" Q' }, '"x" Q'],
  [{}, { a: 7 }, 'row 1: 7'],
])('the name of a case keeps quotes of %j %j', (more, row, name) => {
  expect(caseOfRow({ from: 'x.csv', ...more }, row, { index: 0 }).name).toBe(name);
});
