/** Tests the steps of a release, as far as possible without creating one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { afterPack } from './after-pack.mjs';
import { missingPackages, tagProblem, writeSums } from './release.mjs';

const root = path.join(import.meta.dirname, '..');
const readYaml = (file: string) => parse(readFileSync(path.join(root, file), 'utf8'));

const builder = path.join(root, 'node_modules/app-builder-lib');
const { validateSchema } = createRequire(import.meta.url)(path.join(builder, 'out/util/config/schemaValidator.js'));
// A single object, because it is compiled once, which takes a second.
const schema = JSON.parse(readFileSync(path.join(builder, 'scheme.json'), 'utf8'));

/** Validates with electron-builder's own schema and validator. */
function problemsOf(config: unknown): string {
  try {
    validateSchema(schema, config);
    return '';
  } catch (error) {
    return String(error);
  }
}

test('electron-builder.yml is valid for electron-builder', () => {
  const config = readYaml('electron-builder.yml');
  expect(problemsOf(config)).toBe('');
  expect(problemsOf({ ...config, nsis: { ...config.nsis, perMachin: true } })).toContain('configuration.nsis');
});

test('every system associates the program with its own file types, and does not take over YAML', () => {
  const { linux, mac, win, protocols } = readYaml('electron-builder.yml');
  const kinds = (list: { ext: string | string[]; rank?: string }[]) =>
    list.map(({ ext, rank }) => [[ext].flat().join(' '), rank ?? '']);
  expect(kinds(linux.fileAssociations)).toEqual([
    ['flow.yaml', ''],
    ['aip', ''],
    ['aipack', ''],
  ]);
  expect(kinds(mac.fileAssociations)).toEqual([
    ['yaml yml', 'Alternate'],
    ['aip', 'Owner'],
    ['aipack', 'Owner'],
  ]);
  expect(kinds(win.fileAssociations)).toEqual([
    ['aip', ''],
    ['aipack', ''],
  ]);
  expect(protocols).toEqual([{ name: 'Millrace', schemes: ['millrace'] }]);
  // Everything that is registered is removed again, and links cannot become switches of the program.
  const installer = readFileSync(path.join(root, 'resources/windows/installer.nsh'), 'utf8');
  const written = [...installer.matchAll(/WriteRegStr SHELL_CONTEXT "(.*?)"/g)].map(([, key = '']) => key);
  const deleted = [...installer.matchAll(/DeleteRegKey SHELL_CONTEXT "(.*?)"/g)].map(([, key = '']) => key);
  expect(written.filter((key) => !deleted.some((root) => key === root || key.startsWith(`${root}\\`)))).toEqual([]);
  expect(installer.match(/"%1"/g)?.length).toBe(installer.match(/-- "%1"/g)?.length);
});

test('a tag matches the version that it releases', () => {
  expect(tagProblem('v1.2.0', '1.2.0')).toBeUndefined();
  expect(tagProblem('v1.2.1', '1.2.0')).toBe(
    'The tag v1.2.1 does not match the version in package.json, 1.2.0. Use the tag v1.2.0.',
  );
  expect(tagProblem('1.2.0', '1.2.0')).toBeDefined();
});

test('the checksums of a release list its packages and nothing else', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-release-'));
  try {
    await expect(writeSums(folder, 'sums.txt')).rejects.toThrow('contains no packages');
    for (const name of ['b.deb', 'a.tar.gz', 'builder-debug.yml']) writeFileSync(path.join(folder, name), name);
    const lines = await writeSums(folder, 'sums.txt');
    expect(lines.split('\n').map((line) => line.slice(66))).toEqual(['a.tar.gz', 'b.deb', '']);
    expect(readFileSync(path.join(folder, 'sums.txt'), 'utf8')).toBe(lines);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a release is complete only with all packages of its system', () => {
  const names = ['m_1_amd64.deb', 'm-1.x86_64.rpm', 'm-1-linux-x86_64.AppImage', 'm-1-linux-x64.tar.gz', 'm.cdx.json'];
  expect(missingPackages(names, 'linux-x64')).toEqual([]);
  expect(missingPackages(names.slice(1), 'linux-arm64')).toEqual(['.deb']);
  expect(missingPackages(names, 'macos')).toEqual(['.dmg', '.zip']);
  expect(missingPackages([], 'windows-arm64')).toEqual(['.exe', '.zip', '.cdx.json']);
});

test('a packed program records its package type, and contains no other program', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-packed-'));
  try {
    const packager = { getResourcesDir: () => folder };
    for (const [electronPlatformName, type] of [
      ['linux', 'tar.gz'],
      ['darwin', 'dmg'],
      ['win32', 'zip'],
    ] as const) {
      writeFileSync(path.join(folder, 'default_app.asar'), '');
      await afterPack({ appOutDir: '', electronPlatformName, packager });
      expect(readFileSync(path.join(folder, 'package-type'), 'utf8')).toBe(type);
      expect(() => readFileSync(path.join(folder, 'default_app.asar'))).toThrow('ENOENT');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
