/**
 * `npm run mutants [-- --seed N --sample N --limit SECONDS --again]`: introduces small faults into the flow engine, one
 * at a time, and checks whether the tests detect them. Not part of `npm test`.
 *
 * All faults of the sample are added to the sources at once, behind switches, and all test files run in one process:
 * each test runs once without a fault, then once for each fault that it reaches, until a test has detected the fault. A
 * process that hangs is ended, and another one continues. Faults that take effect while modules load, or that cannot be
 * decided in a process that has tried others before, are tried in a separate process. `--again` tries those that were
 * not detected the last time, if the sources are unchanged.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { endChild, exitCodeOf, startChild } from '../child-process.mjs';
import { cacheDir, packageFile, root } from '../paths.mjs';
import { say } from '../progress.mjs';
import { ToolError } from '../tool-error.mjs';
import { Campaign } from './campaign.mjs';
import { findMutants, sampleOf } from './find-mutants.mjs';
import { describeTried, isNoticed } from './summary.mjs';

/** @typedef {import('./find-mutants.mjs').Mutant} Mutant */
/** @typedef {import('./summary.mjs').Tried} Tried */
/** @typedef {import('./trial-runner.mjs').Orders} Orders */
/** @typedef {import('./trial-runner.mjs').Note} Note */

const folders = ['engine/runtime/flow', 'engine/runtime/kernel', 'engine/language'];
/** Other folders with tests that cover them closely. */
const testFolders = [...folders, 'engine/runtime/nodes', 'engine/host'];
const cache = path.join(cacheDir, 'mutants');
const ordersFile = path.join(cache, 'orders.json');
const notesFile = path.join(cache, 'notes.jsonl');
const timesFile = path.join(cache, 'times.json');
const triedFile = path.join(cache, 'tried.json');

const slowestMs = 3000;
const graceMs = 15_000;
/** Longer than any test, or the loading of any file, takes. */
const silenceMs = 240_000;
/** Total time for the test files that are tried on a mutant in a separate process, if none fails. */
const aloneMs = 60_000;

/** @param {readonly string[]} within */
async function filesIn(within) {
  const found = [];
  for (const folder of within) {
    for (const name of await readdir(path.join(root, folder), { recursive: true })) {
      if (name.endsWith('.ts')) found.push(`${folder}/${name.split(path.sep).join('/')}`);
    }
  }
  return found.sort();
}

/** @param {number} seed @param {number} count */
async function drawSample(seed, count) {
  const all = [];
  for (const file of await filesIn(folders)) {
    if (file.endsWith('.test.ts')) continue;
    all.push(...findMutants(file, await readFile(path.join(root, file), 'utf8')));
  }
  const sample = sampleOf(all, { count, seed });
  say(`${sample.length} of ${all.length} mutants, seed ${seed}`);
  return sample;
}

/** Returns the test files, fastest of the last run first. */
async function testFiles() {
  /** @type {Record<string, number>} */
  const times = existsSync(timesFile) ? JSON.parse(await readFile(timesFile, 'utf8')) : {};
  const files = (await filesIn(testFolders)).filter(
    (file) => file.endsWith('.test.ts') && !file.endsWith('.isolated.test.ts'),
  );
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(root, file))).size / 10));
  const ranked = files.map((file, index) => ({ file, rank: times[file] ?? sizes[index] ?? 0 }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ file }) => path.join(root, file));
}

