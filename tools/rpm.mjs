/**
 * Creates a package for Fedora and similar systems with `rpmbuild`, from the same tree as the Debian package.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runOrFail } from './child-process.mjs';
import { fillInstallTree, write } from './install-tree.mjs';
import { root } from './paths.mjs';

/** The libraries that the runtime is linked against, with Fedora's names. */
const requirements = [
  'alsa-lib',
  'at-spi2-core',
  'gtk3',
  'libxkbcommon',
  'mesa-libgbm',
  'nss',
  'shared-mime-info',
  'xdg-utils',
];

/** rpm's names of architectures. */
const architectures = { x64: 'x86_64', arm64: 'aarch64' };

const packingLimitMs = 10 * 60 * 1000;

/**
 * Returns whether a Fedora package can be created for an architecture.
 * @returns {arch is keyof typeof architectures}
 * @param {string} arch value of `process.arch`
 */
export function hasRpmName(arch) {
  return Object.hasOwn(architectures, arch);
}

/** @param {{ version: string, description: string, license: string, isSmall: boolean }} about */
function specText({ version, description, license, isSmall }) {
  // Nothing is built, and the runtime includes its libraries, so there is nothing to strip, check or scan for
  // dependencies.
  return `%global debug_package %{nil}
%global __os_install_post %{nil}
%define _build_id_links none
%define _binary_payload ${isSmall ? 'w9.xzdio' : 'w1.gzdio'}

Name: millrace
Version: ${version.replace('-', '~')}
Release: 1
Summary: Designer and runner of agent flows
License: ${license}
AutoReqProv: no
${requirements.map((name) => `Requires: ${name}`).join('\n')}

%description
${description}

%files
%defattr(-,root,root,-)
/usr/bin/millrace
/usr/lib/millrace
%attr(4755,root,root) /usr/lib/millrace/chrome-sandbox
/usr/share/applications/millrace.desktop
/usr/share/icons/hicolor/512x512/apps/millrace.png
/usr/share/icons/hicolor/scalable/apps/millrace.svg
/usr/share/metainfo/dev.millrace.app.metainfo.xml
/usr/share/mime/packages/millrace.xml
%license /usr/share/licenses/millrace/LICENSE
`;
}

/**
 * Creates the package of a packed program.
 * @param {{ program: string, outDir: string, arch: keyof typeof architectures, isSmall: boolean }} options `program` is
 * the folder packed by electron-builder; `isSmall` minimizes the size, which takes a minute
 * @returns {Promise<string>} the file
 * @throws {import('./tool-error.mjs').ToolError} if `rpmbuild` fails, with its output
 */
export async function makeRpm({ program, outDir, arch, isSmall }) {
  const about = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const scratch = await mkdtemp(path.join(tmpdir(), 'millrace-rpm-'));
  const tree = path.join(scratch, 'tree');
  try {
    await mkdir(tree);
    await fillInstallTree(tree, program);
    await write(tree, 'usr/lib/millrace/resources/package-type', 'rpm');
    await write(tree, 'usr/share/licenses/millrace/LICENSE', await readFile(path.join(root, 'LICENSE')));
    const spec = path.join(scratch, 'millrace.spec');
    await writeFile(spec, specText({ ...about, isSmall }));
    const name = `millrace-${about.version.replace('-', '~')}.${architectures[arch]}.rpm`;
    const places = { _topdir: scratch, _rpmdir: outDir, _rpmfilename: name, _tmppath: scratch };
    const defines = Object.entries(places).flatMap(([macro, value]) => ['--define', `${macro} ${value}`]);
    const target = ['--target', architectures[arch], '--buildroot', tree];
    await runOrFail('rpmbuild', ['-bb', ...target, ...defines, spec], { limitMs: packingLimitMs });
    return path.join(outDir, name);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
