/**
 * The program as packages of Linux install it below `/usr`: the same files for each kind of package.
 */
import { chmod, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './paths.mjs';

/** Those of `resources`, and where each goes. */
const desktopFiles = [
  ['linux/millrace.desktop', 'usr/share/applications/millrace.desktop'],
  ['linux/millrace-mime.xml', 'usr/share/mime/packages/millrace.xml'],
  ['linux/dev.millrace.app.metainfo.xml', 'usr/share/metainfo/dev.millrace.app.metainfo.xml'],
  ['linux/apparmor-profile', 'usr/lib/millrace/resources/apparmor-profile'],
  ['icons/512x512.png', 'usr/share/icons/hicolor/512x512/apps/millrace.png'],
  ['icons/millrace.svg', 'usr/share/icons/hicolor/scalable/apps/millrace.svg'],
];

/**
 * @param {string} tree an empty folder that stands for `/`
 * @param {string} program the folder that electron-builder has packed
 */
export async function fillInstallTree(tree, program) {
  const at = (/** @type {string} */ place) => path.join(tree, place);
  await chmod(tree, 0o755);
  await mkdir(at('usr/lib'), { recursive: true });
  await cp(program, at('usr/lib/millrace'), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  await evenModes(at('usr/lib/millrace'));
  // The helper of Chromium's sandbox for systems that forbid ordinary users namespaces of their own, as Ubuntu does from 24.04
  // on. It belongs to root, and works for others only with this bit.
  await chmod(at('usr/lib/millrace/chrome-sandbox'), 0o4755);
  await mkdir(at('usr/bin'), { recursive: true });
  await symlink('../lib/millrace/bin/millrace', at('usr/bin/millrace'));
  for (const [from = '', to = ''] of desktopFiles) {
    await write(tree, to, await readFile(path.join(root, 'resources', from)));
  }
}

/**
 * Whatever the mask of whoever packs: all may read, nobody but the owner may write.
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
 * Writes a file that all may read.
 * @param {string} tree
 * @param {string} place relative to it
 * @param {string | Buffer} content
 */
export async function write(tree, place, content) {
  const file = path.join(tree, place);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content, { mode: 0o644 });
}
