import { expect, test } from 'vitest';
import { type RenamingSystem, replaceByRename } from './replace-by-rename.ts';

function failing(code: string, times: number, platform: NodeJS.Platform) {
  const waits: number[] = [];
  let calls = 0;
  const system: RenamingSystem = {
    platform,
    rename: async () => {
      calls++;
      if (calls <= times) throw Object.assign(new Error(code), { code });
    },
    wait: async (ms) => waits.push(ms),
  };
  return { system, waits, calls: () => calls };
}

test.each(['EPERM', 'EACCES', 'EBUSY'])('waits on Windows while a program has the file open (%s)', async (code) => {
  const world = failing(code, 3, 'win32');
  await replaceByRename('a', 'b', world.system);
  expect(world.calls()).toBe(4);
  expect(world.waits).toEqual([10, 20, 40]);
});

test('gives up after about a second', async () => {
  const world = failing('EPERM', Number.POSITIVE_INFINITY, 'win32');
  await expect(replaceByRename('a', 'b', world.system)).rejects.toThrow('EPERM');
  const total = world.waits.reduce((sum, ms) => sum + ms, 0);
  expect(total).toBeGreaterThan(1000);
  expect(total).toBeLessThan(2000);
});

test.each([
  ['ENOENT', 'win32'],
  ['EPERM', 'linux'],
] as const)('reports %s on %s immediately', async (code, platform) => {
  const world = failing(code, 1, platform);
  await expect(replaceByRename('a', 'b', world.system)).rejects.toThrow(code);
  expect(world.waits).toEqual([]);
});
