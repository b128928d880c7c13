/** Tests the rules about runs on the local host. A durable host is tested with the same rules. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import { type HostRule, hostRuleFiles, RunLog } from '../../testing/host-rules/host-rule.ts';
import { hostRules } from '../../testing/host-rules/host-rules.ts';
import { refusedFlows } from '../../testing/host-rules/refused-flows.ts';
import { type ModelServer, startModelServer } from '../../testing/model-server.ts';

let workspace: string;
let engine: Engine;
let models: ModelServer;

beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'millrace-rules-'));
  models = await startModelServer('openai-compatible');
  models.plan({ after: 'stay open' });
  const files = Object.assign({}, hostRuleFiles(models.baseUrl), ...hostRules.map(({ files: own }) => own));
  for (const [name, text] of Object.entries<string>(files)) {
    await mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
    await writeFile(path.join(workspace, name), text);
  }
  await openEngine();
});

async function openEngine(): Promise<void> {
  engine = await createEngine({
    workspace,
    homeFolder: path.join(workspace, 'no-home'),
    isTrusted: true,
    resumesAnswered: true,
  });
}

afterAll(async () => {
  await engine.close();
  await models.close();
  await rm(workspace, { recursive: true });
});

async function runLocally(rule: HostRule, flow: string): Promise<RunLog> {
  const { inputs = {}, answers = [], cancelsAt, restarts, waitsMs = 0 } = rule;
  let started: RunId | undefined;
  const stop = engine.subscribe((events) => {
    for (const { runId, event } of events) if (runId === started && cancelsAt?.(event)) engine.cancelRun(runId);
  });
  const { runId } = await engine.startRun({ path: 'rule.flow.yaml', text: flow, inputs });
  started = runId;
  await engine.whenEnded(runId);
  const { waitStatus } = await engine.getRun(runId);
  await pause(waitsMs);
  if (restarts === true) {
    await engine.close();
    await openEngine();
  }
  for (const { nodeId, payload, rival } of answers) {
    await engine.resumeRun({ runId, nodeId, payload, by: 'kim' });
    if (rival !== undefined)
      await expect(engine.resumeRun({ runId, nodeId, payload: rival, by: 'lee' })).rejects.toThrow(alreadyAnswered);
    await engine.whenEnded(runId);
  }
  // A deadline or a request to cancel continues the run by itself.
  await expect.poll(async () => (await engine.getRun(runId)).status).toMatch(/completed|failed|cancelled/);
  stop();
  return new RunLog(await engine.readEvents(runId, -1, 10_000), waitStatus);
}

const alreadyAnswered = expect.objectContaining({ code: 'run.invalid-state' });

test.for(hostRules.map((rule) => [rule.rule, rule] as const))('%s', async ([, rule]) => {
  const run = await runLocally(rule, rule.flow);
  const twin = rule.twin === undefined ? run : await runLocally(rule, rule.twin);
  for (const one of [run, twin]) one.checkWhole();
  rule.check(run, twin);
});

test.for(refusedFlows.map((one) => [one.rule, one] as const))('%s is not run', async ([, { flow, code }]) => {
  const before = await engine.listRuns({ limit: 1 });
  const started = engine.startRun({ path: 'rule.flow.yaml', text: flow, inputs: {} });
  await expect(started).rejects.toMatchObject({ code: 'flow.invalid', details: [expect.objectContaining({ code })] });
  expect(await engine.listRuns({ limit: 1 })).toEqual(before);
});
