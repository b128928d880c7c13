/** Tests locks with invalid entries: each affects only its pack, is reported by name, and stays in the file. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startPackRepository, type TestRepository } from '../../../testing/pack-repository.ts';
import { createPackWorld, type PackWorld } from '../../../testing/pack-world.ts';
import { lockName, readPacksLock, readWholeLock } from '../packs-lock.ts';
import { installFrozen } from './frozen-install.ts';
import { installPack } from './installer.ts';
import { uninstallPack } from './uninstall.ts';

let world: PackWorld;
let repository: TestRepository;
beforeEach(async () => {
  world = createPackWorld();
  repository = await startPackRepository();
});
afterEach(async () => {
  await repository.close();
  world.remove();
});

const options = () => ({ ...world.options, repository: repository.url, lock: { workspace: world.workspace } });
const lock = (): string => world.read(`work/${lockName}`) ?? '';
const hash = '0'.repeat(64);

const odd: readonly (readonly [what: string, entry: string])[] = [
  ['an invalid version', `[packs."acme@b"]\nversion = 7\n`],
  [
    'a version that is not a version number',
    `[packs."acme@b"]\nversion = "newest"\nsource = "aipack.ai"\nsha256 = "${hash}"\n`,
  ],
  ['no keys', '[packs."acme@b"]\n'],
  ['a number instead of a table', '[packs]\n"acme@b" = 7\n'],
  ['text instead of a table', '[packs]\n"acme@b" = "1.0.0"\n'],
  ['a list instead of a table', '[[packs."acme@b"]]\nversion = "1.0.0"\n'],
  ['no source', `[packs."acme@b"]\nversion = "1.0.0"\nsha256 = "${hash}"\n`],
  ['a short hash', `[packs."acme@b"]\nversion = "1.0.0"\nsource = "aipack.ai"\nsha256 = "abc"\n`],
  ['an unknown key', `[packs."acme@b"]\nversion = "1.0.0"\nsource = "aipack.ai"\nsha256 = "${hash}"\nrun = "x"\n`],
  [
    'an invalid commit',
    `[packs."acme@b"]\nversion = "1.0.0"\nsource = "git://h/x"\nsha256 = "${hash}"\ncommit = "x"\n`,
  ],
  [
    'a path outside the workspace',
    `[packs."acme@b"]\nversion = "1.0.0"\nsource = "file:../b.aipack"\nsha256 = "${hash}"\n`,
  ],
  ['a date as its version', '[packs."acme@b"]\nversion = 2026-01-01\n'],
];

describe.each(odd)('a lock with an entry acme@b that has %s', (_, entry) => {
  test('installs all other packs as locked and then reports the invalid entry by name', async () => {
    repository.publish('acme@a', '1.0.0');
    await installPack('acme@a', options());
    await uninstallAndKeepLock('acme@a');
    world.write(`work/${lockName}`, `${lock()}${entry}`);
    const text = lock();
    await expect(installFrozen({ ...options(), workspace: world.workspace })).rejects.toMatchObject({
      code: 'pack.bad-lock',
      message: expect.stringMatching(/acme@b.*Installed as locked: acme@a\.$/),
    });
    expect(world.read('base/pack/installed/acme/a/pack.toml')).toContain('1.0.0');
    expect(lock()).toBe(text);
  });
});

test.each(odd.filter((_, index) => [0, 3, 5, 11].includes(index)))(
  'a lock with %s in an entry accepts other packs and keeps that entry until its pack is installed',
  async (_, entry) => {
    world.write(`work/${lockName}`, `version = 1\n${entry}`);
    const before = await readWholeLock(world.workspace);
    for (const name of ['acme@a', 'acme@c']) {
      repository.publish(name, '1.0.0');
      expect(await installPack(name, options())).not.toHaveProperty('lockProblem');
    }
    const after = await readWholeLock(world.workspace);
    expect([...(after?.packs.keys() ?? [])].filter((name) => name !== 'acme@b')).toEqual(['acme@a', 'acme@c']);
    expect(after?.odd.map(({ name, value }) => [name, value])).toEqual(
      before?.odd.map(({ name, value }) => [name, value]),
    );
    repository.publish('acme@b', '1.0.0');
    await installPack('acme@b', options());
    expect(await readWholeLock(world.workspace)).toMatchObject({ odd: [] });
    expect([...((await readPacksLock(world.workspace)) ?? []).keys()]).toEqual(['acme@a', 'acme@b', 'acme@c']);
  },
);

test('removing a pack removes its invalid entry', async () => {
  repository.publish('acme@b', '1.0.0');
  await installPack('acme@b', options());
  world.write(`work/${lockName}`, 'version = 1\n[packs."acme@b"]\nversion = 7\n');
  await uninstallPack('acme@b', options());
  expect(await readWholeLock(world.workspace)).toEqual({ packs: new Map(), odd: [] });
});

/** Simulates the machine of a user who has the repository but no packs. */
async function uninstallAndKeepLock(ref: string): Promise<void> {
  const text = lock();
  await uninstallPack(ref, options());
  world.write(`work/${lockName}`, text);
}
