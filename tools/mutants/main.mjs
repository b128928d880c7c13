/**
 * `npm run mutants [-- --seed N --sample N --limit SECONDS]`: makes small faults in the flow engine, one at a time, and looks
 * whether the tests notice. Not a part of `npm test`: 500 faults take the better part of an hour.
 *
 * All faults of the sample are put into the sources at once, behind switches. A first run of the tests finds which files pass
 * which switch; then each fault is switched on for just these files, the quickest first, until one of them fails.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runForeground } from '../child-process.mjs';
import { cacheDir, packageFile, root } from '../paths.mjs';
import { say } from '../progress.mjs';
import { ToolError } from '../tool-error.mjs';
import { findMutants, sampleOf } from './find-mutants.mjs';

/** @typedef {import('./find-mutants.mjs').Mutant} Mutant */
/** @typedef {Mutant & { outcome: string, by?: string | undefined }} Tried */

const folders = ['engine/flow', 'engine/kernel', 'engine/flowspec'];
const cache = path.join(cacheDir, 'mutants');
const sampleFile = path.join(cache, 'sample.json');
const notesFile = path.join(cache, 'reached.jsonl');
/** Who else tests them closely. */
const testFolders = [...folders, 'engine/nodes', 'engine/executor'];

/** @param {number} seed @param {number} count */
async function drawSample(seed, count) {
  const all = [];
  for (const folder of folders) {
    for (const name of await readdir(path.join(root, folder), { recursive: true })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      const file = `${folder}/${name.split(path.sep).join('/')}`;
      all.push(...findMutants(file, await readFile(path.join(root, file), 'utf8')));
    }
  }
  all.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start));
  const sample = sampleOf(all, { count, seed });
  await mkdir(cache, { recursive: true });
  await writeFile(sampleFile, JSON.stringify(sample));
  say(`${sample.length} of ${all.length} mutants, seed ${seed}`);
  return sample;
}

/** @typedef {{ file: string, tookMs: number }} TestFile */

/**
 * By mutant: the test files that pass it, the quickest first.
 * @returns {Promise<Map<number, TestFile[]>>}
 */
async function findReached() {
  await rm(notesFile, { force: true });
  const vitest = packageFile('vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', 'tools/mutants/mutants.config.ts', ...testFolders];
  const env = { ...process.env, MILLRACE_MUTANTS: sampleFile, MILLRACE_MUTANT_NOTES: notesFile };
  const code = await runForeground(process.execPath, args, { cwd: root, env });
  if (code !== 0) throw new ToolError('The tests fail without any mutant. Mend them first.');
  /** @type {Map<number, TestFile[]>} */
  const reached = new Map();
  for (const line of (await readFile(notesFile, 'utf8')).trimEnd().split('\n')) {
    const { file, tookMs, reached: ids } = JSON.parse(line);
    for (const id of ids) reached.set(id, [...(reached.get(id) ?? []), { file, tookMs }]);
  }
  for (const files of reached.values()) files.sort((a, b) => a.tookMs - b.tookMs);
  return reached;
}

/** The process that tries mutants; a new one when a mutant has hung the last. */
class Runner {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;

  /** @param {{ files: readonly TestFile[], mutant: number, limitMs: number }} trial */
  async try({ files, mutant, limitMs }) {
    this.#child ??= await startRunner();
    const child = this.#child;
    const timeout = AbortSignal.timeout(limitMs);
    try {
      child.send({ mutant, files: files.map(({ file }) => file) });
      const [answer] = await once(child, 'message', { signal: timeout });
      return answer.isKilled ? { outcome: 'killed', by: answer.by } : { outcome: 'survived' };
    } catch {
      this.end();
      return { outcome: 'timed out' };
    }
  }

  end() {
    const { pid } = this.#child ?? {};
    this.#child = undefined;
    // With the processes that it has started: one of them hangs.
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  }
}

async function startRunner() {
  const child = fork(path.join(import.meta.dirname, 'runner.mjs'), {
    cwd: root,
    detached: process.platform !== 'win32',
    env: { ...process.env, MILLRACE_MUTANTS: sampleFile },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

/** @param {readonly Tried[]} tried @param {number} seed */
function summary(tried, seed) {
  /** @param {string} wanted */
  const of = (wanted) => tried.filter(({ outcome }) => outcome === wanted);
  const lines = [...of('survived'), ...of('not reached')].map(
    ({ outcome, file, line, kind, mutated }) => `${outcome}  ${file}:${line}  ${kind}  ${mutated.slice(0, 80)}`,
  );
  const share = ((100 * (of('killed').length + of('timed out').length)) / tried.length).toFixed(1);
  const counts = ['killed', 'timed out', 'survived', 'not reached'].map((name) => `${of(name).length} ${name}`);
  return [...lines, `${share} % of ${tried.length} noticed, seed ${seed}: ${counts.join(', ')}`].join('\n');
}

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function main(args) {
  const options = /** @type {const} */ ({
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '500' },
    limit: { type: 'string', default: '90' },
  });
  const { values } = parseArgs({ args, options });
  const seed = Number(values.seed);
  const sample = await drawSample(seed, Number(values.sample));
  const reached = await findReached();
  const runner = new Runner();
  process.on('exit', () => runner.end());
  /** @type {Tried[]} */
  const tried = [];
  for (const mutant of sample) {
    const files = reached.get(mutant.id) ?? [];
    const usualMs = files.reduce((sum, { tookMs }) => sum + tookMs, 0);
    const limitMs = Math.min(Number(values.limit) * 1000, usualMs * 4 + 20_000);
    const trial =
      files.length === 0 ? { outcome: 'not reached' } : await runner.try({ files, mutant: mutant.id, limitMs });
    tried.push({ ...mutant, ...trial });
    if (trial.outcome !== 'killed')
      say(`${mutant.id}  ${trial.outcome}  ${mutant.file}:${mutant.line}  ${mutant.kind}`);
    await writeFile(path.join(cache, 'tried.json'), JSON.stringify(tried, null, 1));
  }
  runner.end();
  say(summary(tried, seed));
  return 0;
}
