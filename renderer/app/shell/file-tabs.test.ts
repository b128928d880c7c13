import { expect, test } from 'vitest';
import { tabNames } from './file-tabs.tsx';

test('a tab is called as in the list of flows', () => {
  expect(tabNames(['a.flow.yaml', 'team/b.flow.yml'])).toEqual([
    { path: 'a.flow.yaml', name: 'a' },
    { path: 'team/b.flow.yml', name: 'b' },
  ]);
});

test('two files of one name keep their endings', () => {
  expect(tabNames(['a.flow.yaml', 'a.aip', 'b.aip']).map(({ name }) => name)).toEqual(['a.flow.yaml', 'a.aip', 'b']);
});

test('two whose endings are the same are told apart by their folders', () => {
  expect(tabNames(['a.flow.yaml', 'team/a.flow.yaml', 'b.flow.yaml']).map(({ name }) => name)).toEqual([
    'a.flow.yaml',
    'team/a',
    'b',
  ]);
  expect(tabNames(['x/README.md', 'y/README.md']).map(({ name }) => name)).toEqual(['x/README.md', 'y/README.md']);
});
