/**
 * Modifies every program that electron-builder has packed, before archives and installers are created from it.
 */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * The package type recorded in `resources/package-type`, which determines how the program can be updated. Installers
 * and packages made from the same folder overwrite it with their own type.
 * @type {Readonly<Record<string, string>>}
 */
const packageTypes = { linux: 'tar.gz', darwin: 'dmg', win32: 'zip' };

/**
 * Removes Electron's default program, which must not be shipped, and records the package type. electron-builder calls
 * this as a hook. A runtime that it did not download itself still contains that program.
 * @param {{ appOutDir: string, electronPlatformName: string, packager: { getResourcesDir(appOutDir: string): string }
 *   }} context
 */
export async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  await rm(path.join(resources, 'default_app.asar'), { force: true });
  await writeFile(path.join(resources, 'package-type'), packageTypes[electronPlatformName] ?? '');
}
