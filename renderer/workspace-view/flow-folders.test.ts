import { expect, test } from 'vitest';
import { groupByFolder } from './flow-folders.ts';

test('files stand under their folder, those of the workspace itself under none', () => {
  const folders = groupByFolder(
    ['flows/a.flow.yaml', 'flows/b.flow.yml', 'flows/deep/c.flow.yaml', 'zoo.flow.yaml'].map((path) => ({
      path,
      change: null,
    })),
  );
  expect(folders.map(({ name, files }) => [name, files.map((entry) => entry.name)])).toEqual([
    ['', ['zoo']],
    ['flows', ['a', 'b']],
    ['flows/deep', ['c']],
  ]);
});
