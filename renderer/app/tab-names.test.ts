import { expect, test } from 'vitest';
import { tabNames } from './tab-names.ts';

test('a tab is called as in the list of flows', () => {
  expect(tabNames(['a.flow.yaml', 'team/b.flow.yml'])).toEqual([
    { path: 'a.flow.yaml', name: 'a' },
    { path: 'team/b.flow.yml', name: 'b' },
  ]);
});

test('two flows of one name are told apart by their folders', () => {
  expect(tabNames(['a.flow.yaml', 'team/a.flow.yaml', 'b.flow.yaml']).map(({ name }) => name)).toEqual([
    'a',
    'team/a',
    'b',
  ]);
});
