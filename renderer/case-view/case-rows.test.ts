import { expect, test } from 'vitest';
import { caseRows } from './case-rows.ts';

test('files with the same name are shown with their folders', () => {
  const paths = ['a/letter.test.yaml', 'b/letter.test.yml', 'c/mail.test.yaml', 'letter-2.test.yaml'];
  const files = paths.map((path) => ({ path, target: 'a.flow.yaml', cases: [], problems: [] }));
  const rows = caseRows(files, { results: new Map(), waiting: new Set() }, new Set());
  expect(rows.map(({ name }) => name)).toEqual(['a/letter', 'b/letter', 'mail', 'letter-2']);
});
