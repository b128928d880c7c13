import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InstallTarget, installerOf } from './install-package.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-install-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const handed: string[] = [];
function machineOf(platform: NodeJS.Platform, env: InstallTarget['env'] = {}): InstallTarget {
  const installOnMac = async (file: string): Promise<void> => void handed.push(file);
  return { platform, env, programFolder: folder, installOnMac };
}

test('the user installs package types without an installer, and those of other systems', () => {
  for (const kind of ['tar.gz', 'rpm', 'zip'] as const) {
    for (const system of ['linux', 'darwin', 'win32'] as const)
      expect(installerOf(kind, machineOf(system))).toBeUndefined();
  }
  expect(installerOf('nsis', machineOf('linux'))).toBeUndefined();
  expect(installerOf('deb', machineOf('darwin'))).toBeUndefined();
  // The environment that an AppImage sets contains the path of its file.
  expect(installerOf('AppImage', machineOf('linux'))).toBeUndefined();
  expect(installerOf('nsis', machineOf('win32'))).toBeDefined();
});

test('an AppImage replaces the previous one atomically and is executable', async () => {
  const program = path.join(folder, 'Millrace.AppImage');
  writeFileSync(program, 'former');
  writeFileSync(path.join(folder, 'new'), 'newer', { mode: 0o600 });
  const install = installerOf('AppImage', machineOf('linux', { APPIMAGE: program }));
  expect(await install?.({ file: path.join(folder, 'new'), isOlder: false })).toEqual({
    is: 'done',
    restart: { program },
  });
  expect(readFileSync(program, 'utf8')).toBe('newer');
  if (process.platform !== 'win32') expect(statSync(program).mode & 0o777).toBe(0o755);
  expect(readdirSync(folder).sort()).toEqual(['Millrace.AppImage', 'new']);
});

test('keeps an AppImage that cannot be replaced, and returns the command', async () => {
  const program = path.join(folder, 'gone', "Mill race's.AppImage");
  writeFileSync(path.join(folder, 'new'), 'newer');
  const install = installerOf('AppImage', machineOf('linux', { APPIMAGE: program }));
  expect(await install?.({ file: path.join(folder, 'new'), isOlder: false })).toMatchObject({
    is: 'by-hand',
    why: expect.stringContaining("Couldn't replace"),
    command: `sudo install -m 755 ${path.join(folder, 'new')} '${program.replace("'", "'\\''")}'`,
  });
});

test("on macOS, passes the archive to the system's updater, which continues after the program has exited", async () => {
  const install = installerOf('dmg', machineOf('darwin'));
  expect(await install?.({ file: '/kept/millrace-1.2.0.zip', isOlder: false })).toEqual({ is: 'when-ended' });
  expect(handed).toEqual(['/kept/millrace-1.2.0.zip']);
});

test('reports an installer that cannot be started', async () => {
  const install = installerOf('nsis', machineOf('win32'));
  await expect(install?.({ file: path.join(folder, 'none.exe'), isOlder: false })).rejects.toMatchObject({
    code: 'update.not-installed',
  });
});
