import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../../base/engine-error.ts';
import { type EvilEntry, evilZip, manifestEntry } from '../../../testing/evil-zip.ts';
import { createPackWorld, type PackWorld } from '../../../testing/pack-world.ts';
import { parsePackManifest } from '../pack-manifest.ts';
import { type InstallReport, installPack, type PackInstallOptions } from './installer.ts';
import type { InstallProgress } from './pack-source.ts';

let world: PackWorld;

beforeEach(() => {
  world = createPackWorld();
});

afterEach(() => {
  expect(world.leftovers()).toEqual([]);
  world.remove();
});

const installed = 'base/pack/installed/acme/tools';

async function install(
  version: string,
  { more = [], ...options }: Partial<PackInstallOptions> & { readonly more?: readonly EvilEntry[] } = {},
): Promise<InstallReport> {
  world.write('work/a.aipack', evilZip([manifestEntry(version), ...more]));
  return await installPack('a.aipack', { ...world.options, ...options });
}

function installedVersion(): string {
  return parsePackManifest(world.read(`${installed}/pack.toml`) ?? '', 'pack.toml').version;
}

describe('installation from an archive file', () => {
  test('installs it and records when and from where', async () => {
    const steps: InstallProgress[] = [];
    const onProgress = (progress: InstallProgress): number => steps.push(progress);
    const report = await install('1.0.0', { more: [{ name: 'lua/a.lua', content: 'return 1' }], onProgress });
    expect(report).toMatchObject({ status: 'installed', namespace: 'acme', name: 'tools', version: '1.0.0' });
    expect(report.folder).toBe(world.at(installed));
    expect(report.sizeBytes).toBeGreaterThan(8);
    expect(report.archiveBytes).toBeGreaterThan(100);
    expect(world.read(`${installed}/lua/a.lua`)).toBe('return 1');
    const { installed: record } = parsePackManifest(world.read(`${installed}/pack.toml`) ?? '', 'pack.toml');
    expect(record?.source).toBe(world.at('work/a.aipack'));
    expect(Date.parse(record?.time ?? '')).toBe(world.clock.now());
    expect(steps.map(({ step }) => step)).toEqual(['checking', 'unpacking', 'placing']);
    expect(world.read('work/a.aipack')).toBeDefined();
  });

  test('AP-21 does nothing if the same version is installed', async () => {
    await install('1.0.0');
    world.write(`${installed}/mine.md`, 'kept');
    expect(await install('1.0.0')).toMatchObject({ status: 'up-to-date', version: '1.0.0', replacedVersion: '1.0.0' });
    expect(world.read(`${installed}/mine.md`)).toBe('kept');
    expect(world.trash()).toEqual([]);
  });

  test('replaces an older version, which goes to the trash', async () => {
    await install('1.0.0-alpha.9', { more: [{ name: 'old.md', content: 'old' }] });
    expect(await install('1.0.0-alpha.10')).toMatchObject({ status: 'installed', replacedVersion: '1.0.0-alpha.9' });
    expect(installedVersion()).toBe('1.0.0-alpha.10');
    expect(world.read(`${installed}/old.md`)).toBeUndefined();
    expect(world.read('data/Trash/files/tools/old.md')).toBe('old');
    expect(world.read('data/Trash/info/tools.trashinfo')).toContain('/base/pack/installed/acme/tools\n');
  });

  test('AP-21 rejects a lower version unless forced', async () => {
    await install('2.0.0');
    await expect(install('1.9.0')).rejects.toMatchObject({
      code: 'pack.older-version',
      message: 'Cannot install version 1.9.0 because installed version 2.0.0 is newer.\nUse --force to force install.',
    });
    expect(installedVersion()).toBe('2.0.0');
    expect(await install('1.9.0', { force: true })).toMatchObject({ status: 'installed' });
    expect(installedVersion()).toBe('1.9.0');
  });

  test('AP-21 rejects an invalid pre-release and an archive that leads out of its folder', async () => {
    await expect(install('1.0.0-alpha')).rejects.toMatchObject({ code: 'pack.bad-prerelease' });
    await expect(install('1.0.0', { more: [{ name: '../evil', content: 'x' }] })).rejects.toMatchObject({
      code: 'pack.unsafe-archive',
    });
    expect(world.read(`${installed}/pack.toml`)).toBeUndefined();
  });

  test('replaces a pack with an unreadable manifest', async () => {
    world.write(`${installed}/pack.toml`, 'broken');
    expect(await install('0.0.1')).toMatchObject({ status: 'installed' });
    expect(world.trash()).toEqual(['tools']);
  });

  test.each<[string, string, () => Buffer]>([
    ['a damaged file', 'pack.bad-archive', () => evilZip([manifestEntry('2.0.0'), { name: 'a', claims: { crc: 7 } }])],
    ['no manifest', 'pack.no-manifest', () => evilZip([{ name: 'tools/pack.toml', content: '' }])],
    ['a bad manifest', 'pack.bad-manifest', () => evilZip([{ name: 'pack.toml', content: '[pack]' }])],
    ['a name that leads out of the folder', 'pack.bad-manifest', () => evilZip([manifestEntry('2.0.0', '..@..')])],
    ['a truncated archive', 'pack.not-an-archive', () => evilZip([manifestEntry('2.0.0')]).subarray(0, -30)],
  ])('%s leaves the installed pack as it was', async (_what, code, zip) => {
    await install('1.0.0', { more: [{ name: 'kept.md', content: 'kept' }] });
    const before = world.read(`${installed}/pack.toml`);
    world.write('work/bad.aipack', zip());
    const bad = installPack('bad.aipack', { ...world.options, force: true });
    await expect(bad).rejects.toMatchObject({ code });
    expect(world.read(`${installed}/pack.toml`)).toBe(before);
    expect(world.read(`${installed}/kept.md`)).toBe('kept');
    expect(world.trash()).toEqual([]);
  });

  test('leaves the installed pack unchanged if the trash fails', async () => {
    await install('1.0.0');
    await expect(install('2.0.0', { platform: 'win32', env: { SystemRoot: '/nowhere' } })).rejects.toMatchObject({
      code: 'files.no-trash',
    });
    expect(installedVersion()).toBe('1.0.0');
  });

  test('reports a missing archive and a folder', async () => {
    await expect(installPack('no.aipack', world.options)).rejects.toMatchObject({ code: 'files.not-found' });
    mkdirSync(world.at('work/dir.aipack'));
    await expect(installPack('dir.aipack', world.options)).rejects.toMatchObject({ code: 'pack.not-an-archive' });
  });

  test('reports a disk that is not writable', async () => {
    world.write('base/pack/installed', 'a file where a folder must be');
    const error = toErrorRecord(await install('1.0.0').catch((thrown: unknown) => thrown));
    expect(error.code).toBe('pack.install-failed');
    expect(error.message).toMatch(/^Fail to install pack: a\.aipack\nCause: E/);
  });

  test('a canceled installation changes nothing', async () => {
    await install('1.0.0');
    const stop = new AbortController();
    const onProgress = ({ step }: InstallProgress): void => {
      if (step === 'unpacking') stop.abort(new Error('cancelled'));
    };
    await expect(install('2.0.0', { signal: stop.signal, onProgress })).rejects.toThrow('cancelled');
    expect(installedVersion()).toBe('1.0.0');
    expect(world.trash()).toEqual([]);
  });
});

