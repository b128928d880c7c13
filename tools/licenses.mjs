/**
 * The third-party components of the program: the list with their license texts, which is shipped and displayed, and a
 * bill of materials (CycloneDX 1.6). Both are created from the packages used in the builds.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { outDir, packageFile, root } from './paths.mjs';
import { ToolError } from './tool-error.mjs';

/** Folder of both files. */
export const licensesDir = path.join(outDir, 'licenses');
export const licensesFile = 'THIRD-PARTY-LICENSES.txt';
export const materialsFile = 'millrace.cdx.json';

/** Package lists of the packed builds. */
const lists = ['node', 'preload', 'renderer', 'form-page', 'cli/node'].map((folder) => `${folder}/packages.json`);
/**
 * Packages that are in no list: the native module and its loader are not bundled, fonts are referenced by styles, pages
 * of the documentation load their search as a file, and the prices of models were copied into the code.
 */
const others = [
  '@photostructure/sqlite',
  '@pydantic/genai-prices',
  'node-gyp-build',
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  'minisearch',
];

/**
 * Licenses allowed for packages that are shipped or used here. They only require redistributors to keep the notices.
 */
const allowedLicenses = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
];

/**
 * Licenses by package name: packages without readable license information, and packages with custom terms that were
 * reviewed.
 * @type {Readonly<Record<string, string>>}
 */
const known = {
  // Its LICENSE file contains the two clauses.
  duck: 'BSD-2-Clause',
  // According to the project, newer contributions are under the second license. Used only by tests.
  '@modelcontextprotocol/server-everything': 'MIT AND Apache-2.0',
  '@modelcontextprotocol/server-filesystem': 'MIT AND Apache-2.0',
};

/**
 * @param {string} folder folder of a package, relative to the repository
 * @param {string | undefined} said license declared by the package
 * @returns {string} an SPDX expression
 */
export function licenseOf(folder, said) {
  return known[folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)] ?? said ?? 'unknown';
}

/**
 * Returns whether one alternative of an SPDX expression is allowed as a whole.
 * @param {string} expression such as `(MIT OR GPL-3.0-or-later)` or `MIT AND Zlib`
 */
export function isAllowed(expression) {
  const choices = expression.replace(/[()]/g, ' ').split(/\bOR\b/);
  return choices.some((choice) => choice.split(/\bAND\b/).every((name) => allowedLicenses.includes(name.trim())));
}

/**
 * @typedef {object} Component
 * @property {string} name
 * @property {string} version
 * @property {string} license SPDX expression
 * @property {string | { name: string }} [author]
 * @property {string[]} texts license and notices in its package; may be empty
 * @property {string} [integrity] hash of the package in the lock file
 */

/** @returns {Promise<string[]>} folders of the packages in the program, relative to the repository */
async function shippedFolders() {
  const listed = await listedFolders(lists);
  return [...new Set([...others.map((name) => `node_modules/${name}`), ...listed])].sort();
}

/**
 * @param {readonly string[]} files package lists of builds
 * @returns {Promise<string[]>} folders of packages, relative to the repository
 */
async function listedFolders(files) {
  const found = new Set();
  for (const list of files) {
    for (const folder of JSON.parse(await readFile(path.join(outDir, list), 'utf8'))) found.add(folder);
  }
  return [...found].sort();
}

/**
 * @param {string} folder relative to the repository
 * @param {Record<string, { integrity?: string }>} locked
 * @returns {Promise<Component>}
 */
async function readComponent(folder, locked) {
  const place = path.join(root, folder);
  const { name, version, license, author } = JSON.parse(await readFile(path.join(place, 'package.json'), 'utf8'));
  const files = (await readdir(place)).filter((file) => /^(licen[cs]e|copying|notice|thirdpartynotices)/i.test(file));
  const texts = [];
  for (const file of files.sort()) texts.push((await readFile(path.join(place, file), 'utf8')).trim());
  const { integrity } = locked[folder] ?? {};
  return { name, version, license: licenseOf(folder, license), author, texts, ...(integrity && { integrity }) };
}

