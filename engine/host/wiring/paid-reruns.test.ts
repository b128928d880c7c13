/** Tests which model requests a rerun of a loop repeats, counted by the model server. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import { type ModelServer, type Plan, startModelServer } from '../../testing/model-server.ts';

const count = 500;
const text = `
flow: { name: Ask, input: { topics: [] } }
nodes:
  - { id: each, type: control.foreach, input: { items: "{{flow.input.topics}}", body: [ask], tolerate: true, maxParallel: 8 } }
  - { id: ask, type: prompt, input: { prompt: "About {{item}}" }, config: { model: "p::tiny" } }
edges: []`;

let folder: string;
let server: ModelServer;
let engine: Engine;

beforeEach(async () => {
  vi.stubEnv('MILLRACE_TEST_KEY', 'a-key-for-tests');
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-paid-'));
  for (const name of ['work', 'base']) mkdirSync(path.join(folder, name));
  server = await startModelServer('openai-compatible');
  const config = `[providers.p]\nkind = "openai-compatible"\nbase_url = "${server.baseUrl}"\napi_key_env = "MILLRACE_TEST_KEY"\n`;
  writeFileSync(path.join(folder, 'base', 'config-user.toml'), config);
  writeFileSync(path.join(folder, 'work', 'ask.flow.yaml'), text);
  engine = await createEngine({ workspace: path.join(folder, 'work'), homeFolder: path.join(folder, 'base') });
});

afterEach(async () => {
  await engine.close();
  await server.close();
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

test(`13.15 a rerun of ${count} items with one failure calls the model once, from the loop as well as without a node`, async () => {
  const topics = Array.from({ length: count }, (_, index) => `topic ${index}`);
  const plans = topics.map((_, index): Plan => (index === 137 ? { status: 400, message: 'no' } : {}));
  server.plan(...plans, { status: 400, message: 'no' });
  const { runId } = await engine.startRun({ path: 'ask.flow.yaml', text, inputs: { topics } });
  await engine.whenEnded(runId);
  expect(server.received).toHaveLength(count);

  const [step] = await engine.planRerun({ runId });
  expect(step).toMatchObject({ fate: 'runs', items: { reused: count - 1, total: count } });
  expect(step?.why).toContain(`${count - 1} of ${count} items reused`);
  let last = runId;
  for (const [round, from] of [{}, { nodeId: 'each' }].entries()) {
    const again = await engine.rerunFrom({ runId: last, ...from });
    await engine.whenEnded(again.runId);
    expect(server.received).toHaveLength(count + round + 1);
    last = again.runId;
  }
  server.plan({});
  const good = await engine.rerunFrom({ runId: last });
  await engine.whenEnded(good.runId);
  expect(server.received).toHaveLength(count + 3);
  expect((await engine.planRerun({ runId: good.runId }))[0]?.fate).toBe('reused');
});
