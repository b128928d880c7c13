/**
 * Measures what runs on Restate cost in a worker, in Restate and in PostgreSQL, and calculates with it what 10, 100 and
 * 1,000 workers need. Arguments: the command line program, an empty folder, and for Restate and PostgreSQL the URL and
 * the ID of its process. Linux only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSharedHistory } from '../engine/history/postgres/open-shared-history.ts';
import type { EventEnvelope } from '../engine/isomorphic.ts';
import { asRunId, type RunId } from '../engine/isomorphic.ts';
import { type Costs, type Load, type Machines, type Outcome, simulate } from './scale-simulation.ts';

const [, , cli = '', folder = '', restateUrl = '', restatePid = '', postgresUrl = '', postgresPid = ''] = process.argv;

const runCount = 40;
const nodesPerRun = 100;
const runsAtOnce = 20;
const workspace = 'scale';

/** Returns the processor time that a process and its children have used, in milliseconds. */
function cpuOf(pid: number): number {
  const tickMs = 10;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  // User and system time, each of the process and of its children that have ended.
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) * tickMs;
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), own);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

interface CpuTimes {
  readonly worker: number;
  readonly restate: number;
  readonly postgres: number;
}

/** Returns the processor time that the work costs each program, in milliseconds. */
async function costOf(worker: ChildProcess, work: () => Promise<unknown>): Promise<CpuTimes> {
  const read = (): CpuTimes => ({
    worker: cpuOf(worker.pid ?? 0),
    restate: cpuOf(Number(restatePid)),
    postgres: cpuOf(Number(postgresPid)),
  });
  const before = read();
  await work();
  const after = read();
  const spent = (name: keyof CpuTimes): number => after[name] - before[name];
  return { worker: spent('worker'), restate: spent('restate'), postgres: spent('postgres') };
}

