/**
 * Tests the maximum size of data that a run may receive or output at once: `max_payload_bytes` of a policy, wherever
 * data enters or leaves a run.
 */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import type { Engine } from '../../index.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { SecretWorld } from '../../testing/secret-world.ts';

let world: SecretWorld;
let engine: Engine;
beforeEach(async () => {
  world = await SecretWorld.open();
  world.folder.write('workspace/millrace.policy.yaml', '# Small\nmax_payload_bytes: 60\n');
  engine = await world.engine({});
});
afterEach(() => world.close());

const place = 'millrace.policy.yaml:2';

/** Returns a flow with this node and a small output. */
const flowOf = (node: JsonMap): string =>
  JSON.stringify({
    flow: { name: 'F' },
    nodes: [
      { id: 'a', ...node },
      { id: 'end', type: 'constant', input: { value: 1 } },
    ],
    edges: [{ from: 'a', to: 'end' }],
  });

async function start(text: string, inputs: JsonMap = {}): Promise<RunId> {
  const { runId } = await engine.startRun({ path: 'f.flow.yaml', text, inputs });
  await engine.whenEnded(runId);
  return runId;
}

const eventsOf = async (runId: RunId): Promise<readonly RunEvent[]> =>
  (await engine.readEvents(runId, -1, 1000)).map(({ event }) => event);

const form = flowOf({
  type: 'user_input',
  input: {
    title: 'Say',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
});
const approval = flowOf({ type: 'human_approval', input: { title: 'Send it?', params: { to: 'kim' } } });

test.each([
  ['the values of a form', form, { values: { text: 'x'.repeat(60) } }, { values: { text: 'é'.repeat(15) } }],
  [
    'edited parameters',
    approval,
    { approved: true, params: { to: 'x'.repeat(60) } },
    { approved: true, params: { to: 'ada' } },
  ],
])('MF-071 rejects %s if it is too large, and the run keeps waiting', async (_, text, large, small) => {
  const runId = await start(text);
  await expect(engine.resumeRun({ runId, nodeId: 'a', payload: large })).rejects.toMatchObject({
    code: 'answer.invalid',
    message: expect.stringContaining(`the limit is 60 (rule user_input_payload_limit_exceeded, ${place})`),
    details: [{ code: 'user_input_payload_limit_exceeded' }],
  });
  expect(await engine.getRun(runId)).toMatchObject({ status: 'suspended' });
  const tail = (await eventsOf(runId)).slice(-2);
  const told = { type: 'input:refused', errors: ['user_input_payload_limit_exceeded'] };
  if (text === form) expect(tail).toMatchObject([{ type: 'run:suspended' }, told]);
  else expect(tail.at(-1)).toMatchObject({ type: 'run:suspended' });

  await engine.resumeRun({ runId, nodeId: 'a', payload: small });
  await engine.whenEnded(runId);
  expect(await engine.getRun(runId)).toMatchObject({ status: 'completed' });
});

test('measures an answer in bytes, and accepts the exact limit', async () => {
  const fits = { values: { text: `${'é'.repeat(14)}${'x'.repeat(10)}` } };
  expect(Buffer.byteLength(JSON.stringify(fits))).toBe(60);
  const runId = await start(form);
  const tooLarge = { values: { text: `${fits.values.text}x` } };
  await expect(engine.resumeRun({ runId, payload: tooLarge })).rejects.toThrow('The answer has 61 bytes');
  await engine.resumeRun({ runId, payload: fits });
  await engine.whenEnded(runId);
  expect(await engine.getRun(runId)).toMatchObject({ status: 'completed' });
});

test('rejects inputs of a run before it starts', async () => {
  const text = JSON.stringify({
    flow: { name: 'F', input: { text: '' } },
    nodes: [{ id: 'a', type: 'echo', input: { text: '{{flow.input.text}}' } }],
    edges: [],
  });
  expect(await eventsOf(await start(text, { text: 'x'.repeat(60) }))).toEqual([
    expect.objectContaining({
      type: 'run:refused',
      code: 'payload_limit_exceeded',
      details: { rule: 'payload_limit_exceeded', place, used: 71, limit: 60 },
    }),
  ]);
});

test('parameters of a tool call end the run before the tool acts', async () => {
  const input = { path: 'a.md', text: 'x'.repeat(60) };
  const runId = await start(flowOf({ type: 'tool', input, config: { tool: 'core.file_write' } }));
  expect((await eventsOf(runId)).at(-1)).toMatchObject({
    type: 'run:end',
    status: 'failed',
    error: { code: 'budget.exceeded', details: { budget: 'payloadBytes', rule: 'payload_limit_exceeded', place } },
  });
  expect((await eventsOf(runId)).filter(({ type }) => type === 'tool:result')).toEqual([]);
  expect(existsSync(world.folder.at('workspace/a.md'))).toBe(false);
});
