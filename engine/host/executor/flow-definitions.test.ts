import { expect, test } from 'vitest';
import { compileFlow } from '../../language/flow/compile-flow.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';
import { type CachedFlowDefinition, KnownFlows } from './flow-definitions.ts';

const flowText = (input: string) => `
flow: { name: f }
nodes: [{ id: a, type: greedy, input: { list: [${input}] } }, { id: b, type: echo, input: { text: "{{a.said}}" } }]
edges: [{ from: a, to: b }]`;

/** Creates an executor that counts validations. Its node tries to modify its input. */
async function countingExecutor() {
  let checks = 0;
  const greedy = testNode('greedy', async ({ input }) => {
    const list = input['list'] as unknown[];
    try {
      list.push('more');
    } catch {
      // The input is frozen.
    }
    return { said: list.join() };
  });
  const registry = createNodeRegistry([...builtinNodes, greedy]);
  const world = await createTestExecutor({
    registry: {
      ...registry,
      packs() {
        checks += 1;
        return registry.packs();
      },
    },
  });
  const outputOf = async (text: string, maxParallel?: number) => {
    const request = { path: 'a.flow.yaml', text, inputs: {}, ...(maxParallel === undefined ? {} : { maxParallel }) };
    const ended = await (await world.executor.startRun(request)).ended;
    const last = world.told.findLast(({ runId }) => runId === ended.runId)?.event;
    return last?.type === 'run:end' && last.status === 'completed' ? last.output : ended;
  };
  return { ...world, outputOf, checks: () => checks };
}

test('a text that was run before is not validated again, and has the same output, whatever nodes do to it', async () => {
  const { outputOf, checks, close } = await countingExecutor();
  const first = await outputOf(flowText('1, 2'));
  const once = checks();
  expect(first).toEqual({ b: { text: '1,2' } });
  expect(once).toBeGreaterThan(0);
  expect([await outputOf(flowText('1, 2')), await outputOf(flowText('1, 2'), 2)]).toEqual([first, first]);
  expect(checks()).toBe(once);
  expect(await outputOf(flowText('1, 3'))).toEqual({ b: { text: '1,3' } });
  expect(checks()).toBe(2 * once);
  await close();
});

test('an invalid text is rejected each time', async () => {
  const { outputOf, close } = await countingExecutor();
  const text = flowText('1').replace('echo', 'unheard');
  for (const _ of [1, 2]) await expect(outputOf(text)).rejects.toMatchObject({ code: 'flow.invalid' });
  await close();
});

test('the least recently used definition is dropped, and one that is too long is never cached', () => {
  const known = (name: string, definition: string): CachedFlowDefinition => ({
    flow: compileFlow({ flow: { name }, nodes: [], edges: [] }),
    definition,
    schemaFiles: [],
  });
  const flows = new KnownFlows();
  const nameOf = (text: string): string | undefined => flows.get(text)?.flow.name;
  for (let index = 0; index < 16; index++) flows.add(`text ${index}`, known(`${index}`, `text ${index}`));
  expect(nameOf('text 0')).toBe('0');
  flows.add('text 16', known('16', 'text 16'));
  expect([nameOf('text 0'), nameOf('text 1'), nameOf('text 16')]).toEqual(['0', undefined, '16']);
  const [long, longer] = ['a'.repeat(3 * 2 ** 20), 'b'.repeat(2 * 2 ** 20)];
  flows.add('long', known('long', long));
  flows.add('long', known('long again', long));
  expect([nameOf('long'), nameOf('text 0')]).toEqual(['long again', '0']);
  flows.add('longer', known('longer', longer));
  expect([nameOf('long'), nameOf('longer')]).toEqual([undefined, 'longer']);
  flows.add('longer', known('too long', 'c'.repeat(4 * 2 ** 20 + 1)));
  expect(nameOf('longer')).toBeUndefined();
});
