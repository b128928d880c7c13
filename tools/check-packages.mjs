/** Checks whether packages may be used: their licenses and known vulnerabilities. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { captureNpm } from './child-process.mjs';
import { isAllowed, licenseOf } from './licenses.mjs';
import { root } from './paths.mjs';

const auditLimitMs = 60_000;

/** Licenses allowed for tools, which are not distributed, in addition to those allowed for the program. */
const allowedForTools = ['MPL-2.0'];

/**
 * @param {Record<string, { license?: string }>} packages packages of a lock file, by folder
 * @returns {string[]} the problems, one line per package
 */
export function licenseProblems(packages) {
  return Object.entries(packages).flatMap(([folder, entry]) => {
    const license = licenseOf(folder, entry.license);
    const isFine = folder === '' || isAllowed(license) || allowedForTools.includes(license);
    return isFine ? [] : [`${folder}: the license ${license} is not allowed in tools/licenses.mjs`];
  });
}

/** @type {import('./part-result.mjs').Part} */
export const licenseCheck = {
  name: 'package licenses',
  run: async () => {
    const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
    const problems = licenseProblems(packages);
    return { passed: problems.length === 0 ? 1 : 0, failed: problems.length, output: problems.join('\n') };
  },
};

/**
 * Parses the output of `npm audit --json`.
 * @param {string} output
 * @returns {{ problems: string[] } | { unknown: string }} high and critical vulnerabilities, or why they are not known
 */
export function readAudit(output) {
  const start = output.indexOf('{');
  /** @type {{ vulnerabilities?: Record<string, { severity: string, range: string }>, message?: string }} */
  let found = {};
  try {
    found = JSON.parse(output.slice(start, output.lastIndexOf('}') + 1));
  } catch {
    return { unknown: output.trim().split('\n')[0] || 'npm printed nothing' };
  }
  if (found.vulnerabilities === undefined) return { unknown: found.message ?? 'the registry returned no list' };
  const bad = Object.entries(found.vulnerabilities).filter(([, { severity }]) => /^(high|critical)$/.test(severity));
  return { problems: bad.map(([name, { severity, range }]) => `${name} ${range}: ${severity}; see npm audit`) };
}

/**
 * Queries the registry for known vulnerabilities of the packages. If the network is not available or the registry does
 * not respond, reports that without failing.
 * @type {import('./part-result.mjs').Part}
 */
export const audit = {
  name: 'package vulnerabilities',
  run: async () => {
    const { output } = await captureNpm(['audit', '--json', '--loglevel=silent'], { cwd: root, limitMs: auditLimitMs });
    const found = readAudit(output);
    if ('unknown' in found) {
      return {
        passed: 1,
        failed: 0,
        output: '',
        leftOut: [{ what: 'package vulnerabilities', why: found.unknown }],
      };
    }
    return {
      passed: found.problems.length === 0 ? 1 : 0,
      failed: found.problems.length,
      output: found.problems.join('\n'),
    };
  },
};
