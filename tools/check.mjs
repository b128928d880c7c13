/**
 * `npm run check`: types, lint and format, layers, unused code. Files that have not changed since the last run are not
 * read again.
 */
import path from 'node:path';
import { audit, licenseCheck } from './check-packages.mjs';
import { arePackagesCurrent, installPackages } from './packages.mjs';
import { conclude, programPart, runParts } from './part-result.mjs';
import { cacheDir, packageFile } from './paths.mjs';

const typeConfigs = [
  'engine/tsconfig.isomorphic.json',
  'tsconfig.host.json',
  'electron/preload/tsconfig.json',
  'renderer/tsconfig.json',
  'e2e/tsconfig.json',
  'bench/tsconfig.json',
  'tools/tsconfig.json',
];

const memory = path.join(cacheDir, 'checks');

/** @param {string} config */
function typesPart(config) {
  const file = path.join(memory, `${config.replaceAll('/', '-')}.tsbuildinfo`);
  const args = ['-p', config, '--incremental', '--tsBuildInfoFile', file];
  return packagePart(`types of ${config}`, 'typescript/bin/tsc', args);
}

/**
 * @param {string} name
 * @param {string} script inside `node_modules`
 * @param {readonly string[]} args
 */
function packagePart(name, script, args) {
  return programPart(name, process.execPath, [packageFile(script), ...args]);
}

/** Each entry is one check. The sizes of files and functions are lint rules. */
export const checks = [
  ...typeConfigs.map(typesPart),
  packagePart('lint and format', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']),
  packagePart('unused code', 'knip/bin/knip.js', ['--cache', '--cache-location', path.join(memory, 'knip')]),
  licenseCheck,
  audit,
];

const layers = packagePart('layers', 'vitest/vitest.mjs', ['run', 'engine/testing/layers.test.ts']);

/** @returns {Promise<number>} exit code */
export async function main() {
  if (!(await arePackagesCurrent())) await installPackages();
  return conclude(await runParts([...checks, layers], 2));
}
