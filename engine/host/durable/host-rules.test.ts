/** Tests the rules about runs on Restate, with the same cases as the local host. */
import { afterAll, beforeAll, type TestContext, test } from 'vitest';
import { type DurableWorld, openDurableTest } from '../../testing/durable-world.ts';
import { type HostRule, hostRuleFiles, RunLog } from '../../testing/host-rules/host-rule.ts';
import { hostRules } from '../../testing/host-rules/host-rules.ts';

let world: DurableWorld | { readonly missing: string };

beforeAll(async () => {
  world = await openDurableTest({ files: Object.assign({}, hostRuleFiles, ...hostRules.map(({ files }) => files)) });
  if ('history' in world) await world.startWorker();
}, 300_000);

afterAll(async () => {
  if ('history' in world) await world.close();
});

async function runOnRestate(
  { skip }: TestContext,
  { flow, inputs, answers = [], cancelsAt }: HostRule,
): Promise<RunLog> {
  if ('missing' in world) return skip(world.missing);
  const { history } = world;
  const runId = await world.start(flow, inputs);
  const ended = world.whenEnded(runId, (event) => {
    if (cancelsAt?.(event)) void history.requestCancel(runId, 'kim');
  });
  for (const { nodeId, payload } of answers) await world.answer(runId, nodeId, payload);
  return new RunLog(await ended);
}

test.for(hostRules)('$rule (on Restate)', async (rule, context) => {
  const run = await runOnRestate(context, rule);
  run.checkWhole();
  rule.check(run);
});
