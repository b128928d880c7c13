import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evilZip, manifestEntry } from '../../../testing/evil-zip.ts';
import { type GitServer, startGitServer } from '../../../testing/git-repository.ts';
import { startPackRepository, type TestRepository } from '../../../testing/pack-repository.ts';
import { createPackWorld, type PackWorld } from '../../../testing/pack-world.ts';
import { createTestFolder } from '../../../world/files/testing/test-folder.ts';
import { lockName } from '../packs-lock.ts';
import { installFrozen } from './frozen-install.ts';
import { installPack, type PackInstallOptions } from './installer.ts';
import { updatePacks } from './update.ts';

let world: PackWorld;
let repository: TestRepository;

beforeEach(async () => {
  world = createPackWorld();
  repository = await startPackRepository();
});

afterEach(async () => {
  await repository.close();
  expect(world.leftovers()).toEqual([]);
  world.remove();
});

const options = (): PackInstallOptions & { readonly workspace: string } => ({
  ...world.options,
  repository: repository.url,
  lock: { workspace: world.workspace },
});

const install = (uri: string, more: Partial<PackInstallOptions> = {}) => installPack(uri, { ...options(), ...more });
const frozen = () => installFrozen(options());
const lock = (): string => world.read(`work/${lockName}`) ?? '';
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

describe('install --frozen', () => {
  test('installs the locked version although a newer one exists, and then has nothing to do', async () => {
    repository.publish('acme@tools', '1.0.0');
    const { sha256 } = await install('acme@tools');
    const text = lock();
    repository.publish('acme@tools', '2.0.0');
    await updatePacks(undefined, { ...options(), lock: undefined } as never);
    const all = [{ ref: 'acme@tools', version: '1.0.0', sha256 }];
    expect(await frozen()).toMatchObject(all.map((one) => ({ ...one, status: 'installed' })));
    expect(world.read('base/pack/installed/acme/tools/pack.toml')).toContain('version = "1.0.0"');
    const asked = repository.asked.length;
    expect(await frozen()).toMatchObject(all.map((one) => ({ ...one, status: 'up-to-date' })));
    expect({ asked: repository.asked.length, lock: lock() }).toEqual({ asked, lock: text });
  });

  test('rejects a pack that changed at its source, and keeps the installed one', async () => {
    repository.publish('acme@tools', '1.0.0');
    await install('acme@tools');
    const evil = evilZip([manifestEntry('1.0.0'), { name: 'evil.lua', content: 'x' }]);
    repository.publish('acme@tools', '1.0.0', evil);
    expect(await frozen()).toMatchObject([{ status: 'up-to-date' }]);
    rmSync(world.at('base/pack/installed'), { recursive: true });
    await expect(frozen()).rejects.toMatchObject({ code: 'pack.changed', message: expect.stringContaining('1.0.0') });
    expect(world.read('base/pack/installed/acme/tools/pack.toml')).toBeUndefined();
  });

  test('restores an installed pack that was changed', async () => {
    repository.publish('acme@tools', '1.0.0');
    await install('acme@tools');
    writeFileSync(world.at('base/pack/installed/acme/tools/mine.md'), 'mine');
    expect(await frozen()).toMatchObject([{ status: 'installed' }]);
    expect(world.read('base/pack/installed/acme/tools/mine.md')).toBeUndefined();
    expect(world.read('data/Trash/files/tools/mine.md')).toBe('mine');
  });

  test('installs an archive of the workspace, and explains what to do about one from elsewhere', async () => {
    world.write('work/a.aipack', evilZip([manifestEntry('1.0.0')]));
    await install('a.aipack');
    rmSync(world.at('base/pack/installed'), { recursive: true });
    expect(await frozen()).toMatchObject([{ status: 'installed' }]);
    world.write('far/b.aipack', evilZip([manifestEntry('1.0.0', 'acme@b')]));
    await install(world.at('far/b.aipack'));
    expect(await codeOf(frozen())).toBe('done');
    rmSync(world.at('base/pack/installed/acme/b'), { recursive: true });
    expect(await codeOf(frozen())).toBe('pack.lock-unreachable');
  });

  test('does not follow a link in the workspace to an archive outside', async () => {
    world.write('work/a.aipack', evilZip([manifestEntry('1.0.0')]));
    world.write('far/a.aipack', evilZip([manifestEntry('1.0.0')]));
    await install('a.aipack');
    rmSync(world.at('base/pack/installed'), { recursive: true });
    rmSync(world.at('work/a.aipack'));
    symlinkSync(world.at('far/a.aipack'), world.at('work/a.aipack'));
    expect(await codeOf(frozen())).toBe('pack.bad-lock');
  });

  test('requires a lock', async () => {
    expect(await codeOf(frozen())).toBe('pack.no-lock');
  });

  test('rejects a lock that lacks packs which settings and flows need, and lists all of them', async () => {
    repository.publish('acme@tools', '1.0.0');
    await install('acme@tools');
    world.write('work/.aipack/config.toml', '[packs]\n"acme@tools" = "^1.0.0"\n');
    const flow = (agent: string) =>
      `flow: { name: F }\nnodes: [{ id: go, type: agent, input: { agent: ${agent} } }]\nedges: []\n`;
    world.write('work/flows/a.flow.yaml', flow('acme@tools/chat'));
    expect(await codeOf(frozen())).toBe('done');
    world.write('work/flows/b.flow.yaml', flow('acme@gone/x'));
    world.write('work/.aipack/config.toml', '[packs]\n"acme@tools" = "^2.0.0"\n"acme@far" = "*"\n');
    await expect(frozen()).rejects.toMatchObject({
      code: 'pack.lock-misfit',
      message: expect.stringMatching(
        /1\.0\.0 in the lock.*\^2\.0\.0[\s\S]*acme@far[\s\S]*acme@gone is required by flows\/b/,
      ),
    });
    world.write('work/.aipack/config.toml', '[packs]\n"acme@tools" = 1\n');
    expect(await codeOf(frozen())).toBe('pack.bad-declaration');
    rmSync(world.at('work/.aipack/config.toml'));
    world.writePack('work/.aipack/pack/custom/acme/gone', 'acme@gone');
    expect(await codeOf(frozen())).toBe('done');
  });
});

describe('install --frozen from git', () => {
  let server: GitServer;
  const origin = createTestFolder();

  test('installs the locked commit although a newer one exists', async () => {
    origin.git('init', '--quiet');
    const commit = (version: string): void => {
      origin.write('pack.toml', `[pack]\nnamespace = "acme"\nname = "tools"\nversion = "${version}"\n`);
      origin.git('add', '--all');
      origin.git('commit', '--quiet', '--message', version);
    };
    commit('1.0.0');
    server = await startGitServer(origin.path);
    await install(`${server.url}/a.git`);
    commit('1.1.0');
    rmSync(world.at('base/pack/installed'), { recursive: true });
    expect(await frozen()).toMatchObject([{ status: 'installed', version: '1.0.0' }]);
    await server.close();
    origin.remove();
  });
});
