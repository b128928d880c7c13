import { afterEach, beforeEach, expect, test } from 'vitest';
import { noSchemaFiles } from '../../language/flow/schema-files.ts';
import { packDefinition } from '../../language/flow/stored-definition.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { FlowDefinitions } from './flow-definitions.ts';

const registry = createNodeRegistry(builtinNodes);
const path = 'a.flow.yaml';
const text = `flow: { name: x }
nodes:
  - { id: a, type: echo, input: { text: hi } }
  - { id: b, type: list.sort, input: { items: "{{a.rows}}" } }
edges: [{ from: a, to: b }]
`;

let world: TestExecutor;

beforeEach(async () => {
  world = await createTestExecutor({ registry });
});
afterEach(() => world.close());

test('rejects a start if a binding can never work', async () => {
  await expect(world.executor.startRun({ path, text, inputs: {} })).rejects.toMatchObject({
    code: 'flow.invalid',
    message: expect.stringContaining('has no field "rows"'),
  });
});

test('a pinned output may have any type, and the next start without it is still rejected', async () => {
  const { ended } = await world.executor.startRun({ path, text, inputs: {}, pins: { a: { rows: [2, 1] } } });
  expect(await ended).toMatchObject({ status: 'completed' });
  await expect(world.executor.startRun({ path, text, inputs: {} })).rejects.toMatchObject({ code: 'flow.invalid' });
});

test('a run started by an earlier version continues, and a new one is rejected', async () => {
  const definitions = new FlowDefinitions({ registry, readSchemas: async () => noSchemaFiles });
  const kept = definitions.compiledAsKept(path, packDefinition({ text, schemas: noSchemaFiles }));
  expect(kept.nodes.map(({ id }) => id)).toEqual(['a', 'b']);
  await expect(definitions.compiled({ path, text })).rejects.toMatchObject({ code: 'flow.invalid' });
});
