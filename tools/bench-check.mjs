/**
 * `npm run bench -- check [--write]`: compares counts that do not depend on the machine, such as the bytes that a node
 * allocates or the modules that a start loads, with the committed ones in `bench/counts.json`. A test run fails if one
 * has grown.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { runCaptured } from './child-process.mjs';
import { cliPath, root } from './paths.mjs';
import { allParts } from './program-build.mjs';
import { ToolError } from './tool-error.mjs';

/** @typedef {Record<string, number>} Counts counts by name */

/** How far a count may exceed the committed one, as a fraction. */
const tolerance = 0.05;
/** A smaller absolute change is rounding. */
const leastChange = 0.02;

const countsFile = path.join(root, 'bench', 'counts.json');

/** Interpreted code always allocates the same amount; compiled code allocates less over time. */
const steady = ['--expose-gc', '--no-opt', '--no-sparkplug', '--min-semi-space-size=128', '--max-semi-space-size=128'];

/**
 * @param {readonly string[]} args arguments of Node
 * @returns {Promise<unknown>} the last line it prints, parsed
 */
async function jsonOf(args) {
  const { code, output } = await runCaptured(process.execPath, args, { cwd: root });
  if (code !== 0) throw new ToolError(`${args.join(' ')} ended with code ${code}:\n${output}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

/** @returns {Promise<Counts>} */
async function count() {
  const engine = /** @type {Counts} */ (await jsonOf([...steady, 'bench/count-engine.mjs']));
  const start = /** @type {Counts} */ (await jsonOf(['bench/count-cli-start.mjs', cliPath]));
  const window = /** @type {Record<'page' | 'main' | 'host', Counts>} */ (
    await jsonOf(['bench/count-page-start.mjs', 'out'])
  );
  return {
    ...engine,
    ...named('until the first node of the command line', start),
    ...named('until the first card, page', window.page),
    ...named('until the first card, main process', window.main),
    ...named('until the first card, engine host', window.host),
  };
}

/** @param {string} when @param {Counts} counts @returns {Counts} */
function named(when, counts) {
  return Object.fromEntries(Object.entries(counts).map(([what, value]) => [`${what} ${when}`, value]));
}

/**
 * @param {Counts} committed
 * @param {Counts} found
 * @returns {{ failures: string[], hints: string[] }} sentences
 */
export function compareCounts(committed, found) {
  const failures = [];
  const hints = [];
  for (const [what, before] of Object.entries(committed)) {
    const now = found[what];
    if (now === undefined) failures.push(`${what}: no longer counted; bench/counts.json has ${before}`);
    else if (isBeyond(now, before))
      failures.push(`${what}: ${now}, more than the committed ${before} by ${share(now, before)}`);
    else if (isBeyond(before, now)) hints.push(`${what}: ${now}, less than the committed ${before}`);
  }
  for (const what of Object.keys(found)) {
    if (!(what in committed)) failures.push(`${what}: counted, but missing in bench/counts.json`);
  }
  return { failures, hints };
}

/** @param {number} more @param {number} than */
function isBeyond(more, than) {
  return more > than * (1 + tolerance) && more - than > leastChange;
}

/** @param {number} now @param {number} before */
function share(now, before) {
  return before === 0 ? 'any number' : `${((now / before - 1) * 100).toFixed(1)} %`;
}

/** Major version of the running Node. Allocations differ between major versions. */
const major = process.versions.node.split('.')[0] ?? '';

/** @returns {Promise<Record<string, Counts>>} by major version of Node */
async function committedCounts() {
  return JSON.parse(await readFile(countsFile, 'utf8'));
}

/** @type {import('./part-result.mjs').Part} */
export const countsCheck = {
  name: 'performance counts',
  run: async () => {
    const committed = (await committedCounts())[major];
    if (committed === undefined) {
      const why = `bench/counts.json has no counts for Node ${major}`;
      return { passed: 1, failed: 0, output: '', leftOut: [{ what: 'performance counts', why }] };
    }
    const { failures } = compareCounts(committed, await count());
    const advice =
      'Find the cause. To accept the new counts, run `npm run bench -- check --write` and explain the reason in the commit message.';
    const output = failures.length === 0 ? '' : [...failures, advice].join('\n');
    return { passed: Object.keys(committed).length - failures.length, failed: failures.length, output, failures };
  },
};

/**
 * @param {{ isWriting: boolean }} options whether to commit the new counts
 * @returns {Promise<number>} exit code
 */
export async function benchCheck({ isWriting }) {
  await bootstrap({ electron: false, build: allParts });
  const found = await count();
  const all = await committedCounts();
  if (isWriting) {
    await writeFile(countsFile, `${JSON.stringify({ ...all, [major]: found }, undefined, 2)}\n`);
    console.log(`Wrote the counts for Node ${major} to bench/counts.json.`);
    return 0;
  }
  for (const [what, value] of Object.entries(found)) console.log(`${what}: ${value}`);
  const { failures, hints } = compareCounts(all[major] ?? found, found);
  for (const line of [...hints, ...failures]) console.log(line);
  if (all[major] === undefined)
    console.log(`bench/counts.json has no counts for Node ${major}, so nothing was compared.`);
  return failures.length === 0 ? 0 : 1;
}
