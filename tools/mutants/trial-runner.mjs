/**
 * Runs the tests of a mutation run. Each test first runs unmodified to find the mutants that it reaches. It then runs
 * again with each of them active, unless a test has already detected it, in the same warm process. The events are
 * recorded in a file, line by line.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { TestRunner } from 'vitest';

/**
 * @typedef {object} Orders
 * @property {readonly import('./find-mutants.mjs').Mutant[]} sample
 * @property {string} notes
 * @property {readonly string[]} files the test files, in order
 * @property {readonly number[]} settled mutants that need not be tried again
 * @property {number | null} only mutant that is active from the first line of the first module; no other one is tried
 * @property {number} slowestMs tests that take longer are not repeated
 * @property {number} budgetMs maximum total time for one mutant
 */

/**
 * @typedef {{ readonly file: string, readonly tookMs: number, readonly reached: readonly number[] }
 *   | { readonly outside: readonly number[] } | { readonly done: string } | { readonly broken: string }
 *   | { readonly trying: number, readonly limitMs: number }
 *   | { readonly id: number, readonly outcome: 'killed' | 'timed out' | 'doubtful', readonly by: string }} Note
 */

/** @type {Orders} */
const orders = JSON.parse(readFileSync(process.env['MILLRACE_MUTANTS'] ?? '', 'utf8'));
// Tests replace them.
const { setTimeout, clearTimeout } = globalThis;
const { performance } = globalThis;

/** The active mutant; 0 for none. */
let on = orders.only ?? 0;
/** @type {Set<number>} */
const outside = new Set();
/** Collects the mutants that are reached, by a test or outside of any. */
let reached = outside;
const settled = new Set(orders.settled);
/** @type {Map<number, number>} */
const spentMs = new Map();
let hasTried = false;
let hasRejected = false;

Object.assign(globalThis, {
  /** @param {number} id */
  __isMutant(id) {
    reached.add(id);
    return id === on;
  },
});
process.on('unhandledRejection', () => {
  hasRejected = true;
});

/** @param {Note} note */
function tell(note) {
  appendFileSync(orders.notes, `${JSON.stringify(note)}\n`);
}

/** @typedef {import('vitest').RunnerTestCase} Test */

/** One test and its repetitions. */
class Trials {
  /** Mutants to try; 0 for another run without any. @type {number[]} */
  queue = [];
  tookMs = 0;
  #startedAt = 0;
  /** The mutant that made the test fail, unless the test fails without it, too. */
  #suspect = 0;
  #isTooSlow = false;
  /** @type {Set<number>} */
  #reached = new Set();
  #test;

  /** @param {Test} test */
  constructor(test) {
    this.#test = test;
  }

  get #name() {
    return `${path.relative(process.cwd(), this.#test.file.filepath)} > ${this.#test.name}`;
  }

  /** @param {number} repetition */
  begin(repetition) {
    on = repetition === 0 ? (orders.only ?? 0) : (this.queue[repetition - 1] ?? 0);
    reached = this.#reached;
    hasRejected = false;
    this.#isTooSlow = false;
    this.#startedAt = performance.now();
    if (on !== 0 && orders.only === null) tell({ trying: on, limitMs: this.limitMs });
  }

  get limitMs() {
    return 2000 + this.tookMs * 10;
  }

  /** @param {() => unknown} body */
  async run(body) {
    if (on === 0 || orders.only !== null) return await body();
    hasTried = true;
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const limit = new Promise((_, reject) => {
      timer = setTimeout(() => {
        this.#isTooSlow = true;
        reject(new Error('The test takes too long'));
      }, this.limitMs);
    });
    return await Promise.race([body(), limit]).finally(() => clearTimeout(timer));
  }

  /** @param {number} repetition */
  end(repetition) {
    const tookMs = performance.now() - this.#startedAt;
    const { result } = this.#test;
    const hasFailed = result?.state === 'fail' || hasRejected;
    const tried = on;
    on = orders.only ?? 0;
    reached = outside;
    if (orders.only !== null) return;
    if (repetition === 0) this.#choose(tookMs, hasFailed);
    else if (tried === 0) this.#confirm(hasFailed);
    else {
      spentMs.set(tried, (spentMs.get(tried) ?? 0) + tookMs);
      if (!hasFailed) return;
      this.#suspect = tried;
      this.queue.splice(repetition, 0, 0);
    }
    if (result === undefined || repetition === 0) return;
    result.state = 'pass';
    delete result.errors;
  }

  /** @param {number} tookMs @param {boolean} hasFailed */
  #choose(tookMs, hasFailed) {
    this.tookMs = tookMs;
    if (hasFailed) {
      tell({ broken: this.#name });
      // Possibly caused by the side effects of an earlier mutant.
      if (hasTried) process.exit(1);
    }
    tell({ file: this.#test.file.filepath, tookMs: Math.round(tookMs), reached: [...this.#reached] });
    if (tookMs > orders.slowestMs) return;
    this.queue = [...this.#reached].filter((id) => !settled.has(id) && (spentMs.get(id) ?? 0) < orders.budgetMs);
  }

  /** @param {boolean} hasFailed */
  #confirm(hasFailed) {
    const id = this.#suspect;
    settled.add(id);
    const outcome = hasFailed ? 'doubtful' : this.#isTooSlow ? 'timed out' : 'killed';
    tell({ id, outcome, by: this.#name });
    if (hasFailed) process.exit(1);
  }
}

class TrialRunner extends TestRunner {
  /** @type {Trials | undefined} */
  #trials;

  /** @override @param {Test} test */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    const trials = new Trials(test);
    this.#trials = trials;
    // The number is known after the first run of the test. Vitest compares it after each run.
    const repeats = { valueOf: () => trials.queue.length };
    Object.defineProperty(test, 'repeats', { value: repeats, enumerable: false, configurable: true });
  }

  /** @override @param {Test} test @param {{ repeats: number }} [options] */
  onBeforeTryTask(test, options) {
    super.onBeforeTryTask(test);
    this.#trials?.begin(options?.repeats ?? 0);
  }

  /** @param {Test} test */
  async runTask(test) {
    await this.#trials?.run(/** @type {() => unknown} */ (TestRunner.getTestFn(test)));
  }

  /** @param {Test} _test @param {{ repeats: number }} options */
  onAfterRetryTask(_test, { repeats }) {
    this.#trials?.end(repeats);
  }

  /** @override @param {import('vitest').RunnerTestSuite} suite */
  async onAfterRunSuite(suite) {
    await super.onAfterRunSuite(suite);
    if (!('filepath' in suite)) return;
    tell({ outside: [...outside] });
    tell({ done: String(suite.filepath) });
  }
}

export default TrialRunner;
