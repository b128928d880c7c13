/** Reads the counts and the failures from the reports of the test runners. */
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './paths.mjs';

/** @typedef {{ fullName: string, status: string, failureMessages?: string[] }} VitestTest */

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {{ name: string, status: string, message?: string, assertionResults: VitestTest[] }[]} testResults one per file
 */

/**
 * Counts the tests of a report. A file that does not load has no tests that could fail, so the file itself counts.
 * @param {VitestReport} report
 */
export function countVitest(report) {
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

/**
 * @param {Pick<VitestReport, 'testResults'>} report
 * @returns {string[]} file, title and reason of each failed test, on one line
 */
export function failuresOfVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [failureLine(file, message)] : [];
    return failed.map(({ fullName, failureMessages }) =>
      failureLine(`${file}: ${fullName.trim()}`, failureMessages?.[0]),
    );
  });
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {PlaywrightSpec[]} [specs]
 */

/**
 * @typedef {object} PlaywrightSpec
 * @property {string} title
 * @property {string} file
 * @property {{ status: string, results: { error?: { message?: string } }[] }[]} tests
 */

/**
 * @typedef {object} PlaywrightReport
 * @property {{ expected: number, unexpected: number, flaky: number }} stats
 * @property {{ message?: string }[]} errors outside of tests
 * @property {PlaywrightSuite[]} [suites]
 */

/**
 * Counts the tests of a report. A test that passes only on a retry counts as failed.
 * @param {PlaywrightReport} report
 */
export function countPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}

/**
 * @param {Pick<PlaywrightReport, 'suites' | 'errors'>} report
 * @returns {string[]} file, title and reason of each failed test, on one line
 */
export function failuresOfPlaywright({ suites = [], errors }) {
  return [...errors.map(({ message }) => failureLine('outside of tests', message)), ...suites.flatMap(failuresOfSuite)];
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function failuresOfSuite({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => failureLine(`e2e/${file}: ${title}`, results.find(({ error }) => error)?.error?.message)),
  );
  return [...own, ...suites.flatMap(failuresOfSuite)];
}

/** Maximum length of a reason that fits in the last lines of a log. */
const longestReason = 600;

/**
 * @param {string} what
 * @param {string} [reason] may have several lines and terminal colors
 */
function failureLine(what, reason = '') {
  const words = stripVTControlCharacters(reason).replaceAll(/\s+/g, ' ').trim();
  return words === '' ? what : `${what}: ${words.slice(0, longestReason)}`;
}
