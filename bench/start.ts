/**
 * Measures program startup, in elapsed and CPU time, from the start of the process to the first card of a flow,
 * alternating with an empty window of the same Electron version. Also measures startup with a long history, with a
 * large workspace, and with the browser caches of earlier starts. Then measures the program's memory usage and its CPU
 * usage while idle. Arguments: the program's executable, a bare Electron executable, the folder of the built baseline
 * pages.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { _electron, type ElectronApplication } from '@playwright/test';
import { createEngine } from '../engine/index.ts';
import { gridFlow } from './graphs.ts';
import { serveFolder } from './static-server.ts';
import { median, report } from './statistics.ts';

const rounds = 7;
const warmUpRounds = 1;
const manyRuns = 10_000;
const manyFiles = 50_000;
const filesInFolder = 500;
const idleMs = 10_000;

const [programPath = '', electronPath = '', yardsticks = ''] = process.argv.slice(2);
if (yardsticks === '') throw new Error('Usage: start PROGRAM ELECTRON YARDSTICK_FOLDER');
const emptyMain = path.join(yardsticks, 'empty-main.mjs');
const pages = await serveFolder(yardsticks);
const scratch = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
let launches = 0;

interface Started {
  readonly app: ElectronApplication;
  readonly startMs: number;
  /**
   * CPU time of all processes until the end of startup, in milliseconds. Other load on the machine affects it less than
   * elapsed time.
   */
  readonly cpuMs: number;
}

/** Returns the seconds of CPU time used by all processes of a program. */
function cpuSeconds(app: ElectronApplication): Promise<number> {
  return app.evaluate(({ app: electronApp }) =>
    electronApp.getAppMetrics().reduce((sum, { cpu }) => sum + (cpu.cumulativeCPUUsage ?? 0), 0),
  );
}

/** @param usable selector; startup ends when a matching element is visible. Checked in each frame */
async function start(executablePath: string, args: readonly string[], usable: string, user?: string): Promise<Started> {
  // Each launch gets a new data folder unless a user is named, so that no start benefits from an earlier one.
  const userData = path.join(scratch, `user-data-${user ?? launches++}`);
  const startedAt = performance.now();
  const app = await _electron.launch({ executablePath, args: [`--user-data-dir=${userData}`, ...args] });
  const page = await app.firstWindow();
  // A locator polls at growing intervals, which become longer than the times measured here.
  await page.waitForFunction(
    (selector) => document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }),
    usable,
  );
  const startMs = performance.now() - startedAt;
  return { app, startMs, cpuMs: (await cpuSeconds(app)) * 1000 };
}

const startOurs = (workspace: string, user?: string) =>
  start(programPath, ['--workspace', workspace], '.react-flow__node', user);
const startEmpty = (user?: string) => start(electronPath, [emptyMain, `${pages.origin}/empty.html`], 'main', user);

type Cost = Pick<Started, 'startMs' | 'cpuMs'>;

async function costOf(begin: () => Promise<Started>): Promise<Cost> {
  const { app, ...cost } = await begin();
  await app.close();
  return cost;
}

async function makeWorkspace(name: string): Promise<string> {
  const folder = path.join(scratch, name);
  await mkdir(folder);
  await writeFile(path.join(folder, 'grid.flow.yaml'), gridFlow(12));
  return folder;
}

async function addRuns(workspace: string, count: number): Promise<void> {
  const text = 'flow: { name: Hi }\nnodes: [{ id: say, type: echo, input: { text: hello } }]\nedges: []\n';
  await writeFile(path.join(workspace, 'hi.flow.yaml'), text);
  const engine = await createEngine({ workspace });
  const runSome = async (): Promise<void> => {
    for (let run = 0; run < count / 4; run++) {
      const { runId } = await engine.startRun({ path: 'hi.flow.yaml', text, inputs: {} });
      await engine.whenEnded(runId);
    }
  };
  await Promise.all([runSome(), runSome(), runSome(), runSome()]);
  await engine.close();
}

