import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evilZip, manifestEntry } from '../../../testing/evil-zip.ts';
import { startPackRepository, type TestRepository } from '../../../testing/pack-repository.ts';
import { createPackWorld, type PackWorld } from '../../../testing/pack-world.ts';
import { type InstallReport, installPack } from './installer.ts';
import { uninstallPack } from './uninstall.ts';
import { type UnpackOptions, type UnpackReport, unpackPack } from './unpack.ts';
import { findUpdates, type UpdateReport, updatePacks } from './update.ts';

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

const shelf = 'base/pack/installed';
const copy = 'work/.aipack/pack/custom/acme/tools';

const install = (what: string): Promise<InstallReport> =>
  installPack(what, { ...world.options, repository: repository.url });

function installFile(identity: string, version: string): Promise<InstallReport> {
  world.write('work/a.aipack', evilZip([manifestEntry(version, identity)]));
  return install('a.aipack');
}

describe('uninstalling', () => {
  test('moves an installed pack to the trash and keeps its data and other packs', async () => {
    await installFile('acme@tools', '1.0.0');
    await installFile('acme@other', '1.0.0');
    world.write('base/support/pack/acme/tools/data.json', '{}');
    expect(await uninstallPack('acme@tools', world.options)).toEqual({
      ref: 'acme@tools',
      folder: world.at(`${shelf}/acme/tools`),
    });
    expect(world.trash()).toEqual(['tools']);
    expect(world.read('base/support/pack/acme/tools/data.json')).toBe('{}');
    expect(world.read(`${shelf}/acme/other/pack.toml`)).toBeDefined();
  });

  test('reports which pack of the same name is found from now on', async () => {
    await installFile('acme@tools', '1.0.0');
    world.writePack(copy, 'acme@tools');
    const { stillThere } = await uninstallPack('acme@tools', world.options);
    expect(stillThere).toMatchObject({ origin: 'workspace-custom', folder: world.at(copy) });
  });

  test('refuses packs in other locations and explains what to do', async () => {
    world.writePack(copy, 'acme@tools');
    await expect(uninstallPack('acme@tools', world.options)).rejects.toMatchObject({
      code: 'pack.not-installed',
      message: expect.stringContaining(world.at(copy)),
    });
    expect(world.read(`${copy}/pack.toml`)).toBeDefined();
    await expect(uninstallPack('acme@none', world.options)).rejects.toMatchObject({ code: 'pack.not-found' });
    await expect(uninstallPack('../..', world.options)).rejects.toMatchObject({ code: 'pack.bad-ref' });
  });
});

describe('unpacking', () => {
  const unpack = (options: Partial<UnpackOptions> = {}): Promise<UnpackReport> =>
    unpackPack('acme@tools', { ...world.options, repository: repository.url, ...options });

  test('copies the installed pack into the workspace without its installation record', async () => {
    await installFile('acme@tools', '1.0.0');
    expect(await unpack()).toEqual({
      ref: 'acme@tools',
      version: '1.0.0',
      folder: world.at(copy),
      from: 'installed',
    });
    expect(world.read(`${copy}/pack.toml`)).toContain('1.0.0');
    expect(world.read(`${copy}/pack.toml`)).not.toContain('[installed]');
    expect(repository.asked).toEqual([]);
    expect(readdirSync(world.at('work/.aipack/pack'))).toEqual(['custom']);
  });

  test.each(['.aipack', '.aipack/pack', '.aipack/pack/custom', '.aipack/pack/custom/acme', '.aipack/pack/.download'])(
    'does not follow a link out of the workspace: %s',
    async (name) => {
      await installFile('acme@tools', '1.0.0');
      mkdirSync(world.at('elsewhere'), { recursive: true });
      mkdirSync(dirname(world.at(`work/${name}`)), { recursive: true });
      symlinkSync(world.at('elsewhere'), world.at(`work/${name}`));
      await expect(unpack()).rejects.toMatchObject({ code: 'files.outside' });
      await expect(unpack({ force: true })).rejects.toMatchObject({ code: 'files.outside' });
      expect(readdirSync(world.at('elsewhere'))).toEqual([]);
    },
  );

  test('takes a newer version from the repository of the pack', async () => {
    repository.publish('acme@tools', '1.0.0');
    await install('acme@tools');
    expect(await unpack()).toMatchObject({ version: '1.0.0', from: 'installed' });
    repository.publish('acme@tools', '1.1.0');
    expect(await unpack({ force: true })).toMatchObject({ version: '1.1.0', from: 'repository' });
    expect(world.read(`${shelf}/acme/tools/pack.toml`)).toContain('1.0.0');
    expect(world.trash()).toEqual(['tools']);
  });

  test('works without the repository if it cannot be reached', async () => {
    repository.publish('acme@tools', '1.0.0');
    await install('acme@tools');
    repository.answer('/pack/acme/tools/stable/latest.toml', '<html>');
    expect(await unpack()).toMatchObject({ version: '1.0.0', from: 'installed' });
  });

  test('fetches a pack that is not installed', async () => {
    repository.publish('acme@tools', '2.0.0');
    expect(await unpack()).toMatchObject({ version: '2.0.0', from: 'repository' });
    await expect(unpackPack('acme@none', { ...world.options, repository: repository.url })).rejects.toMatchObject({
      code: 'pack.not-found',
    });
  });

  test('does not overwrite a copy unless forced; the old one then goes to the trash', async () => {
    await installFile('acme@tools', '1.0.0');
    await unpack();
    world.write(`${copy}/mine.md`, 'mine');
    await expect(unpack()).rejects.toMatchObject({ code: 'pack.exists' });
    expect(world.read(`${copy}/mine.md`)).toBe('mine');
    await unpack({ force: true });
    expect(world.read(`${copy}/mine.md`)).toBeUndefined();
    expect(world.read('data/Trash/files/tools/mine.md')).toBe('mine');
  });
});

