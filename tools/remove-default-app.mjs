/**
 * Takes the default app of the fallback runtime out of the packed program. electron-builder does so itself only for
 * runtimes that it downloaded.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * A hook of electron-builder, called before archives are made.
 * @param {{ appOutDir: string }} context
 */
export async function afterPack({ appOutDir }) {
  await rm(path.join(appOutDir, 'resources', 'default_app.asar'), { force: true });
}
