/** Tests the rules about runs on Restate, with the same cases as the local host. */
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { type DurableWorld, openDurableTest, type TestWorker } from '../../testing/durable-world.ts';
import { type HostRule, hostRuleFiles, RunLog } from '../../testing/host-rules/host-rule.ts';
import { hostRules } from '../../testing/host-rules/host-rules.ts';

let world: DurableWorld | { readonly missing: string };
let worker: TestWorker;

beforeAll(async () => {
  world = await openDurableTest({ files: Object.assign({}, hostRuleFiles, ...hostRules.map(({ files }) => files)) });
  if ('history' in world) worker = await world.startWorker();
}, 300_000);

afterAll(async () => {
  if ('history' in world) await world.close();
});

async function untilSuspended({ history }: DurableWorld, runId: RunId): Promise<void> {
  await expect.poll(async () => (await history.findSummary(runId))?.status).toBe('suspended');
}

async function runOnRestate({ skip }: TestContext, rule: HostRule): Promise<RunLog> {
  const { flow, inputs, answers = [], cancelsAt, restarts } = rule;
  if ('missing' in world) return skip(world.missing);
  const { history } = world;
  const runId = await world.start(flow, inputs);
  const ended = world.whenEnded(runId, (event) => {
    if (cancelsAt?.(event)) void history.requestCancel(runId, 'kim');
  });
  if (restarts === true) {
    await untilSuspended(world, runId);
    await worker.kill();
    worker = await world.startWorker();
  }
  for (const { nodeId, payload } of answers) await world.answer(runId, nodeId, payload);
  return new RunLog(await ended);
}

test.for(hostRules)('$rule (on Restate)', async (rule, context) => {
  const run = await runOnRestate(context, rule);
  run.checkWhole();
  rule.check(run);
});
