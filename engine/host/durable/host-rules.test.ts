/** Tests the rules about runs on Restate, with the same cases as the local host. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { RunId } from '../../base/ids.ts';
import type { WaitStatus } from '../../runtime/kernel/events/run-state.ts';
import { type DurableWorld, openDurableTest, type TestWorker } from '../../testing/durable-world.ts';
import { type HostRule, hostRuleFiles, RunLog } from '../../testing/host-rules/host-rule.ts';
import { hostRules } from '../../testing/host-rules/host-rules.ts';
import { refusedFlows } from '../../testing/host-rules/refused-flows.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server.ts';
import { answerSharedRun } from '../reads/shared-answers.ts';

let world: DurableWorld | { readonly missing: string };
let worker: TestWorker;
let models: ModelServer;

beforeAll(async () => {
  models = await startModelServer('openai-compatible');
  models.plan({ after: 'stay open' });
  const files = Object.assign({}, hostRuleFiles(models.baseUrl), ...hostRules.map(({ files: own }) => own));
  world = await openDurableTest({ files });
  if ('history' in world) worker = await world.startWorker();
}, 300_000);

afterAll(async () => {
  if ('history' in world) await world.close();
  await models.close();
});

async function untilSuspended({ history }: DurableWorld, runId: RunId): Promise<WaitStatus | undefined> {
  await expect.poll(async () => (await history.findSummary(runId))?.status).toBe('suspended');
  return (await history.findSummary(runId))?.waitStatus;
}

async function runOnRestate(durable: DurableWorld, rule: HostRule, flow: string): Promise<RunLog> {
  const { inputs, answers = [], cancelsAt, restarts, waitsMs = 0 } = rule;
  const { history } = durable;
  const runId = await durable.start(flow, inputs);
  const ended = durable.whenEnded(runId, (event) => {
    if (cancelsAt?.(event)) void history.request(runId, 'cancel', 'kim');
  });
  // An earlier answer would keep the run from suspending.
  const waited = answers.length === 0 ? undefined : await untilSuspended(durable, runId);
  await pause(waitsMs);
  if (restarts === true) {
    await worker.kill();
    worker = await durable.startWorker();
  }
  for (const { nodeId, payload, rival } of answers) {
    await durable.answer(runId, nodeId, payload);
    if (rival === undefined) continue;
    const second = answerSharedRun(history, { runId, nodeId, payload: rival, by: 'lee' }, context());
    await expect(second).rejects.toThrow(expect.objectContaining({ code: 'run.invalid-state' }));
  }
  return new RunLog(await ended, waited);
}

const context = () => ({ now: systemClock.now(), policies: [] });

function open({ skip }: TestContext): DurableWorld {
  return 'missing' in world ? skip(world.missing) : world;
}

test.for(hostRules.map((rule) => [rule.rule, rule] as const))('%s (on Restate)', async ([, rule], test) => {
  const durable = open(test);
  const run = await runOnRestate(durable, rule, rule.flow);
  const twin = rule.twin === undefined ? run : await runOnRestate(durable, rule, rule.twin);
  for (const one of [run, twin]) one.checkWhole();
  rule.check(run, twin);
});

test.for(refusedFlows.map((one) => [one.rule, one] as const))('%s is not run (on Restate)', async ([, one], test) => {
  const durable = open(test);
  const before = await durable.history.listRuns({ limit: 1 });
  await expect(durable.start(one.flow)).rejects.toMatchObject({
    code: 'flow.invalid',
    details: [expect.objectContaining({ code: one.code })],
  });
  expect(await durable.history.listRuns({ limit: 1 })).toEqual(before);
});
