import { expect, test } from 'vitest';
import { runLua } from '../testing/run-lua.ts';

test('a script gives its first value', async () => {
  expect(await runLua('return 1 + 1, 3')).toBe(2);
});
