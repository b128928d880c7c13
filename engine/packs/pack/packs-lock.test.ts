import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evilZip, manifestEntry } from '../../testing/evil-zip.ts';
import { startPackRepository, type TestRepository } from '../../testing/pack-repository.ts';
import { createPackWorld, type PackWorld } from '../../testing/pack-world.ts';
import { installFrozen } from './install/frozen-install.ts';
import { installPack, type PackInstallOptions } from './install/installer.ts';
import { uninstallPack } from './install/uninstall.ts';
import { updatePacks } from './install/update.ts';
import { hashContent } from './pack-contents.ts';
import { lockName, readPacksLock } from './packs-lock.ts';

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

/** Returns the lock entry of a pack. */
async function entry(ref = 'acme@tools') {
  return (await readPacksLock(world.workspace))?.get(ref);
}

describe('the lock of a workspace', () => {
  test('the lock records what was installed, from where, and its content, and is stable on repetition', async () => {
    repository.publish('acme@tools', '1.0.0');
    const report = await install('acme@tools');
    expect(await entry()).toEqual({
      ref: 'acme@tools',
      version: '1.0.0',
      source: repository.url,
      url: `${repository.url}/pack/acme/tools/stable/1.0.0/acme%40tools-v1.0.0.aipack`,
      sha256: report.sha256,
    });
    const text = lock();
    expect(await install('acme@tools')).toMatchObject({ status: 'up-to-date', sha256: report.sha256 });
    expect(lock()).toBe(text);
  });

  test('the lock sorts packs by name, and records an archive by its path in the workspace or by its name alone', async () => {
    world.write('work/packs/b.aipack', evilZip([manifestEntry('1.0.0', 'acme@b')]));
    world.write('far/a.aipack', evilZip([manifestEntry('1.0.0', 'acme@a')]));
    await install('packs/b.aipack');
    await install(world.at('far/a.aipack'));
    expect([...((await readPacksLock(world.workspace)) ?? [])].map(([ref, { source }]) => [ref, source])).toEqual([
      ['acme@a', 'elsewhere:a.aipack'],
      ['acme@b', 'file:packs/b.aipack'],
    ]);
    expect(lock()).not.toContain(world.at(''));
  });

  test('the hash is the same for the archive and the installed folder, and differs for other content', async () => {
    world.write('work/a.aipack', evilZip([manifestEntry('1.0.0'), { name: 'a.md', content: 'one' }]));
    const { sha256, folder } = await install('a.aipack');
    expect(await hashContent(folder)).toBe(sha256);
    world.write('base/pack/installed/acme/tools/a.md', 'two');
    expect(await hashContent(folder)).not.toBe(sha256);
  });

  test('concurrent installations lose nothing', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `acme@p${index}`);
    for (const name of names) repository.publish(name, '1.0.0');
    await Promise.all(names.map((name) => install(name)));
    expect([...((await readPacksLock(world.workspace)) ?? []).keys()]).toEqual(names);
  });

  test('the lock is updated when a pack it contains is updated, and loses a pack that is removed', async () => {
    repository.publish('acme@tools', '1.0.0');
    repository.publish('acme@other', '1.0.0');
    await install('acme@tools');
    await installPack('acme@other', { ...world.options, repository: repository.url });
    repository.publish('acme@tools', '1.1.0');
    repository.publish('acme@other', '1.1.0');
    await updatePacks(undefined, options());
    expect(await entry()).toMatchObject({ version: '1.1.0' });
    expect(await entry('acme@other')).toBeUndefined();
    await uninstallPack('acme@tools', options());
    expect(await readPacksLock(world.workspace)).toEqual(new Map());
  });

  test.skipIf(process.getuid?.() === 0)('an unwritable lock does not undo the installation', async () => {
    repository.publish('acme@tools', '1.0.0');
    chmodSync(world.workspace, 0o555);
    const report = await install('acme@tools');
    chmodSync(world.workspace, 0o755);
    expect(report).toMatchObject({ status: 'installed', lockProblem: expect.any(String) });
  });
});

