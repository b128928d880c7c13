/**
 * Measures the window while runs are live: a loop that makes 5,000 events a second and 20 model streams of 200 words a
 * second on the canvas, and 50 runs of another process in the list; then the same with a tenth of each. The baseline is
 * the window without a run. Then measures the memory after 30 runs at full load, against that after 10. Arguments: the program's
 * executable, and optionally that of another version, which is measured alternately.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type CDPSession, type ElectronApplication, type Page } from '@playwright/test';
import { createEngine } from '../engine/index.ts';
import { framesDuring } from './canvas-gestures.ts';
import { openFlow, prepareProgram } from './canvas-program.ts';
import { median, percentile, report } from './statistics.ts';
import { startTokenServer, tokenSettings } from './token-server.ts';

const rounds = 3;
const runsForMemory = 30;
const forMs = 10_000;
/** Full load: events a second of the loop, streams, words a second of each stream, and runs in the list. */
const full = { events: 5_000, streams: 20, words: 200, listed: 50 } as const;
/** Maximum number of runs that an engine executes at the same time. */
const runsPerEngine = 4;
/** Milliseconds that an item of the loop takes. */
const itemMs = 100;
/** Events of one item: its start and end, and those of its node. */
const eventsPerItem = 4;

async function makeListedRuns(scratch: string, count: number): Promise<void> {
  const place = {
    workspace: path.join(scratch, 'workspace'),
    homeFolder: path.join(scratch, 'home'),
    isTrusted: true as const,
  };
  const makeRuns = async (runs: number): Promise<void> => {
    const engine = await createEngine(place);
    const started = Array.from({ length: runs }, async () => {
      const { runId } = await engine.startRun({ path: 'listed.flow.yaml', text: listedFlow, inputs: {} });
      await engine.whenEnded(runId);
    });
    await Promise.all(started);
    await engine.close();
  };
  const engines = Math.ceil(count / runsPerEngine);
  await Promise.all(Array.from({ length: engines }, () => makeRuns(Math.min(count, runsPerEngine))));
}

function numbers(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => index));
}

const listedFlow = `flow: { name: Listed }
nodes:
  - { id: each, type: control.foreach, input: { items: ${numbers(120)}, as: item, body: [rest] } }
  - { id: rest, type: control.wait, input: { ms: 500 } }
edges: []
`;

interface Load {
  readonly events: number;
  readonly streams: number;
  readonly words: number;
  readonly listed: number;
}

/** Returns a flow that is busy for some seconds. */
function liveFlow({ events, streams, words }: Load, seconds: number): string {
  const parallel = Math.max(1, Math.round((events / eventsPerItem / 1000) * itemMs));
  const items = Math.round((events / eventsPerItem) * seconds);
  const prompt = `STREAM ${words * seconds} ${words}`;
  return [
    `flow: { name: Live, policy: { maxParallel: ${streams + 1} } }`,
    'nodes:',
    '  - id: many',
    '    type: script.js',
    '    input: {}',
    `    config: { code: "return { items: Array.from({ length: ${items} }, (_, index) => index) };" }`,
    `  - { id: each, type: control.foreach, input: { items: "{{many.items}}", as: item, body: [work], maxParallel: ${parallel} } }`,
    `  - { id: work, type: control.wait, input: { ms: ${itemMs} } }`,
    ...Array.from(
      { length: streams },
      (_, i) => `  - { id: m${i}, type: prompt, input: { prompt: "${prompt}" }, config: { model: "bench::words" } }`,
    ),
    'edges: [{ from: many, to: each }]',
    '',
  ].join('\n');
}

interface Measured {
  readonly frames: readonly number[];
  /** CPU time of the page's main thread, in seconds a second. */
  readonly busy: number;
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

async function measured(page: Page): Promise<Measured> {
  const session = await page.context().newCDPSession(page);
  // Without this, the time that other processes take from the page counts too.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await taskSeconds(session);
  const frames = await framesDuring(page, async () => await page.waitForTimeout(forMs));
  const busy = ((await taskSeconds(session)) - before) / (forMs / 1000);
  await session.detach();
  return { frames, busy };
}

interface Program {
  readonly app: ElectronApplication;
  readonly page: Page;
}

/** A folder with a workspace, settings and a history, for one launch of a program. */
async function makeScratch(address: string, load: Load, seconds: number): Promise<string> {
  const scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'millrace-bench-')));
  const [workspace, home] = [path.join(scratch, 'workspace'), path.join(scratch, 'home')];
  await mkdir(workspace);
  await mkdir(path.join(home, 'millrace'), { recursive: true });
  await writeFile(path.join(workspace, 'live.flow.yaml'), liveFlow(load, seconds));
  await writeFile(path.join(home, 'config-user.toml'), tokenSettings(address));
  await writeFile(path.join(home, 'millrace', 'trusted.json'), JSON.stringify({ version: 1, workspaces: [workspace] }));
  return scratch;
}

async function launch(executablePath: string, scratch: string): Promise<Program> {
  const env = { ...process.env, MILLRACE_HOME: path.join(scratch, 'home') };
  const args = [`--user-data-dir=${path.join(scratch, 'user-data')}`, '--workspace', path.join(scratch, 'workspace')];
  const app = await _electron.launch({ executablePath, args, env });
  const page = await prepareProgram(app);
  await openFlow(page, 'live');
  return { app, page };
}

async function startRun(page: Page): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Run (Ctrl|⌘)/ })
    .first()
    .click();
}

