/**
 * The files that Linux packages install below `/usr`, shared by all kinds of packages.
 */
import { chmod, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './paths.mjs';

/** Files of `resources`, and their destinations. */
const desktopFiles = [
  ['linux/millrace.desktop', 'usr/share/applications/millrace.desktop'],
  ['linux/millrace-mime.xml', 'usr/share/mime/packages/millrace.xml'],
  ['linux/dev.millrace.app.metainfo.xml', 'usr/share/metainfo/dev.millrace.app.metainfo.xml'],
  ['linux/apparmor-profile', 'usr/lib/millrace/resources/apparmor-profile'],
  ['icons/512x512.png', 'usr/share/icons/hicolor/512x512/apps/millrace.png'],
  ['icons/millrace.svg', 'usr/share/icons/hicolor/scalable/apps/millrace.svg'],
];

/**
 * @param {string} tree an empty folder that represents `/`
 * @param {string} program the folder packed by electron-builder
 */
export async function fillInstallTree(tree, program) {
  const at = (/** @type {string} */ place) => path.join(tree, place);
  await chmod(tree, 0o755);
  await mkdir(at('usr/lib'), { recursive: true });
  await cp(program, at('usr/lib/millrace'), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  await evenModes(at('usr/lib/millrace'));
  // Chromium's sandbox helper for systems that do not let ordinary users create namespaces, such as Ubuntu since 24.04.
  // It is owned by root, and works for other users only with this bit.
  await chmod(at('usr/lib/millrace/chrome-sandbox'), 0o4755);
  await mkdir(at('usr/bin'), { recursive: true });
  await symlink('../lib/millrace/bin/millrace', at('usr/bin/millrace'));
  for (const [from = '', to = ''] of desktopFiles) {
    await write(tree, to, await readFile(path.join(root, 'resources', from)));
  }
}

/**
 * Sets modes regardless of the umask of the packing user: readable by all, writable only by the owner.
 * @param {string} folder
 */
async function evenModes(folder) {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const isRunnable = entry.isDirectory() || ((await stat(place)).mode & 0o100) !== 0;
    await chmod(place, isRunnable ? 0o755 : 0o644);
  }
}

/**
 * Writes a file that is readable by all.
 * @param {string} tree
 * @param {string} place path relative to it
 * @param {string | Buffer} content
 */
export async function write(tree, place, content) {
  const file = path.join(tree, place);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content, { mode: 0o644 });
}
