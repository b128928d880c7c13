import { expect, test } from 'vitest';
import { type Costs, type Load, type Machines, simulate } from './scale-simulation.ts';

const costs: Costs = {
  ...{ pureNode: 50, step: 200, journalStep: 250, journalRun: 300 },
  ...{ historyBatch: 300, historyEvent: 10, delivery: 400 },
};
const machines: Machines = { coresPerWorker: 2, restateCores: 8, postgresCores: 4, networkMs: 0.5 };
const load: Load = {
  ...{ workers: 4, runsPerWorker: 10, nodesPerRun: 20, stepShare: 0.5, stepMs: 100, eventsPerNode: 4, asksPerRun: 0 },
};

test('busy cores are what the operations cost, and the same in every simulation', async () => {
  const outcome = await simulate(load, machines, { costs, seconds: 2 });
  const { nodesPerSecond, runsPerSecond, eventsPerSecond, cores } = outcome;
  expect(eventsPerSecond / nodesPerSecond).toBeCloseTo(4, 0);
  const restate = (nodesPerSecond * 0.5 * 250 + runsPerSecond * 300) / 1e6;
  expect(cores.restate / restate).toBeCloseTo(1, 0);
  expect(await simulate(load, machines, { costs, seconds: 2 })).toEqual(outcome);
});

test('a history that is too slow pauses runs instead of filling memory', async () => {
  const slow = { ...costs, historyEvent: 5000 };
  const quickRuns = { ...load, workers: 1, runsPerWorker: 2, nodesPerRun: 5000, stepShare: 0 };
  const outcome = await simulate(quickRuns, { ...machines, postgresCores: 1 }, { costs: slow, seconds: 30 });
  expect(outcome.pausedShare).toBeGreaterThan(0);
  // 200, and a batch that began before the measurement counts as a whole.
  expect(outcome.eventsPerSecond).toBeLessThan(220);
});
