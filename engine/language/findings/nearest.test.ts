import { expect, test } from 'vitest';
import { didYouMean } from './nearest.ts';

test.each([
  ['ecko', ['constant', 'echo', 'echoes'], 'echo'],
  ['nmae', ['id', 'name'], 'name'],
  ['FailFast', ['maxParallel', 'failFast'], 'failFast'],
  ['maxParalel', ['failFast', 'maxParallel'], 'maxParallel'],
  ['descr', ['description'], undefined],
  ['q', ['a', 'b'], undefined],
  ['zzz', ['id', 'type'], undefined],
  ['x', [], undefined],
])('suggests for %s among %j: %s', (word, known, meant) => {
  expect(didYouMean(word, known)).toBe(meant === undefined ? '' : ` Did you mean "${meant}"?`);
});