describe('an untrusted lock', () => {
  const head = 'version = 1\n';
  const good = `[packs."acme@tools"]\nversion = "1.0.0"\nsource = "aipack.ai"\nurl = "https://example.org/a.aipack"\nsha256 = "${'0'.repeat(64)}"\n`;

  test.each([
    ['invalid TOML', 'version = 1\n[packs', 'pack.bad-lock'],
    ['conflict markers', `${head}<<<<<<< HEAD\n${good}=======\n>>>>>>> x\n`, 'pack.bad-lock'],
    ['a duplicate pack', `${head}${good}${good}`, 'pack.bad-lock'],
    ['a duplicate key', `${head}${good}version = "2.0.0"\n`, 'pack.bad-lock'],
    ['no version', good, 'pack.bad-lock'],
    ['a newer format', `version = 2\n${good}`, 'pack.newer-lock'],
    ['an unknown key', `${head}other = 1\n${good}`, 'pack.bad-lock'],
    ['an unknown key in a pack', `${head}${good}run = "x"\n`, 'pack.bad-lock'],
    ['a name that leads out of the folder', `${head}${good.replace('acme@tools', '../x@y')}`, 'pack.bad-lock'],
    ['a name with a path', `${head}${good.replace('acme@tools', 'acme@tools/x')}`, 'pack.bad-lock'],
    ['the name of an Object property', `${head}${good.replace('acme@tools', '__proto__')}`, 'pack.bad-lock'],
    ['an invalid version', `${head}${good.replace('1.0.0', 'newest')}`, 'pack.bad-lock'],
    ['a short hash', `${head}${good.replace('0'.repeat(64), 'abc')}`, 'pack.bad-lock'],
    ['a list of packs', `${head}packs = []\n`, 'pack.bad-lock'],
    ['text instead of a pack', `${head}[packs]\n"acme@tools" = "1.0.0"\n`, 'pack.bad-lock'],
    ['a multi-line source', `${head}${good.replace('aipack.ai', 'a\\nb')}`, 'pack.bad-lock'],
    [
      'a file outside the workspace',
      `${head}${good.replace('aipack.ai', 'file:../a.aipack').replace(/url.*\n/, '')}`,
      'pack.bad-lock',
    ],
    [
      'an absolute path',
      `${head}${good.replace('aipack.ai', 'file:/etc/passwd').replace(/url.*\n/, '')}`,
      'pack.bad-lock',
    ],
    [
      'a path with a drive',
      `${head}${good.replace('aipack.ai', 'file:c:\\\\\\\\a').replace(/url.*\n/, '')}`,
      'pack.bad-lock',
    ],
    ['a plain path', `${head}${good.replace('aipack.ai', '/etc/a.aipack').replace(/url.*\n/, '')}`, 'pack.bad-lock'],
    [
      'an option for git',
      `${head}${good.replace('aipack.ai', 'git://-oProxyCommand/x').replace(/url.*\n/, '')}`,
      'pack.bad-lock',
    ],
    [
      'a git repository without a commit',
      `${head}${good.replace('aipack.ai', 'git://h/x').replace(/url.*\n/, '')}`,
      'pack.bad-lock',
    ],
    [
      'a URL of a file',
      `${head}${good.replace('https://example.org/a.aipack', 'file:///etc/passwd')}`,
      'pack.bad-lock',
    ],
    ['megabytes', `${head}# ${'x'.repeat(1_100_000)}\n`, 'pack.bad-lock'],
    [
      'too many packs',
      `${head}${Array.from({ length: 1001 }, (_, index) => `[packs."a@p${index}"]\n`).join('')}`,
      'pack.bad-lock',
    ],
    ['bytes that are not text', '\0\0', 'pack.bad-lock'],
  ])('rejects a lock with %s, reports the position and leaves it unchanged', async (_, text, code) => {
    world.write(`work/${lockName}`, text);
    const refused = frozen();
    await expect(refused).rejects.toMatchObject({ code, message: expect.stringContaining(lockName) });
    expect(lock()).toBe(text);
    expect(repository.asked).toEqual([]);
  });

  test('reports an invalid lock before anything is installed', async () => {
    repository.publish('acme@tools', '1.0.0');
    world.write(`work/${lockName}`, 'version = 1\nversion = 1\n');
    await expect(install('acme@tools')).rejects.toMatchObject({ code: 'pack.bad-lock', line: 2 });
    expect(world.read('base/pack/installed/acme/tools/pack.toml')).toBeUndefined();
  });

  test('neither follows nor writes a lock that is a link or a folder', async () => {
    repository.publish('acme@tools', '1.0.0');
    world.write('mine.txt', head);
    symlinkSync(world.at('mine.txt'), join(world.workspace, lockName));
    expect(await codeOf(install('acme@tools'))).toBe('pack.bad-lock');
    expect(world.read('mine.txt')).toBe(head);
    rmSync(join(world.workspace, lockName));
    mkdirSync(join(world.workspace, lockName));
    expect(await codeOf(frozen())).toBe('pack.bad-lock');
  });
});
