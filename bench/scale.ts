/**
 * Measures what runs on Restate cost in a worker, in Restate and in PostgreSQL, and calculates with it what 10, 100 and
 * 1,000 workers need. Arguments: the command line program, an empty folder, and for Restate and PostgreSQL the URL and
 * the ID of its process. Linux only.
 */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { EventEnvelope } from '../engine/isomorphic.ts';
import { asRunId, type RunId } from '../engine/isomorphic.ts';
import { chainOf, costOf, DurableLoad, pureNode, readPlaces, stepNode } from './durable-load.ts';
import { type Costs, type Load, type Machines, type Outcome, simulate } from './scale-simulation.ts';

const places = readPlaces();
const runCount = 200;
const nodesPerRun = 100;
const runsAtOnce = 100;

const durable = await DurableLoad.open(places, 'scale');
const { history } = durable;

/** Events of the size that a node emits. */
function eventsFor(runId: RunId, firstSeq: number, count: number): EventEnvelope[] {
  return Array.from({ length: count }, (_, index) => {
    const event = { type: 'agent:text', content: 'x'.repeat(200) } as const;
    return { seq: firstSeq + index, at: Date.now(), runId, context: { sessionId: 'bench' as never }, event };
  });
}

const eventsPerNode = 4;

/** Measures batches of one and of many nodes. Returns microseconds for a batch, and for each of its events. */
async function historyCosts(worker: ChildProcess): Promise<Pick<Costs, 'historyBatch' | 'historyEvent'>> {
  const ids = Array.from({ length: 100 }, () => asRunId(randomUUID()));
  for (const runId of ids) await history.createRun(durable.newRun(runId, 'x'));
  let seq = 0;
  const project = async (runs: readonly RunId[], batches: number): Promise<number> => {
    const { postgres } = await costOf(places, [worker], async () => {
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
  const { postgres } = await costOf(places, [worker], async () => {
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
  const worker = await durable.startWorker();
  const pure = chainOf(nodesPerRun, [pureNode]);
  const steps = chainOf(nodesPerRun, [stepNode]);
  const runMany = (definition: string): Promise<void> => durable.runMany(definition, runCount, runsAtOnce);
  for (const definition of [pure, steps]) await runMany(definition);
  const ofPure = await costOf(places, [worker], () => runMany(pure));
  const ofSteps = await costOf(places, [worker], () => runMany(steps));
  const stored = await historyCosts(worker);
  const delivery = await deliveryCost(worker);
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  const perNode = (ms: number): number => (ms * 1000) / (runCount * nodesPerRun);
  for (const [what, { workers, restate, postgres }] of Object.entries({ pure: ofPure, step: ofSteps }))
    console.log(
      `a ${what} node: worker ${perNode(workers).toFixed(0)} us, Restate ${perNode(restate).toFixed(0)} us, PostgreSQL ${perNode(postgres).toFixed(0)} us`,
    );
  return {
    pureNode: perNode(ofPure.workers),
    step: perNode(ofSteps.workers),
    journalStep: Math.max(0, perNode(ofSteps.restate - ofPure.restate)),
    journalRun: (ofPure.restate * 1000) / runCount,
    ...stored,
    delivery,
  };
}

const load: Omit<Load, 'workers'> = {
  ...{ runsPerWorker: 50, nodesPerRun: 100, stepShare: 0.5, stepMs: 2000, eventsPerNode, asksPerRun: 0.05 },
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
for (const workers of [10, 100, 1000]) {
  const outcome = await simulate({ ...load, workers }, machines, { costs, seconds });
  console.log(describe(`${workers} workers`, outcome));
}
await history.close();
