/** Checks the statements in the description of AIPack's executor: setup, packer and installer. */
import { cpSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evilZip, manifestEntry } from '../../testing/evil-zip.ts';
import { startPackRepository, type TestRepository } from '../../testing/pack-repository.ts';
import { createPackWorld, type PackWorld } from '../../testing/pack-world.ts';
import { initBase, initWorkspace } from './base-folder.ts';
import { installPack } from './install/installer.ts';
import { packFolder } from './install/packer.ts';
import { hashPack } from './pack-contents.ts';
import { readPackManifest } from './pack-manifest.ts';

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

const installed = 'base/pack/installed/acme/tools';
const install = (uri: string, force = false) =>
  installPack(uri, { ...world.options, repository: repository.url, force });

describe('setup', () => {
  test('seed 001: creates the base folder, keeps its default settings up to date, and unpacks built-in packs', async () => {
    world.writePack('resources/core/ask', 'core@ask', { 'main.aip': 'ask' });
    const resources = world.at('resources');
    const init = (version: string, concurrency: number, force = false) =>
      initBase({
        baseFolder: world.baseFolder,
        version,
        defaults: { input_concurrency: concurrency },
        resources,
        force,
      });
    await init('1.0.0', 2);
    expect(world.read('base/pack/installed/core/ask/main.aip')).toBe('ask');
    expect(world.read('base/millrace/config-default.toml')).toContain('= 2');
    expect((await init('1.0.0', 3)).isChecked).toBe(false);
    expect((await init('1.0.0', 3, true)).isChecked).toBe(true);
    expect(world.read('base/millrace/config-default.toml')).toContain('= 3');
  });

  test('seed 001: a workspace gets .aipack/ with a config.toml', async () => {
    expect(await initWorkspace(world.workspace)).toEqual(['.aipack/config.toml']);
    expect(world.read('work/.aipack/config.toml')).toBeDefined();
  });
});

describe('the packer', () => {
  test('seed 001: zips a folder into an .aipack file after checking pack.toml', async () => {
    world.writePack('src', 'acme@tools', { 'main.aip': '# Output\n' });
    const { file } = await packFolder(world.at('src'), world.workspace);
    expect(file).toBe(world.at('work/acme@tools-v1.0.0.aipack'));
    expect(await install(file)).toMatchObject({ namespace: 'acme', name: 'tools', version: '1.0.0' });
    expect(world.read(`${installed}/main.aip`)).toBe('# Output\n');
  });

  test.each([
    ['version = "1"', 'a version'],
    ['version = "1.0.0"\nnamespace = "a b"', 'a namespace'],
    ['version = "1.0.0"\nname = "../x"', 'a name'],
  ])('seed 001: pack.toml is strict: with %s nothing is packed', async (line) => {
    const given = new Set(line.split('\n').map((one) => one.split(' ')[0]));
    const others = ['namespace = "acme"', 'name = "tools"'].filter((one) => !given.has(one.split(' ')[0]));
    world.write('src/pack.toml', `[pack]\n${[...others, line].join('\n')}\n`);
    await expect(packFolder(world.at('src'), world.workspace)).rejects.toMatchObject({
      code: expect.stringMatching(/^pack\.bad-/),
    });
  });
});

describe('the installer', () => {
  test('seed 001: finds packs in a repository, on the web and on disk, and unpacks them to pack/installed', async () => {
    repository.publish('acme@tools', '1.0.0');
    repository.answer('/t.aipack', evilZip([manifestEntry('1.1.0')]));
    world.write('work/t.aipack', evilZip([manifestEntry('1.2.0')]));
    const versions: string[] = [];
    for (const uri of ['acme@tools', `${repository.url}/t.aipack`, 't.aipack']) {
      const { folder, version } = await install(uri);
      expect(folder).toBe(world.at(installed));
      expect((await readPackManifest(folder)).version).toBe(version);
      versions.push(version);
    }
    expect(versions).toEqual(['1.0.0', '1.1.0', '1.2.0']);
  });

  test.each<[string, string, () => Buffer]>([
    ['a lower version', 'pack.older-version', () => evilZip([manifestEntry('1.9.0')])],
    ['a pre-release without a number', 'pack.bad-prerelease', () => evilZip([manifestEntry('3.0.0-beta')])],
    ['../', 'pack.unsafe-archive', () => evilZip([manifestEntry('3.0.0'), { name: '../x' }])],
    ['an absolute path', 'pack.unsafe-archive', () => evilZip([manifestEntry('3.0.0'), { name: '/x' }])],
    ['a link', 'pack.unsafe-archive', () => evilZip([manifestEntry('3.0.0'), { name: 'l', mode: 0o120777 }])],
    ['a device', 'pack.unsafe-archive', () => evilZip([manifestEntry('3.0.0'), { name: 'd', mode: 0o020666 }])],
    [
      'names that differ by case',
      'pack.unsafe-archive',
      () => evilZip([manifestEntry('3.0.0'), { name: 'a' }, { name: 'A' }]),
    ],
    [
      'an archive bomb',
      'pack.too-large',
      () => evilZip([manifestEntry('3.0.0'), { name: 'b', content: Buffer.alloc(40_000_000) }]),
    ],
    ['a truncated archive', 'pack.not-an-archive', () => evilZip([manifestEntry('3.0.0')]).subarray(0, 90)],
  ])('seed 001: refuses %s, and leaves the base folder as it was to the byte', async (_what, code, zip) => {
    world.write('work/t.aipack', evilZip([manifestEntry('2.0.0'), { name: 'main.aip', content: '# Output\n' }]));
    await install('t.aipack');
    cpSync(world.baseFolder, world.at('before'), { recursive: true });
    world.write('work/t.aipack', zip());
    await expect(install('t.aipack')).rejects.toMatchObject({ code });
    repository.answer('/t.aipack', zip());
    await expect(install(`${repository.url}/t.aipack`)).rejects.toMatchObject({ code });
    expect(await hashPack(world.baseFolder)).toBe(await hashPack(world.at('before')));
    expect(world.trash()).toEqual([]);
  });
});