/**
 * Returns the terms for a package without a license text: those of another package with the same license, without the
 * copyright holder.
 * @param {Component} component
 * @param {readonly Component[]} all
 */
function usualTerms({ name, license, author }, all) {
  const who = (typeof author === 'string' ? author : author?.name) ?? `the authors of ${name}`;
  const same = all.flatMap((other) => (other.license === license ? other.texts.slice(0, 1) : []));
  const text = same.find((one) => /^\s*(Apache License|(The )?(MIT|ISC) License)/i.test(one)) ?? same[0] ?? license;
  const terms = license === 'Apache-2.0' ? text : text.replace(/^.*copyright \(c\).*$/gim, '').trim();
  return `Copyright (c) ${who}\n\n${terms}`;
}

/**
 * @param {readonly string[]} folders folders of the shipped packages, relative to the repository
 * @returns {Promise<Component[]>} the shipped components, by name
 * @throws {ToolError} if a license is not allowed for the program
 */
async function shippedComponents(folders) {
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  /** @type {Component[]} */
  const components = [];
  for (const folder of folders) components.push(await readComponent(folder, packages));
  const refused = components.filter(({ license }) => !isAllowed(license));
  if (refused.length === 0) {
    const withTexts = components.map((one) =>
      one.texts.length > 0 ? one : { ...one, texts: [usualTerms(one, components)] },
    );
    return [...new Map(withTexts.map((one) => [`${one.name}@${one.version}`, one])).values()];
  }
  const named = refused.map(({ name, license }) => `${name} (${license})`).join(', ');
  throw new ToolError(
    `The program must not be shipped with ${named}. Add the license to tools/licenses.mjs if its terms can be met, or use another package.`,
  );
}

const runtimeNote =
  'The licenses of Electron and Chromium are in separate files next to the program: LICENSE.electron.txt and LICENSES.chromium.html.';

/**
 * @param {readonly Component[]} components
 * @param {readonly string[]} notes further sentences of the heading
 */
export function licensesText(components, notes = [runtimeNote]) {
  const heading = [
    'Millrace contains the following third-party software. The license of each component is below its name.',
    ...notes,
  ].join('\n');
  const line = '='.repeat(80);
  const parts = components.map(
    ({ name, version, license, texts }) =>
      `${line}\n${name} ${version} (${license})\n${line}\n\n${texts.join('\n\n')}\n`,
  );
  return `${heading}\n\n${parts.join('\n')}`;
}

/**
 * Returns the bill of materials in CycloneDX JSON, version 1.6.
 * @param {readonly Component[]} components
 * @param {{ version: string, electron: string }} program
 */
export function billOfMaterials(components, { version, electron }) {
  const runtime = { name: 'electron', version: electron, license: 'MIT', texts: [] };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `millrace@${version}`,
        name: 'millrace',
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: [...components, runtime].map(materialOf),
  };
}

/** @param {Component} component */
function materialOf({ name, version, license, integrity }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const isOne = allowedLicenses.includes(license);
  const sha512 = /^sha512-(.+)$/.exec(integrity ?? '')?.[1];
  return {
    type: name === 'electron' ? 'framework' : 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [isOne ? { license: { id: license } } : { expression: license.replace(/^\((.*)\)$/, '$1') }],
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
  };
}

/**
 * Returns the license texts of the packages in the library.
 * @throws {ToolError} if a license is not allowed for it
 */
export async function licensesOfLibrary() {
  const components = await shippedComponents(await listedFolders(['library/node/packages.json']));
  return licensesText(components, []);
}

/**
 * Writes both files for the current builds.
 * @throws {ToolError} like `shippedComponents`
 */
export async function writeLicenses() {
  const components = await shippedComponents(await shippedFolders());
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const { version: electron } = JSON.parse(await readFile(packageFile('electron/package.json'), 'utf8'));
  const materials = billOfMaterials(components, { version, electron });
  await mkdir(licensesDir, { recursive: true });
  await writeFile(path.join(licensesDir, licensesFile), licensesText(components));
  await writeFile(path.join(licensesDir, materialsFile), `${JSON.stringify(materials, null, 2)}\n`);
}
