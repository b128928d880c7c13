import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';
import { localTimestamp, parsePackManifest, readPackManifest, withInstalledRecord } from './pack-manifest.ts';
import { checkInstallable, compareVersions, isPackVersion } from './pack-version.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});

afterEach(() => folder.remove());

const whole = '[pack]\nnamespace = "acme"\nname = "my_pack"\nversion = "1.2.0-beta.1"\n';

function messageOf(text: string): string {
  try {
    parsePackManifest(text, 'pack.toml');
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

test('reads the fields of a manifest and the record of the installer', () => {
  const more = `${whole}license = "MIT"\nhomepage = 7\n\n[installed]\ntime = "2026-08-05T10:00:00-07:00"\nsource = "aipack.ai"\n`;
  expect(parsePackManifest(more, 'pack.toml')).toEqual({
    namespace: 'acme',
    name: 'my_pack',
    version: '1.2.0-beta.1',
    license: 'MIT',
    installed: { time: '2026-08-05T10:00:00-07:00', source: 'aipack.ai' },
  });
});

test.each([
  ['', 'Missing [pack] section in pack.toml'],
  ['pack = 1', 'Missing [pack] section in pack.toml'],
  ['[pack]\nname = "a"', "version field is missing or empty in 'pack.toml'"],
  ['[pack]\nversion = "1.0.0"\nname = "a"', "namespace field is missing or empty in 'pack.toml'"],
  ['[pack]\nversion = "1.0.0"\nnamespace = "a"\nname = " "', "name field is missing or empty in 'pack.toml'"],
  ['[pack]\nversion = 1', "version field is missing or empty in 'pack.toml'"],
  [
    '[pack]\nversion = "1.0"',
    'Invalid version format in pack.toml. Version must follow semver format (e.g., 1.0.0, 1.0.0-alpha.1)',
  ],
])('rejects %j', (text, message) => {
  expect(messageOf(text)).toBe(message);
});

test.each(['../x', '1a', 'a b', 'ä', 'a.b', 'a/b', '-a'])('rejects the name %j', (name) => {
  expect(messageOf(whole.replace('my_pack', name))).toContain(JSON.stringify(name));
  expect(messageOf(whole.replace('acme', name))).toContain(JSON.stringify(name));
});

describe('extreme values', () => {
  const long = '1'.repeat(400);
  test.each([
    `${long}.0.0`,
    `1.${long}.0`,
    `1.0.${long}`,
    `1.0.0-alpha.${long}`,
    `1.0.0-${'a'.repeat(400)}.1`,
    '9007199254740993.0.0',
    '1'.repeat(100_000),
  ])('rejects the version %#', (version) => {
    expect(isPackVersion(version)).toBe(false);
    const message = messageOf(whole.replace('1.2.0-beta.1', version));
    expect(message).toMatch(
      /^Invalid version format in pack\.toml|^The version in pack\.toml is longer than 128 characters/,
    );
    expect(message.length).toBeLessThan(300);
  });

  test.each([`a${'b'.repeat(100)}`, 'x'.repeat(100_000), 'é'.repeat(5000)])('rejects the name %#', (name) => {
    for (const field of ['my_pack', 'acme']) {
      const message = messageOf(whole.replace(field, name));
      expect(message).toContain('only letters, digits, "_" and "-", at most 100');
      expect(message.length).toBeLessThan(300);
    }
  });

  test.each(['license', 'homepage', 'repo', 'author', 'email'])('rejects a long %s', (field) => {
    expect(messageOf(`${whole}${field} = "${'x'.repeat(2001)}"`)).toContain(
      `${field} in 'pack.toml' is longer than 2000`,
    );
    expect(messageOf(`${whole}${field} = "${'x'.repeat(2000)}"`)).toBe('none');
  });

  test.each(['source', 'commit', 'time'])("rejects a long value in the installer's record: %s", (field) => {
    expect(messageOf(`${whole}[installed]\n${field} = "${'x'.repeat(3000)}"`)).toContain('is longer than 2000');
  });

  test.each([
    `[pack]\n${'x'.repeat(100_000)}`,
    `[pack]\nname = ${'['.repeat(20_000)}`,
    `[pack]\nname = "\u0000"\nversion = "1.0.0"\nnamespace = "a"`,
    `${whole}[installed]\ntime = 99:99:99`,
    `a = ${'{a='.repeat(20_000)}`,
  ])('rejects the text %#', (text) => {
    const message = messageOf(text);
    expect(message.length).toBeLessThan(500);
    expect(message).toContain('pack.toml');
  });
});

test.each([
  ['1.2.3', '1.2.3', 0],
  ['01.2.3', '1.2.3', 0],
  ['2.0.0', '10.0.0', -1],
  ['002.0.0', '10.0.0', -1],
  ['999999999999999.0.0', '1000000.0.0', 1],
  ['1.0.0-a_b.2', '1.0.0-a_b.10', -1],
  ['1.0.0-alpha.002', '1.0.0-alpha.10', -1],
  ['1.0.0-alpha', '1.0.0', -1],
])('compares %s and %s', (first, second, order) => {
  expect(Math.sign(compareVersions(first, second))).toBe(order);
  expect(Math.sign(compareVersions(second, first))).toBe(order === 0 ? 0 : -order);
});

test('reports the position of invalid TOML', () => {
  expect(() => parsePackManifest('[pack]\nname = oops\n', 'pack.toml')).toThrow(
    expect.objectContaining({ code: 'pack.bad-manifest', line: 2 }),
  );
});

test('distinguishes a missing manifest from an invalid one', async () => {
  await expect(readPackManifest(folder.path)).rejects.toMatchObject({
    code: 'pack.no-manifest',
    details: { folder: folder.path },
  });
  folder.write('pack.toml', Buffer.from([0xff, 0xfe, 0]));
  await expect(readPackManifest(folder.path)).rejects.toMatchObject({ code: 'files.not-text' });
});

test('validates the format of versions', () => {
  for (const version of ['0.0.1', '1.2.3-beta', '1.2.3-beta.4', '1.2.3-a_b-c.0'])
    expect(isPackVersion(version)).toBe(true);
  for (const version of ['1', '1.2', 'v1.2.3', '1.2.3-1', '1.2.3-a.b', '1.2.3+x', '1.2.3-a.1.2', '1.2.3 ']) {
    expect(isPackVersion(version)).toBe(false);
  }
});

test('AP-21 a pre-release without a number cannot be installed', () => {
  expect(() => checkInstallable('1.0.0-alpha')).toThrow(
    'Invalid prerelease format in version 1.0.0-alpha. Prereleases must end with .number (e.g., -alpha.1)',
  );
  expect(() => checkInstallable('0.6.6-WIP')).toThrow(/Prereleases must end/);
  expect(() => checkInstallable('1.0.0-alpha.1')).not.toThrow();
  expect(() => checkInstallable('1.0.0')).not.toThrow();
});

test('compares versions', () => {
  const ordered = [
    '0.9.9',
    '1.0.0-alpha.1',
    '1.0.0-alpha.2',
    '1.0.0-alpha.10',
    '1.0.0-beta.1',
    '1.0.0',
    '1.0.10',
    '1.2.0',
  ];
  const shuffled = [...ordered].reverse();
  expect(shuffled.sort(compareVersions)).toEqual(ordered);
  expect(compareVersions('v1.0.0', '1.0.0')).toBe(0);
  expect(compareVersions('abc', 'abd')).toBeLessThan(0);
});

test('adds or replaces the installation record and leaves the rest unchanged', () => {
  const text = `# mine\n${whole}\n[extra]\nkey = 1\n`;
  const once = withInstalledRecord(text, { time: 't1', source: 'aipack.ai' });
  expect(once).toBe(`${text}\n[installed]\ntime = "t1"\nsource = "aipack.ai"\n`);
  const between = once.replace('[extra]', '[installed]\ncommit = "old"\n\n[extra]');
  const twice = withInstalledRecord(between, { time: 't2', source: 'C:\\a "b"', commit: 'abc' });
  expect(parsePackManifest(twice, 'pack.toml').installed).toEqual({ time: 't2', source: 'C:\\a "b"', commit: 'abc' });
  expect(twice).toContain('[extra]\nkey = 1\n');
});

test('timestamps are in local time', () => {
  const now = Date.UTC(2026, 7, 5, 17, 0, 0);
  const stamp = localTimestamp(now);
  expect(stamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
  expect(Date.parse(stamp)).toBe(now);
});
