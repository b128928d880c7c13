/**
 * Measures the processor time of runs on Restate and PostgreSQL with two workers, per node, beside the same flow on the
 * local engine and beside a Restate workflow that does nothing but its steps. Arguments: those of `durable-load.ts`.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../engine/index.ts';
import {
  type CpuTimes,
  callRestate,
  chainOf,
  costOf,
  DurableLoad,
  peakMemoryOf,
  pureNode,
  readPlaces,
  stepNode,
} from './durable-load.ts';
import { cpuMs } from './statistics.ts';

const places = readPlaces();
const nodesPerRun = 100;
const runsAtOnce = 100;
const runCount = 1000;
const warmUpRuns = 100;

const half = chainOf(nodesPerRun, [pureNode, stepNode]);

function show(what: string, { workers, restate, postgres }: CpuTimes, count: number): void {
  const us = (ms: number): string => ((ms * 1000) / count).toFixed(0);
  const total = us(workers + restate + postgres);
  console.log(`${what}: ${total} us (workers ${us(workers)}, Restate ${us(restate)}, PostgreSQL ${us(postgres)})`);
}

/** Runs flows on two workers, each with a separate workspace. */
async function onTwoWorkers(): Promise<void> {
  const loads = [await DurableLoad.open(places, 'one'), await DurableLoad.open(places, 'two')];
  const workers = await Promise.all(loads.map((load) => load.startWorker()));
  const run = async (definition: string, count: number): Promise<void> => {
    await Promise.all(loads.map((load) => load.runMany(definition, count / 2, runsAtOnce / 2)));
  };
  for (const [what, kinds, count] of [
    ['a pure node', [pureNode], 200],
    ['a step', [stepNode], 200],
    [`a node of ${runCount} runs with ${nodesPerRun} nodes, half of them steps`, [pureNode, stepNode], runCount],
  ] as const) {
    const definition = chainOf(nodesPerRun, kinds);
    await run(definition, warmUpRuns);
    show(what, await costOf(places, workers, () => run(definition, count)), count * nodesPerRun);
  }
  for (const worker of workers) {
    console.log(
      `most memory of a worker, with ${runsAtOnce / 2} runs at a time: ${peakMemoryOf(worker).toFixed(0)} MB`,
    );
    worker.kill('SIGTERM');
    await once(worker, 'exit');
  }
  for (const { history } of loads) await history.close();
}

/** Runs the same flow on the local engine, which stores its events in SQLite. */
async function locally(): Promise<void> {
  const workspace = path.join(places.folder, 'local');
  await mkdir(workspace);
  const engine = await createEngine({ workspace, homeFolder: path.join(places.folder, 'home') });
  const runMany = async (count: number): Promise<void> => {
    let left = count;
    const line = async (): Promise<void> => {
      while (left-- > 0) {
        const { runId } = await engine.startRun({ path: 'chain.flow.yaml', text: half, inputs: {} });
        const { status } = await engine.whenEnded(runId);
        if (status !== 'completed') throw new Error(`A local run is ${status}.`);
      }
    };
    await Promise.all(Array.from({ length: runsAtOnce }, line));
  };
  await runMany(warmUpRuns);
  const before = cpuMs();
  await runMany(runCount);
  const us = ((cpuMs() - before) * 1000) / (runCount * nodesPerRun);
  console.log(`the same on the local engine: ${us.toFixed(0)} us`);
  await engine.close();
}

/** Runs workflows with as many steps as the flow has, without a flow and without a history. */
async function onBareRestate(): Promise<void> {
  const script = path.join(path.dirname(fileURLToPath(import.meta.url)), 'bare-restate.js');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const admin = `http://127.0.0.1:${new URL(places.restateUrl.replace('restate:', 'http:')).searchParams.get('admin')}`;
  const registered = await fetch(`${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${String(port).trim()}` }),
  });
  if (!registered.ok) throw new Error(`Restate refused the service: ${await registered.text()}`);
  const runMany = async (count: number): Promise<void> => {
    let left = count;
    const line = async (): Promise<void> => {
      while (left-- > 0) await callRestate(places, `bare/${randomUUID()}/run`, nodesPerRun / 2);
    };
    await Promise.all(Array.from({ length: runsAtOnce }, line));
  };
  await runMany(warmUpRuns);
  const cost = await costOf(places, [child], () => runMany(runCount));
  show('a step of a workflow without Millrace', cost, (runCount * nodesPerRun) / 2);
  child.kill();
}

await onTwoWorkers();
await locally();
await onBareRestate();
