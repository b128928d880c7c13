import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { controlText, hasDebianName, makeDeb } from './deb.mjs';

const hasDpkg = process.platform === 'linux' && run('sh', ['-c', 'command -v dpkg-deb || true']) !== '';
const resources = path.join(import.meta.dirname, '..', 'resources', 'linux');
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-deb-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync(file, args, { encoding: 'utf8', env });
}

/**
 * Creates the parts of electron-builder's output that the package uses, with the file modes that a permissive umask
 * causes.
 */
function packedProgram(): string {
  const program = path.join(folder, 'program');
  for (const name of ['bin', 'resources/workspace'])
    mkdirSync(path.join(program, name), { recursive: true, mode: 0o700 });
  for (const name of ['millrace', 'chrome-sandbox', 'bin/millrace', 'resources/workspace/README.md']) {
    writeFileSync(path.join(program, name), name, { mode: 0o600 });
  }
  for (const name of ['millrace', 'chrome-sandbox', 'bin/millrace']) chmodSync(path.join(program, name), 0o700);
  return program;
}

test('a pre-release version sorts before its release', () => {
  const text = controlText({ version: '1.2.0-beta.1', description: 'D', arch: 'x64', kilobytes: 7 });
  expect(text).toContain('\nVersion: 1.2.0~beta.1\n');
  expect(text).toContain('\nArchitecture: amd64\n');
  expect(text).toContain('\nInstalled-Size: 7\n');
});

