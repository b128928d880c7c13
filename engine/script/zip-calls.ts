/**
 * Calls of scripts for zip archives.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOf, parentOf, pathInfo } from '../lua/api-file/file-arguments.ts';
import type { ScriptHost } from '../lua/host-calls.ts';
import { createZip, extractZip, listZip, readZipText } from './documents/zip.ts';
import { fileInfoOf } from './file-info-of.ts';
import { withPathLock } from './path-locks.ts';
import type { ScriptAccess } from './script-access.ts';

type ZipCalls = Pick<ScriptHost, 'zip.create' | 'zip.extract' | 'zip.readText' | 'zip.list'>;

/** The calls of one script for archives. */
export function zipCalls(access: ScriptAccess): ZipCalls {
  return {
    'zip.create': async ({ source, destination, globs }, signal) => {
      const folder = await access.read({ path: source }, signal);
      const file = await access.write({ path: destination ?? `${besideOf(source, nameOf(source))}.zip` }, signal);
      const isClosed = await access.closedFolders();
      await withPathLock([file.real], () =>
        createZip(folder.real, file.real, { ...(globs && { globs }), isClosed, signal }),
      );
      return { info: fileInfoOf(file.shown, await stat(file.real)) };
    },
    'zip.extract': async ({ source, destination, globs }, signal) => {
      const archive = await access.read({ path: source }, signal);
      const options = { ...(globs && { globs }), signal };
      const target = destination ?? besideOf(source, pathInfo(source).stem);
      const folder = await access.write({ path: target }, signal);
      // Each entry for itself: one may mean to go to a folder that is kept, such as `.git`.
      for (const name of await listZip(archive.real, options)) {
        // Absolute, so that a name such as `~/x` means nothing but itself.
        await access.write({ path: join(folder.absolute, name) }, signal);
      }
      const paths = await extractZip(archive.real, folder.real, options);
      const files = await Promise.all(
        paths.map(async (path) => fileInfoOf(`${folder.shown}/${path}`, await stat(join(folder.real, path)))),
      );
      return { files };
    },
    'zip.readText': async ({ source, entry }, signal) => {
      const { real } = await access.read({ path: source }, signal);
      return { text: await readZipText(real, entry, signal) };
    },
    'zip.list': async ({ source, globs }, signal) => {
      const { real } = await access.read({ path: source }, signal);
      return { names: await listZip(real, { ...(globs && { globs }), signal }) };
    },
  };
}

/** A name in the folder of a path. */
function besideOf(path: string, name: string): string {
  const folder = parentOf(path) ?? '';
  if (folder === '') return name;
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