describe('updating', () => {
  const update = (ref?: string): Promise<readonly UpdateReport[]> =>
    updatePacks(ref, { ...world.options, repository: repository.url });

  test('updates each pack from its source and reports each result', async () => {
    for (const identity of ['acme@a', 'acme@b', 'acme@gone']) {
      repository.publish(identity, '1.0.0');
      await install(identity);
    }
    repository.answer('/link.aipack', evilZip([manifestEntry('1.0.0', 'acme@link')]));
    await install(`${repository.url}/link.aipack`);
    world.writePack(`${shelf}/core/ask`, 'core@ask');
    repository.publish('acme@a', '1.1.0');
    repository.answer('/link.aipack', evilZip([manifestEntry('1.2.0', 'acme@link')]));
    repository.answer('/pack/acme/gone/stable/latest.toml', (response) => response.writeHead(500).end());
    const found = await findUpdates({ ...world.options, repository: repository.url });
    expect(found).toEqual([{ ref: 'acme@a', from: '1.0.0', to: '1.1.0' }]);
    expect(await update()).toEqual([
      { ref: 'acme@a', status: 'updated', from: '1.0.0', to: '1.1.0' },
      { ref: 'acme@b', status: 'up-to-date', from: '1.0.0' },
      {
        ref: 'acme@gone',
        status: 'failed',
        from: '1.0.0',
        error: expect.objectContaining({ code: 'pack.download-failed' }),
      },
      { ref: 'acme@link', status: 'updated', from: '1.0.0', to: '1.2.0' },
      { ref: 'core@ask', status: 'no-source', from: '1.0.0' },
    ]);
    expect(world.read(`${shelf}/acme/gone/pack.toml`)).toContain('1.0.0');
  });

  test('an update of one pack leaves the others alone and downloads nothing unless it is newer', async () => {
    for (const identity of ['acme@a', 'acme@b']) {
      repository.publish(identity, '1.0.0');
      await install(identity);
      repository.publish(identity, '1.1.0');
    }
    expect(await update('acme@b')).toEqual([{ ref: 'acme@b', status: 'updated', from: '1.0.0', to: '1.1.0' }]);
    const before = repository.asked.length;
    expect(await update('acme@b')).toEqual([{ ref: 'acme@b', status: 'up-to-date', from: '1.1.0' }]);
    expect(repository.asked.slice(before)).toEqual(['/pack/acme/b/stable/latest.toml']);
    await expect(update('acme@none')).rejects.toMatchObject({ code: 'pack.not-found' });
  });

  test('does not downgrade, and rejects another pack from the same source', async () => {
    await installFile('acme@tools', '2.0.0');
    world.write('work/a.aipack', evilZip([manifestEntry('1.0.0')]));
    expect(await update()).toEqual([{ ref: 'acme@tools', status: 'up-to-date', from: '2.0.0' }]);
    world.write('work/a.aipack', evilZip([manifestEntry('3.0.0', 'evil@other')]));
    expect(await update()).toMatchObject([{ status: 'failed', error: { code: 'pack.other-pack' } }]);
    expect(world.read(`${shelf}/evil/other/pack.toml`)).toBeUndefined();
  });
});