test('two concurrent installations leave one complete pack', async () => {
  world.write('work/a.aipack', evilZip([manifestEntry('1.0.0'), { name: 'one.md', content: '1' }]));
  world.write('work/b.aipack', evilZip([manifestEntry('1.0.0'), { name: 'two.md', content: '2' }]));
  const both = ['a.aipack', 'b.aipack', 'a.aipack', 'b.aipack'];
  const ends = await Promise.allSettled(both.map((name) => installPack(name, { ...world.options, force: true })));
  expect(ends.some(({ status }) => status === 'fulfilled')).toBe(true);
  const files = readdirSync(world.at(installed)).filter((name) => name !== 'pack.toml');
  expect(files.length).toBe(1);
  expect(installedVersion()).toBe('1.0.0');
});

test('a link in place of a pack goes to the trash, and its target is kept', async () => {
  world.write('elsewhere/mine.md', 'mine');
  chmodSync(world.at('elsewhere'), 0o755);
  mkdirSync(world.at('base/pack/installed/acme'), { recursive: true });
  symlinkSync(world.at('elsewhere'), world.at(installed));
  await install('1.0.0');
  expect(world.read('elsewhere/mine.md')).toBe('mine');
  expect(installedVersion()).toBe('1.0.0');
});

test('removes only leftovers of a killed installation, after a day', async () => {
  const place = 'base/pack/.download';
  const seconds = world.clock.now() / 1000;
  const ages = {
    '11111111-1111-4111-8111-111111111111': 25,
    '22222222-2222-4222-8222-222222222222': 1,
    'replaced-x': 99,
  };
  for (const [name, hours] of Object.entries(ages)) {
    world.write(`${place}/${name}/a`, 'x');
    utimesSync(world.at(`${place}/${name}`), seconds, seconds - hours * 3600);
  }
  await install('1.0.0');
  expect(world.leftovers()).toEqual(['22222222-2222-4222-8222-222222222222', 'replaced-x']);
  rmSync(world.at(place), { recursive: true });
});
