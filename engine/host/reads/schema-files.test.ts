import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackDefinition } from '../../language/flow/stored-definition.ts';
import { allOf } from '../../testing/all-of.ts';
import { cutBehind } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { exportRun } from './export-run.ts';
import { createHistory } from './history.ts';

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor();
  world.texts.set('number.json', '{ "type": "number" }');
});
afterEach(() => world.close());

/** Only `read` needs the schema. */
const flow = `
flow: { name: Reads }
nodes:
  - { id: before, type: echo, input: { text: "7" } }
  - { id: read, type: json.parse, input: { text: "{{before.text}}" }, config: { schemaFile: number.json } }
  - { id: last, type: echo, input: { text: "{{before.text}}" } }
edges: [{ from: before, to: read }, { from: read, to: last }]`;

async function statusOf(text: string): Promise<string> {
  return (await (await world.run(text)).ended).status;
}

test('BB-05 reads the file at each start, and a run keeps the content from its start', async () => {
  const { runId, ended } = await world.run(flow);
  expect((await ended).status).toBe('completed');
  world.texts.set('number.json', '{ "type": "string" }');
  expect(await statusOf(flow)).toBe('failed');
  world.texts.set('number.json', '{ "type": "integer" }');
  expect(await statusOf(flow)).toBe('completed');
  const history = createHistory(world.store);
  expect(await history.readDefinition(runId)).toBe(flow);
  expect(await history.readDefinitionSchemas(runId)).toEqual({ 'number.json': { type: 'number' } });
  expect(JSON.parse((await allOf(exportRun(history, runId))).join(''))).toMatchObject({
    definition: flow,
    schemas: { 'number.json': { type: 'number' } },
  });
});

test("BB-05 the schema is part of the definition's hash, but its whitespace is not", async () => {
  const hashes: (string | undefined)[] = [];
  for (const text of ['{ "type": "number" }', '{"type":\n"number"}\n', '{"type":"integer"}']) {
    world.texts.set('number.json', text);
    hashes.push(world.store.getRun((await world.run(flow)).runId)?.definitionHash);
  }
  expect(hashes[0]).toBe(hashes[1]);
  expect(hashes[2]).not.toBe(hashes[1]);
});

test('BB-05 an interrupted run resumes with the schema that it started with', async () => {
  const { runId, ended } = await world.run(flow);
  await ended;
  const log = world.store.readEvents(runId, -1, 100);
  const cut = cutBehind(world, log.slice(0, log.findIndex(({ event }) => event.type === 'task:complete') + 1));
  world.texts.set('number.json', '{ "type": "string" }');
  const resumed = await world.executor.resumeRun({ runId: cut });
  expect((await resumed.ended).status).toBe('completed');
  world.texts.delete('number.json');
  const again = cutBehind(world, log.slice(0, 3));
  expect((await (await world.executor.resumeRun({ runId: again })).ended).status).toBe('completed');
});

test('BB-05 a changed schema makes only its node stale', async () => {
  const { runId, ended } = await world.run(flow);
  await ended;
  world.texts.set('a.flow.yaml', flow);
  const fates = async () =>
    (await world.executor.plans.planRerun({ runId })).map(({ nodeId, fate, why }) => [nodeId, fate, why]);
  expect(await fates()).toEqual([
    ['before', 'reused', ''],
    ['read', 'reused', ''],
    ['last', 'reused', ''],
  ]);
  world.texts.set('number.json', '{ "type": "integer" }');
  expect(await fates()).toEqual([
    ['before', 'reused', ''],
    ['read', 'runs', 'its definition has changed'],
    ['last', 'reused', ''],
  ]);
  const rerun = await world.executor.rerunFrom({ runId, nodeId: 'last' });
  expect((await rerun.ended).status).toBe('completed');
  const events = world.store.readEvents(rerun.runId, -1, 100).map(({ event }) => event);
  expect(events.flatMap((event) => (event.type === 'node:reused' ? [event.nodeId] : []))).toEqual(['before']);
});

test('BB-05 moving the schema into the flow changes nothing', async () => {
  const { runId, ended } = await world.run(flow);
  await ended;
  const text = flow.replace('schemaFile: number.json', 'schema: { type: number }');
  const plan = await world.executor.plans.planRerun({ runId, text });
  expect(plan.map(({ fate }) => fate)).toEqual(['reused', 'reused', 'reused']);
});

test('BB-05 rejects run, redo and rerun before they start if the file is missing', async () => {
  const { runId, ended } = await world.run(flow);
  await ended;
  world.texts.set('a.flow.yaml', flow);
  world.texts.set('number.json', '{ "type": "numb" }');
  const refused = { code: 'flow.invalid', details: [expect.objectContaining({ code: 'node.bad-schema-file' })] };
  await expect(world.run(flow)).rejects.toMatchObject(refused);
  await expect(world.executor.redo({ runId })).rejects.toMatchObject(refused);
  await expect(world.executor.rerunFrom({ runId, nodeId: 'last' })).rejects.toMatchObject(refused);
  expect(world.store.listRuns({ limit: 10 })).toHaveLength(1);
});

test('preserves a text that starts like a stored definition', async () => {
  const text = '@millrace-definition {"schemas":[["a",true]]}\nflow: {}';
  world.store.keepDefinition(text);
  expect(unpackDefinition(text).schemas.size).toBe(1);
  const { packDefinition } = await import('../../language/flow/stored-definition.ts');
  expect(unpackDefinition(packDefinition({ text, schemas: new Map() }))).toEqual({ text, schemas: new Map() });
});