/** @returns {Promise<Note[]>} */
async function readNotes() {
  if (!existsSync(notesFile)) return [];
  const lines = (await readFile(notesFile, 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/**
 * Runs a test process to its end, or ends it if it hangs.
 * @param {Orders} orders
 * @param {(notes: readonly Note[], quietMs: number) => boolean} isHung
 */
async function runTests(orders, isHung) {
  await writeFile(ordersFile, JSON.stringify(orders));
  const args = [packageFile('vitest/vitest.mjs'), 'run', '--config', 'tools/mutants/mutants.config.ts'];
  const env = { ...process.env, MILLRACE_MUTANTS: ordersFile };
  const child = startChild(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'ignore'] });
  let code = /** @type {number | undefined} */ (undefined);
  let lastChange = Date.now();
  let size = -1;
  child.once('exit', (ended, signal) => {
    code = exitCodeOf(ended, signal);
  });
  while (code === undefined) {
    await sleep(250);
    const now = existsSync(notesFile) ? (await stat(notesFile)).size : 0;
    if (now !== size) lastChange = Date.now();
    size = now;
    const quietMs = Date.now() - lastChange;
    if (quietMs < 2000 || !isHung(await readNotes(), quietMs)) continue;
    await endChild(child, 'SIGKILL');
    return { code: 1, isHung: true };
  }
  return { code, isHung: false };
}

/** @typedef {Pick<Orders, 'sample' | 'notes' | 'slowestMs' | 'budgetMs'>} Base */

/**
 * Returns the mutants that the last run detected.
 * @param {readonly Mutant[]} sample
 * @throws {ToolError} if that run used another sample
 */
async function noticedBefore(sample) {
  /** @type {readonly Tried[]} */
  const tried = existsSync(triedFile) ? JSON.parse(await readFile(triedFile, 'utf8')) : [];
  const isSame = sample.every(({ id, file, start }, index) => {
    const former = tried[index];
    return former?.id === id && former.file === file && former.start === start;
  });
  if (!isSame) throw new ToolError('The last run used other mutants, or the sources have changed since.');
  return tried.filter(isNoticed);
}

/**
 * Tries all mutants in as few processes as possible.
 * @param {Base} base
 * @param {readonly Tried[]} noticed mutants to skip
 */
async function tryTogether(base, noticed) {
  const campaign = new Campaign();
  for (const { id, outcome, by } of noticed) campaign.outcomes.set(id, { outcome, by });
  const all = await testFiles();
  let fruitless = 0;
  for (;;) {
    const files = all.filter((file) => !campaign.done.has(file));
    if (files.length === 0) return campaign;
    await writeFile(notesFile, '');
    const settled = [...campaign.outcomes.keys()];
    const { isHung } = await runTests({ ...base, files, settled, only: null }, (notes, quietMs) => {
      const last = notes.at(-1);
      return quietMs > (last !== undefined && 'trying' in last ? last.limitMs + graceMs : silenceMs);
    });
    const notes = await readNotes();
    campaign.take(notes);
    const last = notes.at(-1);
    const wasTrying = last !== undefined && 'trying' in last;
    if (wasTrying) campaign.outcomes.set(last.trying, { outcome: isHung ? 'timed out' : 'killed', by: 'its process' });
    const hasMoved =
      wasTrying || campaign.outcomes.size > settled.length || files.some((file) => campaign.done.has(file));
    fruitless = hasMoved ? 0 : fruitless + 1;
    if (fruitless > 1)
      throw new ToolError(`The tests fail without any mutant: ${campaign.broken.join('; ')}. Fix them first.`);
    say(`${campaign.done.size} of ${all.length} test files, ${campaign.outcomes.size} mutants settled`);
  }
}

/**
 * Tries one mutant in a separate process. @param {Base} base @param {Mutant} mutant @param {readonly string[]} files
 */
async function tryAlone(base, { id }, files) {
  const startedAt = Date.now();
  await writeFile(notesFile, '');
  const { code, isHung } = await runTests(
    { ...base, files, settled: [], only: id },
    () => Date.now() - startedAt > aloneMs * 3,
  );
  return isHung ? 'timed out' : code === 0 ? 'survived' : 'killed';
}

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function main(args) {
  const options = /** @type {const} */ ({
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '500' },
    limit: { type: 'string', default: '30' },
    again: { type: 'boolean', default: false },
  });
  const { values } = parseArgs({ args, options });
  const seed = Number(values.seed);
  await mkdir(cache, { recursive: true });
  const sample = await drawSample(seed, Number(values.sample));
  const base = { sample, notes: notesFile, slowestMs, budgetMs: Number(values.limit) * 1000 };
  const campaign = await tryTogether(base, values.again ? await noticedBefore(sample) : []);
  const times = [...campaign.times].map(([file, ms]) => [path.relative(root, file).split(path.sep).join('/'), ms]);
  await writeFile(timesFile, JSON.stringify(Object.fromEntries(times)));
  /** @type {Tried[]} */
  const tried = [];
  for (const mutant of sample) {
    const { outcome, by } = campaign.outcomes.get(mutant.id) ?? {};
    const isReached = campaign.outside.has(mutant.id) || campaign.reachedBy.has(mutant.id);
    const isOpen = outcome === 'doubtful' || (outcome === undefined && campaign.outside.has(mutant.id));
    if (isOpen)
      tried.push({
        ...mutant,
        outcome: await tryAlone(
          base,
          mutant,
          campaign.filesFor(mutant, { sample, folder: path.join(root, path.dirname(mutant.file)), withinMs: aloneMs }),
        ),
      });
    else tried.push({ ...mutant, outcome: outcome ?? (isReached ? 'survived' : 'not reached'), by });
    await writeFile(triedFile, JSON.stringify(tried, null, 1));
  }
  say(describeTried(tried, seed));
  return 0;
}
