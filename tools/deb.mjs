/**
 * A Debian package (`deb-control(5)`, `deb(5)`) of the packed program. electron-builder makes its own with fpm, a Ruby program
 * that it has to download; a package is a tree of files and one text, and Debian's `dpkg-deb` makes it of these.
 */
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runOrFail } from './child-process.mjs';
import { root } from './paths.mjs';

/** What the runtime is linked against; with both names where Ubuntu 24.04 has renamed a package. */
const dependencies = [
  'libasound2 | libasound2t64',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libgbm1',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libxkbcommon0',
  'xdg-utils',
];

/** Debian's names of the machines that the program is packed for. */
const architectures = { x64: 'amd64', arm64: 'arm64', arm: 'armhf' };

const packingLimitMs = 10 * 60 * 1000;

/**
 * Whether a Debian package can be made of a program for this machine's architecture.
 * @returns {arch is keyof typeof architectures}
 * @param {string} arch as `process.arch` says it
 */
export function hasDebianName(arch) {
  return Object.hasOwn(architectures, arch);
}

/**
 * The text `control` of the package.
 * @param {{ version: string, description: string, author: string, arch: keyof typeof architectures, kilobytes: number }} what
 *   `version` as npm has it; what stands behind a hyphen comes before the version itself, which Debian writes with a tilde
 */
export function controlText({ version, description, author, arch, kilobytes }) {
  const fields = {
    Package: 'millrace',
    Version: version.replace('-', '~'),
    Architecture: architectures[arch],
    Maintainer: author,
    'Installed-Size': String(kilobytes),
    Depends: dependencies.join(', '),
    Section: 'devel',
    Priority: 'optional',
    Description: `designer and runner of agent flows\n ${description}`,
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** The entry of the desktop's menu (Desktop Entry Specification 1.5). */
const menuEntry = `[Desktop Entry]
Type=Application
Name=Millrace
GenericName=Agent flow designer
Comment=Design and run agent flows
Exec=/usr/lib/millrace/millrace
Icon=millrace
Terminal=false
Categories=Development;
StartupWMClass=Millrace
`;

/**
 * Makes the package of a packed program.
 * @param {{ program: string, outDir: string, arch: keyof typeof architectures, isSmall: boolean }} options `program` is the
 *   folder that electron-builder has packed; `isSmall` packs as small as can be, which takes a minute instead of a second
 * @returns {Promise<string>} the file
 * @throws {import('./tool-error.mjs').ToolError} when `dpkg-deb` fails, with what it says
 */
export async function makeDeb({ program, outDir, arch, isSmall }) {
  const { version, description, author } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const file = path.join(outDir, `millrace_${version}_${architectures[arch]}.deb`);
  const tree = await mkdtemp(path.join(tmpdir(), 'millrace-deb-'));
  try {
    await fillTree(tree, program);
    const kilobytes = Math.ceil((await bytesBelow(tree)) / 1024);
    await write(tree, 'DEBIAN/control', controlText({ version, description, author, arch, kilobytes }));
    const packing = isSmall ? ['-Zxz', '-z9'] : ['-Zzstd', '-z3'];
    await runOrFail('dpkg-deb', ['--root-owner-group', ...packing, '--build', tree, file], { limitMs: packingLimitMs });
    return file;
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

/**
 * @param {string} tree
 * @param {string} program
 */
async function fillTree(tree, program) {
  const at = (/** @type {string} */ place) => path.join(tree, place);
  await chmod(tree, 0o755);
  await mkdir(at('usr/lib'), { recursive: true });
  await cp(program, at('usr/lib/millrace'), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  // The helper of Chromium's sandbox for systems that forbid ordinary users namespaces of their own, as Ubuntu does from 24.04
  // on. It belongs to root, and works for others only with this bit.
  await chmod(at('usr/lib/millrace/chrome-sandbox'), 0o4755);
  await mkdir(at('usr/bin'), { recursive: true });
  await symlink('../lib/millrace/bin/millrace', at('usr/bin/millrace'));
  await write(tree, 'usr/share/applications/millrace.desktop', menuEntry);
  const icons = path.join(root, 'resources', 'icons');
  for (const [from, to] of [
    ['512x512.png', '512x512/apps/millrace.png'],
    ['millrace.svg', 'scalable/apps/millrace.svg'],
  ]) {
    const target = at(`usr/share/icons/hicolor/${to}`);
    await mkdir(path.dirname(target), { recursive: true });
    await cp(path.join(icons, `${from}`), target);
  }
  await write(tree, 'usr/share/doc/millrace/copyright', await readFile(path.join(root, 'LICENSE'), 'utf8'));
}

/**
 * @param {string} tree
 * @param {string} place
 * @param {string} text
 */
async function write(tree, place, text) {
  const file = path.join(tree, place);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text, { mode: 0o644 });
}

/**
 * @param {string} folder
 * @returns {Promise<number>}
 */
async function bytesBelow(folder) {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
