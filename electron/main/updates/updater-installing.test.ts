import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { installerOf } from './install-package.ts';
import { StoredUpdatePackages } from './kept-packages.ts';
import {
  asked,
  folder,
  keptFile,
  machineWith,
  makeUpdater,
  newer,
  openFeedForEachTest,
  publish,
  publishOwn,
  stepOf,
} from './test-updater.ts';
import { findUpdateRollback } from './way-back.ts';

openFeedForEachTest();

// Uses a shell script in place of the system's program.
describe.skipIf(process.platform === 'win32')('installing', () => {
  async function ready(exitCode?: number, words?: string) {
    publish();
    publishOwn();
    const all = makeUpdater({ install: installerOf('deb', machineWith(exitCode, words)) });
    await all.updater.check();
    await all.updater.download();
    await all.updater.install();
    return { ...all, step: await stepOf(all.updater) };
  }

  test('requests the installation from the system and restarts', async () => {
    const { step, restarts, updater } = await ready(0);
    expect(step).toMatchObject({ name: 'installed' });
    expect(restarts).toEqual([{ program: null }]);
    // The user preferred to keep the active runs, and restarts later.
    await updater.install();
    expect(restarts).toEqual([{ program: null }, { program: null }]);
    expect(asked()).toEqual([
      ...['--disable-internal-agent', '/usr/bin/apt-get', 'install', '--yes', '-o', 'DPkg::Lock::Timeout=60'],
      keptFile('1.2.0'),
    ]);
  });

  test('without pkexec, returns the command', async () => {
    const { step, restarts } = await ready();
    expect(step).toMatchObject({
      ...{ name: 'by-hand', why: 'This system has no pkexec, which asks for the password.' },
      command: `sudo apt install ${keptFile('1.2.0')}`,
    });
    expect(restarts).toEqual([]);
  });

  test('also returns the command where no password dialog can be shown', async () => {
    expect((await ready(127)).step).toMatchObject({ name: 'by-hand' });
  });

  test('stays ready if the user closes the password dialog', async () => {
    const { step, restarts } = await ready(126);
    expect([step.name, restarts]).toEqual(['ready', []]);
  });

  test("reports the system's error if it fails", async () => {
    const { step, restarts } = await ready(100, 'E: Unmet dependencies.');
    expect(step).toMatchObject({
      name: 'failed',
      message: expect.stringContaining('E: Unmet dependencies. By hand: sudo apt'),
    });
    expect(restarts).toEqual([]);
  });

  test('does not install a package that was modified after verification', async () => {
    publish();
    const { updater, restarts } = makeUpdater({ install: installerOf('deb', machineWith(0)) });
    await updater.check();
    await updater.download();
    writeFileSync(keptFile('1.2.0'), Buffer.alloc(newer.byteLength, 'x'));
    await updater.install();
    expect(await stepOf(updater)).toMatchObject({ name: 'failed', message: expect.stringContaining('damaged') });
    expect([restarts, existsSync(path.join(folder, 'bin', 'asked'))]).toEqual([[], false]);
  });

  test('the new version can go back to the previous one, and does not offer the newer one again', async () => {
    await ready(0);
    const kept = new StoredUpdatePackages(path.join(folder, 'updates'));
    const source = { kind: 'deb' as const, feed: '', keys: [] };
    const wayBack = findUpdateRollback({ kept, source, version: '1.2.0', install: installerOf('deb', machineWith(0)) });
    expect(wayBack?.version).toBe('1.1.0');
    expect(await wayBack?.go()).toEqual({ is: 'done', restart: { program: null } });
    expect(asked().slice(2)).toEqual([
      'install',
      '--yes',
      '--allow-downgrades',
      '-o',
      'DPkg::Lock::Timeout=60',
      keptFile('1.1.0'),
    ]);
    const { updater } = makeUpdater();
    await updater.check();
    expect(await stepOf(updater)).toMatchObject({ release: { version: '1.2.0', hasFailed: true } });
    // The older version has no package to go back to, and neither has another package type.
    expect(
      findUpdateRollback({ kept, source, version: '1.1.0', install: installerOf('deb', machineWith(0)) }),
    ).toBeUndefined();
    expect(
      findUpdateRollback({
        kept,
        source: { ...source, kind: 'nsis' },
        version: '1.2.0',
        install: async () => ({ is: 'refused' }),
      }),
    ).toBeUndefined();
  });
});
