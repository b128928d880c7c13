import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolderOf } from './bundled-packages-plugin.ts';
import { licenseProblems, readAudit } from './check-packages.mjs';
import { billOfMaterials, isAllowed, licensesText } from './licenses.mjs';

const root = path.join(import.meta.dirname, '..');

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-or-later)', true],
  ['GPL-3.0-or-later OR MIT', true],
  ['MIT AND Zlib', true],
  ['MIT AND GPL-3.0-only', false],
  ['(MIT AND GPL-3.0-only) OR Apache-2.0', true],
  ['EPL-2.0', false],
  ['SEE LICENSE IN terms.txt', false],
  ['', false],
  ['unknown', false],
])('%j may be shipped: %j', (license, expected) => {
  expect(isAllowed(license)).toBe(expected);
});

test('packages with other terms, or without any, are named', () => {
  expect(
    licenseProblems({
      '': {},
      'node_modules/a': { license: 'MIT' },
      'node_modules/tool': { license: 'MPL-2.0' },
      'node_modules/a/node_modules/elkjs': { license: 'EPL-2.0' },
      'node_modules/bare': {},
      'node_modules/duck': { license: 'BSD' },
    }),
  ).toEqual([
    'node_modules/a/node_modules/elkjs: the licence EPL-2.0 is not one of tools/licenses.mjs',
    'node_modules/bare: the licence unknown is not one of tools/licenses.mjs',
  ]);
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  expect(licenseProblems(packages)).toEqual([]);
});

describe('an audit', () => {
  const found = (severity: string) => JSON.stringify({ vulnerabilities: { left: { severity, range: '<2' } } });

  test('fails for what is high or critical', () => {
    expect(readAudit(found('critical'))).toEqual({ problems: ['left <2: critical; see npm audit'] });
    expect(readAudit(`npm warn x\n${found('high')}\n`)).toEqual({ problems: ['left <2: high; see npm audit'] });
    expect(readAudit(found('moderate'))).toEqual({ problems: [] });
    expect(readAudit('{"vulnerabilities":{}}')).toEqual({ problems: [] });
  });

  test('that got no answer says so, and accuses nobody', () => {
    expect(readAudit('{"message":"405 Method Not Allowed","statusCode":405}')).toEqual({
      unknown: '405 Method Not Allowed',
    });
    expect(readAudit('npm error network timeout')).toEqual({ unknown: 'npm error network timeout' });
    expect(readAudit('')).toEqual({ unknown: 'npm said nothing' });
  });
});

test.each([
  ['node_modules/yaml/browser/index.js', 'node_modules/yaml'],
  ['node_modules/@xyflow/react/node_modules/zustand/index.js', 'node_modules/@xyflow/react/node_modules/zustand'],
  ['node_modules/@scope/name/a.js?worker', 'node_modules/@scope/name'],
  ['engine/index.ts', undefined],
])('a module %s belongs to %s', (file, folder) => {
  expect(packageFolderOf(path.join(root, file))).toBe(folder);
  expect(packageFolderOf(`\0${path.join(root, file)}`)).toBe(folder);
});

test('modules that a build makes up belong to no package', () => {
  expect(packageFolderOf('\0virtual:lua-worker')).toBeUndefined();
});

const integrity = `sha512-${Buffer.alloc(64, 1).toString('base64')}`;
const components = [
  { name: '@a/b', version: '1.0.0', license: 'MIT', texts: ['Terms of b', 'Notice of b'], integrity },
  { name: 'c', version: '2.0.0-rc.1', license: '(MIT OR GPL-3.0-or-later)', texts: ['Terms of c'] },
];

test('the list holds name, version, licence and all texts of each', () => {
  const text = licensesText(components);
  expect(text).toMatch(/^Millrace is made with the work of others/);
  expect(text).toContain('\n@a/b 1.0.0 (MIT)\n');
  expect(text).toContain('\nTerms of b\n\nNotice of b\n');
  expect(text).toContain('\nc 2.0.0-rc.1 ((MIT OR GPL-3.0-or-later))\n');
});

test('the bill of materials has what CycloneDX requires, and names each thing once', () => {
  const bill = billOfMaterials(components, { version: '1.2.3', electron: '45.0.0' });
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(bill.metadata.component).toMatchObject({ type: 'application', name: 'millrace', version: '1.2.3' });
  expect(bill.components).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40a/b@1.0.0',
      name: '@a/b',
      version: '1.0.0',
      purl: 'pkg:npm/%40a/b@1.0.0',
      licenses: [{ license: { id: 'MIT' } }],
      hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }],
    },
    {
      type: 'library',
      'bom-ref': 'pkg:npm/c@2.0.0-rc.1',
      name: 'c',
      version: '2.0.0-rc.1',
      purl: 'pkg:npm/c@2.0.0-rc.1',
      licenses: [{ expression: 'MIT OR GPL-3.0-or-later' }],
    },
    {
      type: 'framework',
      'bom-ref': 'pkg:npm/electron@45.0.0',
      name: 'electron',
      version: '45.0.0',
      purl: 'pkg:npm/electron@45.0.0',
      licenses: [{ license: { id: 'MIT' } }],
    },
  ]);
});
