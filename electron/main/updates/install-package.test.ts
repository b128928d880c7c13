import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installerOf, type Machine } from './install-package.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-install-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const handed: string[] = [];
function machineOf(platform: NodeJS.Platform, env: Machine['env'] = {}): Machine {
  const installOnMac = async (file: string): Promise<void> => void handed.push(file);
  return { platform, env, programFolder: folder, installOnMac };
}

test('kinds without a means of their own, and those of other systems, are installed by the person', () => {
  for (const kind of ['tar.gz', 'rpm', 'zip'] as const) {
    for (const system of ['linux', 'darwin', 'win32'] as const)
      expect(installerOf(kind, machineOf(system))).toBeUndefined();
  }
  expect(installerOf('nsis', machineOf('linux'))).toBeUndefined();
  expect(installerOf('deb', machineOf('darwin'))).toBeUndefined();
  // The file of an AppImage is named by the environment that it makes itself.
  expect(installerOf('AppImage', machineOf('linux'))).toBeUndefined();
  expect(installerOf('nsis', machineOf('win32'))).toBeDefined();
});

test('an AppImage takes the place of the former one as a whole, and can be run', async () => {
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

test('an AppImage that cannot be replaced stays, and the command is named', async () => {
  const program = path.join(folder, 'gone', "Mill race's.AppImage");
  writeFileSync(path.join(folder, 'new'), 'newer');
  const install = installerOf('AppImage', machineOf('linux', { APPIMAGE: program }));
  expect(await install?.({ file: path.join(folder, 'new'), isOlder: false })).toMatchObject({
    is: 'by-hand',
    why: expect.stringContaining('cannot be replaced'),
    command: `sudo install -m 755 ${path.join(folder, 'new')} '${program.replace("'", "'\\''")}'`,
  });
});

test('on macOS the archive is handed to the updater of the system, which goes on when the program has ended', async () => {
  const install = installerOf('dmg', machineOf('darwin'));
  expect(await install?.({ file: '/kept/millrace-1.2.0.zip', isOlder: false })).toEqual({ is: 'when-ended' });
  expect(handed).toEqual(['/kept/millrace-1.2.0.zip']);
});

test('an installer that cannot be started is told', async () => {
  const install = installerOf('nsis', machineOf('win32'));
  await expect(install?.({ file: path.join(folder, 'none.exe'), isOlder: false })).rejects.toMatchObject({
    code: 'update.not-installed',
  });
});