async function addFiles(workspace: string, count: number): Promise<void> {
  for (let first = 0; first < count; first += filesInFolder) {
    const folder = path.join(workspace, `part-${first / filesInFolder}`);
    await mkdir(folder);
    const names = Array.from({ length: filesInFolder }, (_, index) => path.join(folder, `note-${index}.md`));
    await Promise.all(names.map((name) => writeFile(name, '# Note\n')));
  }
}

interface Standing {
  /** Memory usage in kilobytes, by process type. */
  readonly memory: Readonly<Record<string, number>>;
  /** Total CPU usage of all processes, in percent of one core. */
  readonly percent: number;
}

/** Measures the memory and CPU usage of a started program while it is idle. */
async function stand(begin: () => Promise<Started>): Promise<Standing> {
  const { app } = await begin();
  await sleep(idleMs / 2);
  const before = await cpuSeconds(app);
  await sleep(idleMs);
  const percent = ((await cpuSeconds(app)) - before) / (idleMs / 100_000);
  const metrics = await app.evaluate(({ app: electronApp }) =>
    electronApp.getAppMetrics().map(({ type, name, memory }) => [name ?? type, memory.workingSetSize] as const),
  );
  await app.close();
  return { memory: Object.fromEntries(metrics), percent };
}

const small = await makeWorkspace('small');
const withHistory = await makeWorkspace('history');
await addRuns(withHistory, manyRuns);
const withFiles = await makeWorkspace('files');
await addFiles(withFiles, manyFiles);

const kinds = {
  empty: () => startEmpty(),
  small: () => startOurs(small),
  laterEmpty: () => startEmpty('empty'),
  later: () => startOurs(small, 'ours'),
  history: () => startOurs(withHistory),
  files: () => startOurs(withFiles),
};
type Kind = keyof typeof kinds;
const samples: Record<Kind, Cost[]> = { empty: [], small: [], laterEmpty: [], later: [], history: [], files: [] };
for (let round = 0; round < rounds + warmUpRounds; round++) {
  for (const kind of Object.keys(kinds) as Kind[]) {
    const cost = await costOf(kinds[kind]);
    if (round >= warmUpRounds) samples[kind].push(cost);
  }
}
const of = (kind: Kind, part: keyof Cost = 'startMs'): number => median(samples[kind].map((cost) => cost[part]));
const unit = 'ms';
console.log(`start of the program, median of ${rounds} alternating rounds, software rendering`);
for (const [part, words] of [
  ['startMs', ''],
  ['cpuMs', ', processor time'],
] as const) {
  const compare = (what: string, kind: Kind, empty: Kind): void =>
    report({
      what: `${what}${words}`,
      ours: of(kind, part),
      yardstick: { name: 'empty window', value: of(empty, part) },
      unit,
    });
  compare('first start, to the first card', 'small', 'empty');
  compare('later start, to the first card', 'later', 'laterEmpty');
}
const yardstick = { name: 'small workspace', value: of('small') };
report({ what: `with a history of ${manyRuns} runs`, ours: of('history'), yardstick, unit });
report({ what: `with a workspace of ${manyFiles} files`, ours: of('files'), yardstick, unit });

const [ours, empty] = [await stand(kinds.small), await stand(kinds.empty)];
console.log(`idle for ${idleMs / 1000} s`);
const total = ({ memory }: Standing): number => Object.values(memory).reduce((sum, kb) => sum + kb, 0) / 1024;
report({ what: 'memory', ours: total(ours), yardstick: { name: 'empty window', value: total(empty) }, unit: 'MB' });
for (const [name, kb] of Object.entries(ours.memory)) console.log(`  ${name}: ${(kb / 1024).toFixed(0)} MB`);
console.log(`processor, of one core: ${ours.percent.toFixed(2)} %; empty window: ${empty.percent.toFixed(2)} %`);
pages.close();
// Chromium may still write files while it exits.
await rm(scratch, { recursive: true, maxRetries: 10 });