/** Returns how many events the newest run of the flow on the canvas has so far. */
async function eventCount(scratch: string): Promise<number> {
  const engine = await createEngine({
    workspace: path.join(scratch, 'workspace'),
    homeFolder: path.join(scratch, 'home'),
  });
  try {
    const run = (await engine.listRuns({ limit: 100 })).find(({ name }) => name === 'Live');
    return run === undefined ? 0 : (await engine.readHead(run.runId)).lastSeq;
  } finally {
    await engine.close();
  }
}

interface Round {
  readonly empty: Measured;
  readonly live: Measured;
  readonly eventsPerSecond: number;
}

async function measureLoad(executable: string, address: string, load: Load): Promise<Round> {
  const scratch = await makeScratch(address, load, (forMs / 1000) * 6);
  const { app, page } = await launch(executable, scratch);
  const empty = await measured(page);
  const others = spawn(process.execPath, [fileURLToPath(import.meta.url), 'runs', scratch, String(load.listed)]);
  await startRun(page);
  await page.locator('.node-card-stream').first().waitFor();
  // The first events also open the run bar and the dock.
  await page.waitForTimeout(2000);
  const [before, startedAt] = [await eventCount(scratch), performance.now()];
  const live = await measured(page);
  const isLive = (await page.locator('.node-card-stream').count()) > 0;
  const eventsPerSecond = ((await eventCount(scratch)) - before) / ((performance.now() - startedAt) / 1000);
  const header = await page.getByRole('region', { name: 'Run', exact: true }).textContent();
  others.kill('SIGKILL');
  if (!isLive) throw new Error(`No card is streaming anymore: ${header}`);
  await app.evaluate(({ app: program }) => program.exit(0)).catch(() => undefined);
  await rm(scratch, { recursive: true, maxRetries: 10 });
  return { empty, live, eventsPerSecond };
}

interface Memory {
  /** Bytes that JavaScript uses on the page, after garbage collection. */
  readonly page: number;
  /** Bytes of the process that runs the flows. */
  readonly host: number;
}

async function memoryOf({ app, page }: Program): Promise<Memory> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  const metrics = await app.evaluate(({ app: program }) => program.getAppMetrics());
  const host = metrics.find(({ type, serviceName }) => type === 'Utility' && serviceName?.startsWith('node.'));
  return { page: usedSize, host: (host?.memory.workingSetSize ?? 0) * 1024 };
}

/** Runs the flow of full load for two seconds at a time, and returns the memory after each run. */
async function memoryAfterRuns(executable: string, address: string): Promise<readonly Memory[]> {
  const scratch = await makeScratch(address, full, 2);
  const program = await launch(executable, scratch);
  const { app, page } = program;
  const taken: Memory[] = [];
  const runHeader = page.getByRole('region', { name: 'Run', exact: true });
  for (let run = 1; run <= runsForMemory; run++) {
    await startRun(page);
    await runHeader
      .filter({ hasText: `Run ${run}` })
      .filter({ hasText: 'Completed' })
      .waitFor({ timeout: 600_000 });
    taken.push(await memoryOf(program));
  }
  await app.evaluate(({ app: started }) => started.exit(0)).catch(() => undefined);
  await rm(scratch, { recursive: true, maxRetries: 10 });
  return taken;
}

async function measureMemory(executable: string, address: string): Promise<void> {
  const taken = await memoryAfterRuns(executable, address);
  for (const part of ['page', 'host'] as const) {
    const after = (runs: number): number => (taken[runs - 1]?.[part] ?? 0) / 2 ** 20;
    report({
      what: `memory of the ${part} after ${runsForMemory} runs`,
      ours: after(runsForMemory),
      yardstick: { name: 'after 10', value: after(10) },
      unit: 'MiB',
    });
  }
}

const tenth: Load = {
  events: full.events / 10,
  streams: full.streams / 10,
  words: full.words,
  listed: full.listed / 10,
};

async function measureAll(programs: readonly string[]): Promise<void> {
  const { address, stop } = await startTokenServer();
  const taken = programs.flatMap((program, index) =>
    [full, tenth].map((load) => ({
      program,
      load,
      name: index === 0 ? 'this version' : 'other version',
      rounds: [] as Round[],
    })),
  );
  for (let round = 0; round < rounds; round++)
    for (const { program, load, rounds: done } of taken) done.push(await measureLoad(program, address, load));
  for (const { name, load, rounds: done } of taken) {
    const rate = median(done.map(({ eventsPerSecond }) => eventsPerSecond)).toFixed(0);
    console.log(`${name}, ${load === full ? 'full load' : 'a tenth of it'}: ${rate} events a second`);
    const p95 = (part: 'live' | 'empty') => median(done.map((one) => percentile(one[part].frames, 0.95)));
    const busy = (part: 'live' | 'empty') => median(done.map((one) => one[part].busy)) * 1000;
    report({
      what: 'frame p95',
      ours: p95('live'),
      yardstick: { name: 'without a run', value: p95('empty') },
      unit: 'ms',
    });
    report({
      what: 'busy page per second',
      ours: busy('live'),
      yardstick: { name: 'without a run', value: busy('empty') },
      unit: 'ms',
    });
  }
  for (const program of programs) await measureMemory(program, address);
  stop();
}

/** One process makes the runs in the list, so that its CPU time is not the program's. */
if (process.argv[2] === 'runs') await makeListedRuns(process.argv[3] as string, Number(process.argv[4]));
else await measureAll(process.argv.slice(2).filter((argument) => argument !== ''));
