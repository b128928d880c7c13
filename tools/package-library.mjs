/**
 * `npm run package:library [-- DIR]`: packs the library as `millrace-VERSION.tgz` into `dist/` or the given folder, for
 * `npm install` and `npm publish`. Checks the package with publint first.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { runNpm } from './child-process.mjs';
import { licensesFile, licensesOfLibrary } from './licenses.mjs';
import { cacheDir, fromUsersFolder, outDir, packageFile, root } from './paths.mjs';
import { say } from './progress.mjs';
import { ToolError } from './tool-error.mjs';

const largestBytes = 3.5 * 1024 * 1024;

/** @param {string} file relative to the repository */
async function readPackage(file) {
  return JSON.parse(await readFile(file, 'utf8'));
}

/**
 * Returns the `package.json` of the library. All packages are bundled except the native module, which Node replaces if it
 * has its own, and the types of Zod.
 */
async function libraryManifest() {
  const own = await readPackage(path.join(root, 'package.json'));
  const zod = await readPackage(packageFile('zod/package.json'));
  const { name, version, keywords, author, license, type, exports, engines, dependencies } = own;
  return {
    name,
    version,
    description: 'Engine of Millrace: check, run and record agent flows that are plain files.',
    keywords,
    author,
    license,
    type,
    exports: { ...exports, './package.json': './package.json' },
    files: ['out', licensesFile],
    engines,
    dependencies: { zod: `~${zod.version}` },
    optionalDependencies: dependencies,
  };
}

/** @param {string} folder */
async function fillFolder(folder) {
  const library = path.join(outDir, 'library');
  const target = path.join(folder, 'out', 'library');
  await cp(library, target, {
    recursive: true,
    filter: (file) => !file.endsWith('.map') && file !== path.join(library, 'node'),
  });
  for (const name of await readdir(target, { recursive: true })) {
    if (name.endsWith('.js')) await removeMapComment(path.join(target, name));
  }
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(await libraryManifest(), null, 2)}\n`);
  await writeFile(path.join(folder, licensesFile), await licensesOfLibrary());
  await cp(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  await cp(path.join(root, 'resources', 'library', 'README.md'), path.join(folder, 'README.md'));
}

/** Without its map, the comment makes debuggers report a missing file. @param {string} file */
async function removeMapComment(file) {
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'));
}

/** @param {string} folder @throws {ToolError} with the problems */
async function checkFolder(folder) {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, level: 'warning' });
  if (messages.length === 0) return;
  const problems = messages.map((message) => formatMessage(message, pkg, { color: false }));
  throw new ToolError(`publint found problems in the package of the library:\n${problems.join('\n')}`);
}

/**
 * Packs the current build.
 * @param {string} targetDir
 * @returns {Promise<{ file: string, bytes: number }>}
 * @throws {ToolError} if the package has problems or is too large
 */
async function packLibrary(targetDir) {
  await mkdir(cacheDir, { recursive: true });
  const folder = await mkdtemp(path.join(cacheDir, 'library-package-'));
  try {
    await fillFolder(folder);
    await checkFolder(folder);
    await mkdir(targetDir, { recursive: true });
    await runNpm(['pack', '--ignore-scripts', '--pack-destination', targetDir], { cwd: folder });
    const { name, version } = await libraryManifest();
    const file = path.join(targetDir, `${name}-${version}.tgz`);
    const { size: bytes } = await stat(file);
    if (bytes > largestBytes) throw new ToolError(`${file} has ${bytes} bytes. At most ${largestBytes} are allowed.`);
    return { file, bytes };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function main([folder, ...more]) {
  if (more.length > 0 || folder?.startsWith('-')) throw new ToolError('Usage: npm run package:library [-- DIR]');
  await bootstrap({ electron: false, build: ['library'] });
  const { file, bytes } = await packLibrary(folder === undefined ? path.join(root, 'dist') : fromUsersFolder(folder));
  say(`Packed: ${file} (${(bytes / 1024 / 1024).toFixed(2)} MB)`);
  return 0;
}
