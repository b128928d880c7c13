/**
 * What is done to every program that electron-builder has packed, before it makes archives and installers of it.
 */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What a packed program says it came as, in `resources/package-type`: how it can be updated depends on it. Installers and
 * packages that are made of the same folder write their own name in its place.
 * @type {Readonly<Record<string, string>>}
 */
const packageTypes = { linux: 'tar.gz', darwin: 'dmg', win32: 'zip' };

/**
 * A hook of electron-builder. A runtime that it did not download itself still holds its default program, which must not be
 * shipped.
 * @param {{ appOutDir: string, electronPlatformName: string, packager: { getResourcesDir(appOutDir: string): string } }} context
 */
export async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const resources = packager.getResourcesDir(appOutDir);
  await rm(path.join(resources, 'default_app.asar'), { force: true });
  await writeFile(path.join(resources, 'package-type'), packageTypes[electronPlatformName] ?? '');
}
