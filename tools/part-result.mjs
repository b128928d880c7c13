/** Parts of a test run: their results, how they are printed, and how they are combined. */
import { exitCodeOfStop, runCaptured } from './child-process.mjs';
import { leftOutText } from './left-out.mjs';
import { say, withProgress } from './progress.mjs';
import { ToolError } from './tool-error.mjs';

/**
 * @typedef {object} PartResult
 * @property {string} name
 * @property {number} passed
 * @property {number} failed
 * @property {number} seconds
 * @property {string} output shown if something failed
 * @property {readonly LeftOut[]} [leftOut]
 * @property {readonly string[]} [failures] one line per failed test, if known
 */

/** @typedef {import('./left-out.mjs').LeftOut} LeftOut */

/** @typedef {Pick<PartResult, 'passed' | 'failed'>} Counts */

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {() => Promise<Counts & Pick<PartResult, 'output' | 'leftOut' | 'failures'>>} run rejects if the part could
 * not run at all
 * @property {boolean} [showsSteps] whether it shows its own progress
 */

/**
 * Counts a part that ran nothing as failed, because it looked in the wrong place.
 * @param {Counts} counts
 * @returns {Counts}
 */
export function failWhenEmpty({ passed, failed }) {
  return passed + failed === 0 ? { passed: 0, failed: 1 } : { passed, failed };
}

/**
 * Adds a failure for an error that a test runner found outside of the counted tests, such as an unhandled rejection or
 * a worker that died.
 * @param {Counts} counts
 * @param {number} exitCode exit code of the runner
 * @returns {Counts}
 */
export function failWhenUnexplained({ passed, failed }, exitCode) {
  return exitCode !== 0 && failed === 0 ? { passed, failed: 1 } : { passed, failed };
}

/** @param {unknown} error */
function reasonOf(error) {
  if (error instanceof ToolError) return error.message;
  return error instanceof Error ? String(error.stack) : String(error);
}

/**
 * Runs a part. An error in the part itself counts as one failure.
 * @param {Part} part
 * @returns {Promise<PartResult>}
 * @throws {ToolError} if the user stopped the run, because failures are then meaningless
 */
export async function settle({ name, run }) {
  const startedAt = Date.now();
  const found = await run().catch((error) => ({ passed: 0, failed: 1, output: reasonOf(error) }));
  if (exitCodeOfStop() !== undefined) throw new ToolError('Stopped.');
  const seconds = (Date.now() - startedAt) / 1000;
  return { ...found, name, ...failWhenEmpty(found), seconds };
}

/** @param {PartResult} result */
function tell({ name, passed, failed, seconds, output }) {
  const mark = failed === 0 ? 'ok  ' : 'FAIL';
  say(`${mark} ${name}: ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`);
  if (failed > 0) say(output.trimEnd());
}

/**
 * Runs a part and prints its result.
 * @param {Part} part
 * @returns {Promise<PartResult>}
 */
export async function runPart(part) {
  const result = part.showsSteps
    ? await settle(part)
    : await withProgress(part.name, () => settle(part), { tellsEnd: false });
  tell(result);
  return result;
}

/**
 * Removes and runs parts from the start of a list until it is empty. Several calls may share the list.
 * @param {Part[]} waiting
 * @returns {Promise<PartResult[]>} results of the parts that this call ran
 */
export async function runWaiting(waiting) {
  const results = [];
  for (let part = waiting.shift(); part; part = waiting.shift()) results.push(await runPart(part));
  return results;
}

/**
 * Runs parts in list order, several at a time.
 * @param {readonly Part[]} parts
 * @param {number} atOnce
 * @returns {Promise<PartResult[]>}
 */
export async function runParts(parts, atOnce) {
  const waiting = [...parts];
  const results = await Promise.all(Array.from({ length: atOnce }, () => runWaiting(waiting)));
  return results.flat();
}

/**
 * @param {string} name
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Part} a program with its exit code as the result
 */
export function programPart(name, command, args) {
  return {
    name,
    run: async () => {
      const { code, output } = await runCaptured(command, args);
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
    },
  };
}

/**
 * @param {readonly Counts[]} results
 * @returns {Counts}
 */
export function total(results) {
  return results.reduce((sum, result) => ({ passed: sum.passed + result.passed, failed: sum.failed + result.failed }), {
    passed: 0,
    failed: 0,
  });
}

/**
 * Prints the last lines of a test run: skipped tests, failures (only the end of a log may be kept), and the total.
 * @param {readonly (Counts & Pick<PartResult, 'name' | 'leftOut' | 'failures'>)[]} results
 * @param {readonly LeftOut[]} leftOut parts that did not run at all
 * @returns {number} exit code
 */
export function conclude(results, leftOut = []) {
  const { passed, failed } = total(results);
  process.stdout.write(leftOutText([...leftOut, ...results.flatMap((result) => result.leftOut ?? [])]));
  for (const result of results.filter(({ failed }) => failed > 0)) {
    for (const failure of result.failures ?? [''])
      console.log(`Failed: ${[result.name, failure].filter(Boolean).join(', ')}`);
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