test("architectures have Debian's names, and others have none", () => {
  expect([hasDebianName('x64'), hasDebianName('arm64'), hasDebianName('s390x'), hasDebianName('toString')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

interface Entry {
  readonly mode: string;
  readonly owner: string;
  readonly place: string;
}

function entriesOf(deb: string): Entry[] {
  const lines = run('dpkg-deb', ['-c', deb]).trimEnd().split('\n');
  return lines.map((line) => {
    const [mode = '', owner = '', , , , ...name] = line.split(/ +/);
    return { mode, owner, place: name.join(' ').replace(/^\.\//, '') };
  });
}

test.runIf(hasDpkg)('the package contains the program, its command, and all files for the desktop', async () => {
  const deb = await makeDeb({ program: packedProgram(), outDir: folder, arch: 'x64', isSmall: false });
  expect(path.basename(deb)).toMatch(/^millrace_\d+\.\d+\.\d+\S*_amd64\.deb$/);
  const entries = entriesOf(deb);
  const modeOf = (place: string): string | undefined => entries.find((entry) => entry.place === place)?.mode;
  expect(modeOf('usr/lib/millrace/millrace')).toBe('-rwxr-xr-x');
  expect(modeOf('usr/lib/millrace/resources/workspace/README.md')).toBe('-rw-r--r--');
  expect(modeOf('usr/bin/millrace -> ../lib/millrace/bin/millrace')).toBe('lrwxrwxrwx');
  for (const place of [
    'usr/lib/millrace/resources/package-type',
    'usr/lib/millrace/resources/apparmor-profile',
    'usr/share/applications/millrace.desktop',
    'usr/share/mime/packages/millrace.xml',
    'usr/share/metainfo/dev.millrace.app.metainfo.xml',
    'usr/share/icons/hicolor/512x512/apps/millrace.png',
    'usr/share/icons/hicolor/scalable/apps/millrace.svg',
    'usr/share/doc/millrace/copyright',
    'usr/share/doc/millrace/changelog.gz',
  ]) {
    expect([place, modeOf(place)]).toEqual([place, '-rw-r--r--']);
  }
  // Everything is owned by root, not writable by others, and only one file is setuid.
  expect(entries.filter(({ owner }) => owner !== 'root/root')).toEqual([]);
  expect(entries.filter(({ mode }) => !mode.startsWith('l') && /^.{5}w|^.{8}w/.test(mode))).toEqual([]);
  expect(entries.filter(({ mode }) => /[st]/i.test(mode))).toEqual([
    { mode: '-rwsr-xr-x', owner: 'root/root', place: 'usr/lib/millrace/chrome-sandbox' },
  ]);
});

test.runIf(hasDpkg)("the package meets Debian's requirements for every package", async () => {
  const program = packedProgram();
  const deb = await makeDeb({ program, outDir: folder, arch: 'x64', isSmall: false, version: '0.0.9-rc.1' });
  const unpacked = path.join(folder, 'unpacked');
  run('dpkg-deb', ['-R', deb, unpacked]);
  const read = (place: string): string => readFileSync(path.join(unpacked, place), 'utf8');
  const control = read('DEBIAN/control');
  expect(control).toMatch(/^Version: 0\.0\.9~rc\.1$/m);
  expect(control).toMatch(/^Maintainer: [^<>]+ <\S+@\S+>$/m);
  expect(control).toMatch(/^Depends: .*libnss3/m);
  // A summary is not a sentence: no article at the start, no period at the end, and it fits on a line.
  expect(control).toMatch(/^Description: [a-z][^.\n]{10,79}\n \S/m);
  expect(read('usr/share/doc/millrace/copyright')).toMatch(
    /^Format: https:\/\/www\.debian\.org\/.*\nUpstream-Name: Millrace\n/,
  );
  expect(read('usr/share/doc/millrace/copyright')).toMatch(/^License: Expat\n Permission is hereby granted/m);
  const changelog = gunzipSync(readFileSync(path.join(unpacked, 'usr/share/doc/millrace/changelog.gz'))).toString();
  expect(changelog).toMatch(
    /^millrace \(0\.0\.9~rc\.1\) stable; urgency=medium\n\n {2}\* .+\n\n -- .+ <.+> {2}\w{3}, \d\d \w{3} \d{4} /,
  );
  expect(read('usr/lib/millrace/resources/package-type')).toBe('deb');
  // The checksums are correct and complete.
  run('sh', ['-c', `cd '${unpacked}' && md5sum --quiet -c DEBIAN/md5sums`]);
  const summed = read('DEBIAN/md5sums')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(34));
  const files = entriesOf(deb)
    .filter(({ mode }) => mode.startsWith('-'))
    .map(({ place }) => place);
  expect(summed.sort()).toEqual(files.sort());
  for (const script of ['postinst', 'postrm']) {
    expect(read(`DEBIAN/${script}`)).toMatch(/^#!\/bin\/sh\nset -e\n/);
    expect((statSync(path.join(unpacked, 'DEBIAN', script)).mode & 0o777).toString(8)).toBe('755');
    run('sh', ['-n', path.join(unpacked, 'DEBIAN', script)]);
  }
});

test('the menu entry opens the declared file types and the protocol', () => {
  const entry = readFileSync(path.join(resources, 'millrace.desktop'), 'utf8');
  const kinds = /^MimeType=(.*);$/m.exec(entry)?.[1]?.split(';') ?? [];
  const mime = readFileSync(path.join(resources, 'millrace-mime.xml'), 'utf8');
  const described = [...mime.matchAll(/<mime-type type="(.*?)"/g)].map(([, type]) => type);
  expect(kinds).toEqual([...described, 'x-scheme-handler/millrace']);
  expect([...mime.matchAll(/pattern="(.*?)"/g)].map(([, pattern]) => pattern)).toEqual([
    '*.flow.yaml',
    '*.flow.yml',
    '*.aip',
    '*.aipack',
  ]);
  expect(entry).toMatch(/^Exec=\/usr\/lib\/millrace\/millrace %U$/m);
});

/** Creates a system with AppArmor in a folder. Its parser accepts the profile or not, and records its arguments. */
function systemWithAppArmor(understands: boolean): { readonly env: NodeJS.ProcessEnv; readonly profile: string } {
  const dpkgRoot = path.join(folder, 'system');
  mkdirSync(path.join(dpkgRoot, 'etc/apparmor.d'), { recursive: true });
  mkdirSync(path.join(dpkgRoot, 'usr/lib/millrace/resources'), { recursive: true });
  writeFileSync(path.join(dpkgRoot, 'usr/lib/millrace/resources/apparmor-profile'), 'the profile');
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'apparmor_parser'), `#!/bin/sh\nexit ${understands ? 0 : 1}\n`, { mode: 0o755 });
  const env = { ...process.env, DPKG_ROOT: dpkgRoot, PATH: `${bin}:${process.env['PATH']}` };
  return { env, profile: path.join(dpkgRoot, 'etc/apparmor.d/millrace') };
}

const script = (name: string): string => path.join(resources, 'deb', name);

test.runIf(process.platform !== 'win32')(
  'the profile is installed and removed with the package if AppArmor accepts it',
  () => {
    const { env, profile } = systemWithAppArmor(true);
    run('sh', [script('postinst'), 'configure', ''], env);
    expect(readFileSync(profile, 'utf8')).toBe('the profile');
    run('sh', [script('postrm'), 'upgrade', '0.2.0'], env);
    expect(existsSync(profile)).toBe(true);
    run('sh', [script('postrm'), 'remove'], env);
    expect(existsSync(profile)).toBe(false);
    run('sh', [script('postrm'), 'purge'], env);
  },
);

test.runIf(process.platform !== 'win32')('an AppArmor that does not accept the profile is not changed', () => {
  const { env, profile } = systemWithAppArmor(false);
  run('sh', [script('postinst'), 'configure', ''], env);
  expect(existsSync(profile)).toBe(false);
});

test.runIf(process.platform !== 'win32')('a system without AppArmor is not changed', () => {
  const { env, profile } = systemWithAppArmor(true);
  rmSync(path.dirname(profile), { recursive: true });
  run('sh', [script('postinst'), 'configure', ''], env);
  expect(existsSync(path.dirname(profile))).toBe(false);
});
