/**
 * Creates a Debian package (`deb-control(5)`, `deb(5)`) of the packed program. electron-builder uses fpm for this, a
 * Ruby program that it has to download. A package is a tree of files and one text, from which Debian's `dpkg-deb`
 * creates it.
 *
 * The desktop databases (menu, file types, icons) are updated by the packages that own them, which have triggers on the
 * folders of these files.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { runOrFail } from './child-process.mjs';
import { fillInstallTree, write } from './install-tree.mjs';
import { root } from './paths.mjs';

/** The libraries that the runtime is linked against, with both names if Ubuntu 24.04 has renamed a package. */
const dependencies = [
  'libasound2 | libasound2t64',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libgbm1',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libxkbcommon0',
  'xdg-utils',
];

/** Debian's names of the architectures that the program is packed for. */
const architectures = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' };

const packingLimitMs = 10 * 60 * 1000;

/**
 * The maintainer of the package. The field must contain an address. If the publisher sets none, an invalid address is
 * used.
 */
const maintainer = process.env['MILLRACE_MAINTAINER'] || 'The Millrace authors <packages@millrace.invalid>';

/**
 * Returns whether a Debian package can be created for an architecture.
 * @returns {arch is keyof typeof architectures}
 * @param {string} arch value of `process.arch`
 */
export function hasDebianName(arch) {
  return Object.hasOwn(architectures, arch);
}

/**
 * Converts a version to Debian's format.
 * @param {string} version npm version; a part after a hyphen sorts before the version itself
 */
function debianVersion(version) {
  return version.replace('-', '~');
}

/** Field in packages installed by tests, which identifies their installations. dpkg keeps unknown fields. */
export const trialField = 'Millrace-Trial';

/**
 * Returns the text of the package's `control` file.
 * @param {{ version: string, description: string, arch: keyof typeof architectures, kilobytes: number, isTrial?:
 * boolean }} what `version` is the npm version
 */
export function controlText({ version, description, arch, kilobytes, isTrial = false }) {
  const fields = {
    Package: 'millrace',
    Version: debianVersion(version),
    Architecture: architectures[arch],
    Maintainer: maintainer,
    'Installed-Size': String(kilobytes),
    Depends: dependencies.join(', '),
    Section: 'devel',
    Priority: 'optional',
    ...(isTrial ? { [trialField]: 'yes' } : {}),
    Description: `designer and runner of agent flows\n ${description}`,
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/**
 * Returns the text of the `copyright` file, in the format that Debian's tools read.
 * @param {string} license license of the program
 */
function copyrightText(license) {
  const [, , copyright = '', ...terms] = license.trim().split('\n');
  const indented = terms.join('\n').trim().replace(/^/gm, ' ').replace(/^ $/gm, ' .');
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Millrace
Comment: The third-party software in the program is listed, with its licenses, in
 /usr/lib/millrace/resources/THIRD-PARTY-LICENSES.txt and /usr/lib/millrace/LICENSES.chromium.html.

Files: *
Copyright: ${copyright.replace(/^Copyright \(c\) /, '')}
License: Expat

License: Expat
${indented}
`;
}

/** @param {string} version */
function changelogText(version) {
  const day = new Date().toUTCString().replace('GMT', '+0000');
  return `millrace (${debianVersion(version)}) stable; urgency=medium\n\n  * Version ${version}.\n\n -- ${maintainer}  ${day}\n`;
}

/**
 * Creates the package of a packed program.
 * @param {{ program: string, outDir: string, arch: keyof typeof architectures, isSmall: boolean, version?: string,
 * isTrial?: boolean }} options `program` is the folder packed by electron-builder; `isSmall` minimizes the size, which
 * takes a minute instead of a second; `version` overrides the program's version, to test an upgrade; `isTrial` marks a
 * package for tests
 * @returns {Promise<string>} the file
 * @throws {import('./tool-error.mjs').ToolError} if `dpkg-deb` fails, with its output
 */
export async function makeDeb({ program, outDir, arch, isSmall, ...other }) {
  const { description, version: own } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const version = other.version ?? own;
  const file = path.join(outDir, `millrace_${debianVersion(version)}_${architectures[arch]}.deb`);
  const tree = await mkdtemp(path.join(tmpdir(), 'millrace-deb-'));
  try {
    await fillInstallTree(tree, program);
    await write(tree, 'usr/lib/millrace/resources/package-type', 'deb');
    await writeDocs(tree, version);
    await writeControl(tree, { version, description, arch, isTrial: other.isTrial === true });
    const packing = isSmall ? ['-Zxz', '-z9'] : ['-Zzstd', '-z1'];
    await runOrFail('dpkg-deb', ['--root-owner-group', ...packing, '--build', tree, file], { limitMs: packingLimitMs });
    return file;
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

/**
 * @param {string} tree
 * @param {string} version
 */
async function writeDocs(tree, version) {
  const license = await readFile(path.join(root, 'LICENSE'), 'utf8');
  await write(tree, 'usr/share/doc/millrace/copyright', copyrightText(license));
  await write(tree, 'usr/share/doc/millrace/changelog.gz', gzipSync(changelogText(version), { level: 9 }));
}

/**
 * @param {string} tree folder with everything that the package installs
 * @param {{ version: string, description: string, arch: keyof typeof architectures, isTrial: boolean }} what
 */
async function writeControl(tree, what) {
  let bytes = 0;
  let sums = '';
  const entries = await readdir(path.join(tree, 'usr'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    const content = await readFile(file);
    bytes += content.byteLength;
    sums += `${createHash('md5').update(content).digest('hex')}  ${path.relative(tree, file)}\n`;
  }
  await write(tree, 'DEBIAN/control', controlText({ ...what, kilobytes: Math.ceil(bytes / 1024) }));
  await write(tree, 'DEBIAN/md5sums', sums);
  for (const script of ['postinst', 'postrm']) {
    await write(tree, `DEBIAN/${script}`, await readFile(path.join(root, 'resources', 'linux', 'deb', script)));
    await chmod(path.join(tree, 'DEBIAN', script), 0o755);
  }
}
