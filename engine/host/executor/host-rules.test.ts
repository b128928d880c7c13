/** Tests the rules about runs on the local host. A durable host is tested with the same rules. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import { type HostRule, hostRuleFiles, RunLog } from '../../testing/host-rules/host-rule.ts';
import { hostRules } from '../../testing/host-rules/host-rules.ts';

let workspace: string;
let engine: Engine;

beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'millrace-rules-'));
  const files = Object.assign({}, hostRuleFiles, ...hostRules.map(({ files: own }) => own));
  for (const [name, text] of Object.entries<string>(files)) await writeFile(path.join(workspace, name), text);
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
  await rm(workspace, { recursive: true });
});

async function runLocally({ flow, inputs = {}, answers = [], cancelsAt, restarts }: HostRule): Promise<RunLog> {
  let started: RunId | undefined;
  const stop = engine.subscribe((events) => {
    for (const { runId, event } of events) if (runId === started && cancelsAt?.(event)) engine.cancelRun(runId);
  });
  const { runId } = await engine.startRun({ path: 'rule.flow.yaml', text: flow, inputs });
  started = runId;
  await engine.whenEnded(runId);
  stop();
  if (restarts === true) {
    await engine.close();
    await openEngine();
  }
  for (const { nodeId, payload } of answers) {
    await engine.resumeRun({ runId, nodeId, payload, by: 'kim' });
    await engine.whenEnded(runId);
  }
  // A deadline continues the run by itself.
  await expect.poll(async () => (await engine.getRun(runId)).status).toMatch(/completed|failed|cancelled/);
  return new RunLog(await engine.readEvents(runId, -1, 10_000));
}

test.for(hostRules)('$rule', async (rule) => {
  const run = await runLocally(rule);
  run.checkWhole();
  rule.check(run);
});