async function startWorker(): Promise<ChildProcess> {
  const place = path.join(folder, workspace);
  await mkdir(place);
  const env = { ...process.env, MILLRACE_HOME: path.join(folder, 'home') };
  const own = ['worker', '--on', restateUrl, '--history', postgresUrl, '--workspace', place];
  const child = spawn(process.execPath, [cli, ...own, '--listen', '127.0.0.1:0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** Returns a chain of nodes of one type. */
function chain(type: string, input: string): string {
  const names = Array.from({ length: nodesPerRun }, (_, index) => `n${index}`);
  const nodes = names.map((id) => `  - { id: ${id}, type: ${type}, input: { ${input} } }`);
  const edges = names.slice(1).map((id, index) => `  - { from: n${index}, to: ${id} }`);
  return `flow: { name: Scale }\nnodes:\n${nodes.join('\n')}\nedges:\n${edges.join('\n')}\n`;
}

const history = await openSharedHistory({ url: postgresUrl, workspace });
const ingress = new URL(restateUrl.replace('restate:', 'http:')).origin;
const sessionId = 'scale';

function newRun(runId: RunId, definition: string) {
  const described = { kind: 'flow', name: 'Scale', sourcePath: 'scale.flow.yaml', inputs: {} } as const;
  return { ...described, runId, sessionId: sessionId as never, definition, queuedAt: Date.now() };
}

async function startRun(definition: string): Promise<RunId> {
  const runId = asRunId(randomUUID());
  await history.createRun({ ...newRun(runId, definition), host: { engine: 'restate' } });
  const response = await fetch(`${ingress}/millrace.${workspace}/${runId}/run/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId }),
  });
  if (!response.ok) throw new Error(`Restate refused a run: ${await response.text()}`);
  return runId;
}

async function whenEnded(runId: RunId): Promise<void> {
  for (;;) {
    const { status, error } = (await history.findSummary(runId)) ?? {};
    if (status === 'completed') return;
    if (status !== 'queued' && status !== 'running') throw new Error(`A run is ${status}: ${error?.message}`);
    await wait(500);
  }
}

/** Runs a definition many times, some at once. */
async function runMany(definition: string): Promise<void> {
  let left = runCount;
  const line = async (): Promise<void> => {
    while (left-- > 0) await whenEnded(await startRun(definition));
  };
  await Promise.all(Array.from({ length: runsAtOnce }, line));
}

/** Events of the size that a node emits. */
function eventsFor(runId: RunId, firstSeq: number, count: number): EventEnvelope[] {
  return Array.from({ length: count }, (_, index) => {
    const event = { type: 'agent:text', content: 'x'.repeat(200) } as const;
    return { seq: firstSeq + index, at: Date.now(), runId, context: { sessionId: sessionId as never }, event };
  });
}

const eventsPerNode = 4;

/** Measures batches of one and of many nodes. Returns microseconds for a batch, and for each of its events. */
async function historyCosts(worker: ChildProcess): Promise<Pick<Costs, 'historyBatch' | 'historyEvent'>> {
  const ids = Array.from({ length: 100 }, () => asRunId(randomUUID()));
  for (const runId of ids) await history.createRun({ ...newRun(runId, 'x'), host: { engine: 'restate' } });
  let seq = 0;
  const project = async (runs: readonly RunId[], batches: number): Promise<number> => {
    const { postgres } = await costOf(worker, async () => {
      for (let batch = 0; batch < batches; batch++) {
        await history.project(runs.map((runId) => ({ runId, events: eventsFor(runId, seq, eventsPerNode) })));
        seq += eventsPerNode;
      }
    });
    return (postgres * 1000) / batches;
  };
  await project(ids, 20);
  const many = await project(ids, 100);
  const [first] = ids;
  const one = await project(first === undefined ? [] : [first], 1000);
  const historyEvent = Math.max(0, (many - one) / ((ids.length - 1) * eventsPerNode));
  return { historyEvent, historyBatch: Math.max(0, one - eventsPerNode * historyEvent) };
}

/** Measures what a worker asks when it looks for answers and requests. */
async function deliveryCost(worker: ChildProcess): Promise<number> {
  const times = 500;
  const { postgres } = await costOf(worker, async () => {
    for (let time = 0; time < times; time++) {
      await history.dueAsks(Date.now(), 100);
      await history.undeliveredAnswers('durable', 100);
      await history.openRequests('durable', 100);
      await history.nextDeadline(Date.now());
    }
  });
  return (postgres * 1000) / times;
}

/** Measures all costs, in microseconds. */
async function measure(): Promise<Costs> {
  const worker = await startWorker();
  const pure = chain('constant', 'value: 1');
  const steps = chain('echo', 'text: hello');
  for (const definition of [pure, steps]) await runMany(definition);
  const ofPure = await costOf(worker, () => runMany(pure));
  const ofSteps = await costOf(worker, () => runMany(steps));
  const stored = await historyCosts(worker);
  const delivery = await deliveryCost(worker);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  const perNode = (ms: number): number => (ms * 1000) / (runCount * nodesPerRun);
  for (const [what, { worker: own, restate, postgres }] of Object.entries({ pure: ofPure, step: ofSteps }))
    console.log(
      `a ${what} node: worker ${perNode(own).toFixed(0)} us, Restate ${perNode(restate).toFixed(0)} us, PostgreSQL ${perNode(postgres).toFixed(0)} us`,
    );
  return {
    pureNode: perNode(ofPure.worker),
    step: perNode(ofSteps.worker),
    journalStep: Math.max(0, perNode(ofSteps.restate - ofPure.restate)),
    journalRun: (ofPure.restate * 1000) / runCount,
    ...stored,
    delivery,
  };
}

const load: Omit<Load, 'workers'> = {
  ...{ runsPerWorker: 50, nodesPerRun: 100, stepShare: 0.5, stepMs: 2000, eventsPerNode, asksPerRun: 0.05 },
  checkPauseMs: 0,
};
const machines: Machines = { coresPerWorker: 2, restateCores: 8, postgresCores: 8, networkMs: 0.5 };
const seconds = 5;

function describe(title: string, outcome: Outcome): string {
  const { nodesPerSecond, eventsPerSecond, eventsPerBatch, cores, deliveryShare, lagMs, pausedShare } = outcome;
  const parts = [
    `${title}: ${nodesPerSecond.toFixed(0)} nodes/s, ${eventsPerSecond.toFixed(0)} events/s in batches of ${eventsPerBatch.toFixed(0)}`,
    `busy cores: workers ${cores.workers.toFixed(1)}, Restate ${cores.restate.toFixed(1)} of ${machines.restateCores}, PostgreSQL ${cores.postgres.toFixed(1)} of ${machines.postgresCores} (${(deliveryShare * 100).toFixed(0)}% to look for answers)`,
    `event to history: median ${lagMs.median.toFixed(0)} ms, 99% ${lagMs.p99.toFixed(0)} ms; paused after ${(pausedShare * 100).toFixed(1)}% of the nodes`,
  ];
  return parts.join('\n  ');
}

const costs = await measure();
console.log(
  `costs in us: ${JSON.stringify(costs, (_, value) => (typeof value === 'number' ? Math.round(value) : value))}`,
);
console.log(`load per worker: ${JSON.stringify(load)}`);
for (const [workers, checkPauseMs] of [
  [10, 0],
  [100, 0],
  [1000, 0],
  [1000, 1000],
] as const) {
  const outcome = await simulate({ ...load, workers, checkPauseMs }, machines, { costs, seconds });
  console.log(describe(`${workers} workers, checks at least ${checkPauseMs} ms apart`, outcome));
}
await history.close();
