/** Finds the tests that a test run excludes or skips, and why. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './paths.mjs';

/**
 * @typedef {object} LeftOut
 * @property {string} what
 * @property {string} why
 */

/** @typedef {{ title: string, fullName: string, ancestorTitles: string[], status: string }} VitestResult */

/**
 * Returns the tests that Vitest skipped. Vitest stores no reasons: each is the condition in the source, at the test or
 * at a group around it.
 * @param {{ testResults: { name: string, assertionResults: VitestResult[] }[] }} report
 * @param {(file: string) => Promise<string>} [readSource]
 * @returns {Promise<LeftOut[]>}
 */
export async function leftOutOfVitest({ testResults }, readSource = (file) => readFile(file, 'utf8')) {
  const found = await Promise.all(
    testResults.map(async ({ name: file, assertionResults }) => {
      const skipped = assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed');
      if (skipped.length === 0) return [];
      const conditions = conditionsIn(await readSource(file));
      return skipped.map(({ title, fullName, ancestorTitles }) => ({
        what: `${path.relative(root, file)}: ${fullName.trim()}`,
        why: reasonFor([title, ...ancestorTitles.toReversed()], conditions),
      }));
    }),
  );
  return found.flat();
}

/** @typedef {{ why: string, title: string }} Condition */

/**
 * @param {string} source source of a test file
 * @returns {Condition[]}
 */
function conditionsIn(source) {
  return [...source.matchAll(/\.(skipIf|runIf|skip|todo)\(/g)].flatMap(({ 1: kind = '', index, 0: call }) => {
    const start = index + call.length;
    const hasCondition = kind === 'skipIf' || kind === 'runIf';
    const end = hasCondition ? endOfParentheses(source, start) : start;
    const title = /(['"`])((?:\\.|(?!\1).)*)\1/s.exec(source.slice(end))?.[2];
    if (title === undefined) return [];
    const words = source
      .slice(start, end - 1)
      .replaceAll(/\s+/g, ' ')
      .trim();
    const condition = words.replace(/,$/, '');
    const reasons = { skipIf: `skipped if ${condition}`, runIf: `runs only if ${condition}` };
    return [{ why: hasCondition ? reasons[/** @type {'skipIf'} */ (kind)] : `marked with ${kind} in the file`, title }];
  });
}

/**
 * @param {string} source
 * @param {number} start offset after an opening parenthesis
 * @returns {number} offset after the matching closing one
 */
function endOfParentheses(source, start) {
  let depth = 1;
  let at = start;
  for (; at < source.length && depth > 0; at++) {
    if (source[at] === '(') depth += 1;
    if (source[at] === ')') depth -= 1;
  }
  return at;
}

/**
 * @param {readonly string[]} names names of the test and the groups around it, innermost first
 * @param {readonly Condition[]} conditions
 */
function reasonFor(names, conditions) {
  for (const name of names) {
    const own = conditions.find(({ title }) => isTitleOf(title, name));
    if (own !== undefined) return own.why;
  }
  return conditions.length === 1 ? /** @type {Condition} */ (conditions[0]).why : 'the test skipped itself';
}

/**
 * @param {string} written title in the source, possibly with placeholders
 * @param {string} name displayed title
 */
function isTitleOf(written, name) {
  const parts = written.replaceAll(/\\(.)/g, '$1').split(/%[sdifjoO#%]|\$\{[^}]*\}|\$[\w.]+/);
  const pattern = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*');
  return new RegExp(`^${pattern}$`, 's').test(name);
}

/**
 * @typedef {object} PlaywrightSuite
 * @property {string} [file]
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ title: string, file: string, tests: { status: string, annotations: { type: string, description?: string }[] }[] }[]} [specs]
 */

/**
 * Returns the tests that Playwright skipped, with their reasons.
 * @param {{ suites?: PlaywrightSuite[] }} report
 * @returns {LeftOut[]}
 */
export function leftOutOfPlaywright({ suites = [] }) {
  return suites.flatMap((suite) => [
    ...leftOutOfPlaywright(suite),
    ...(suite.specs ?? []).flatMap(({ title, file, tests }) =>
      tests
        .filter(({ status }) => status === 'skipped')
        .map(({ annotations }) => {
          const given = annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description;
          return { what: `e2e/${file}: ${title}`, why: given ?? 'an earlier test of its group failed' };
        }),
    ),
  ]);
}

/**
 * Returns the end-to-end tests with the tag `@thorough` in the text of their file.
 * @param {string} file
 * @param {string} source
 * @param {string} why
 * @returns {LeftOut[]}
 */
export function thoroughTestsIn(file, source, why) {
  const tagged = source.matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1).)*)\1,\s*\{\s*tag: '@thorough'/gs);
  return [...tagged].map(({ 2: title = '' }) => ({ what: `${file}: ${title.replaceAll(/\\(.)/g, '$1')}`, why }));
}

/**
 * @param {readonly LeftOut[]} leftOut
 * @returns {string} one line per test
 */
export function leftOutText(leftOut) {
  return leftOut.map(({ what, why }) => `Skipped: ${what}. Reason: ${why.replace(/\.$/, '')}.\n`).join('');
}
