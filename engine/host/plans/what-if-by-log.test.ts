/**
 * Tests "What if" for flows that cannot be executed again: lists certain suggestions, and names the rest with the
 * reason.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compileFlow } from '../../language/flow/compile-flow.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { suggestionsOf } from '../../runtime/kernel/events/run-suggestions.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { levelsAlone } from '../../testing/step-runs.ts';
import { testNode } from '../../testing/test-node.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { whyUnpredictable } from './predict-suggestions.ts';
import { sureActs } from './sure-acts.ts';

const pay = testNode('pay', async ({ input }) => ({ id: 7, items: [1, 2], given: input }), 'external');
const registry = createNodeRegistry([...builtinNodes, pay]);

let world: TestExecutor;
beforeEach(async () => {
  world = await createTestExecutor({ registry, governance: levelsAlone });
  world.texts.set('inner.flow.yaml', inner);
});
afterEach(() => world.close());

const inner = `flow: { name: inner, input: { n: 0 } }
nodes:
  - { id: p, type: pay, input: { n: "{{flow.input.n}}" } }
  - { id: q, type: pay, input: { n: "{{p.id}}" } }
edges: [{ from: p, to: q }]
`;

const kinds = ['pay', 'echo', 'call', 'each'] as const;
const shapes = fc.array(fc.record({ kind: fc.constantFrom(...kinds), from: fc.nat(5), isLinked: fc.boolean() }), {
  minLength: 1,
  maxLength: 5,
});

/** Returns a flow in which the first node calls another flow, so that consequences cannot be predicted. */
function textOf(shape: typeof shapes extends fc.Arbitrary<infer Drawn> ? Drawn : never): string {
  const edges: object[] = [];
  const all = [{ kind: 'call' as const, from: 0, isLinked: false }, ...shape];
  const nodes = all.flatMap(({ kind, from, isLinked }, index): readonly object[] => {
    const [id, source] = [`n${index}`, `n${from % Math.max(index, 1)}`];
    const isBound = isLinked && index > 0;
    if (isBound) edges.push({ from: source, to: id });
    const value = isBound ? `{{?${source}.id}}` : index;
    if (kind === 'call') return [{ id, type: 'flow', input: { flow: 'inner.flow.yaml', input: { n: value } } }];
    if (kind === 'echo') return [{ id, type: 'echo', input: { text: String(value) } }];
    if (kind === 'pay') return [{ id, type: 'pay', input: { n: value } }];
    const body = { id: `i${index}`, type: 'pay', input: { n: '{{item}}' } };
    return [{ id, type: 'control.foreach', input: { items: [1, 2], body: [body.id] } }, body];
  });
  return JSON.stringify({ flow: { name: 'x', policy: { failFast: false } }, nodes, edges });
}

async function ran(text: string, autonomy?: 'suggest_only') {
  const level = autonomy === undefined ? {} : { autonomy };
  const { runId, ended } = await world.executor.startRun({ path: 'a.flow.yaml', text, inputs: {}, ...level });
  await ended;
  return { runId, state: foldRun(emptyRunState, world.store.readEvents(runId, -1, 5000)) };
}

test('13.16 over 30 flows that call flows, each predicted suggestion is made, and every other is reported as not predicted', async () => {
  let [sure, unsure] = [0, 0];
  const property = fc.asyncProperty(shapes, async (shape) => {
    const text = textOf(shape);
    const free = await ran(text);
    const report = await world.executor.plans.simulateAutonomy({ runId: free.runId, level: 'suggest_only' });
    const held = await ran(text, 'suggest_only');
    const real = suggestionsOf(held.state).map(({ nodeId, params }) => JSON.stringify([nodeId, params]));
    const predicted = report.acts.map(({ nodeId, params }) => JSON.stringify([nodeId, params]));
    expect(report.notPredicted?.why).toContain('n0');
    for (const one of predicted) expect(real).toContain(one);
    const named = report.notPredicted?.nodes ?? [];
    for (const one of real.filter((other) => !predicted.includes(other))) {
      const [nodeId] = JSON.parse(one) as [string];
      expect([
        nodeId,
        named.some((name) => nodeId === name || nodeId.startsWith(`${name}/`) || nodeId.startsWith(`${name}[`)),
      ]).toEqual([nodeId, true]);
      unsure += 1;
    }
    sure += predicted.length;
  });
  await fc.assert(property, { numRuns: testRounds(30), seed: 5 });
  expect(sure).toBeGreaterThan(30);
  expect(unsure).toBeGreaterThan(5);
});

test('13.16 reports that a flow with secrets cannot be predicted, and names the secrets', () => {
  const flow = compileFlow({
    flow: { name: 'x', secrets: ['KEY'] },
    nodes: [
      { id: 'a', type: 'pay', input: { key: '{{secret.KEY}}' } },
      { id: 'b', type: 'pay', input: { n: '{{a.id}}' } },
      { id: 'c', type: 'pay', input: { n: 1 } },
    ],
    edges: [{ from: 'a', to: 'b' }],
  } as never);
  expect(whyUnpredictable(flow, registry)).toBe('it uses secrets (KEY)');
  const act = (nodeId: string, seq: number) => ({ seq, kind: 'suggestion', nodeId, params: {} }) as const;
  const { acts, nodes } = sureActs(flow, [act('a', 1), act('b', 2), act('c', 3)]);
  expect([acts.map(({ nodeId }) => nodeId), nodes]).toEqual([['a', 'c'], ['b']]);
});

test('13.16 iterations of a loop build on each other, and items of a list do not', () => {
  const flow = compileFlow({
    flow: { name: 'x' },
    nodes: [
      { id: 'each', type: 'control.foreach', input: { items: [1, 2], body: ['i'] } },
      { id: 'i', type: 'pay', input: {} },
      { id: 'again', type: 'control.loop', input: { body: ['j'] } },
      { id: 'j', type: 'pay', input: {} },
    ],
    edges: [],
  } as never);
  const names = ['each[0].i', 'each[1].i', 'again[0].j', 'again[1].j'];
  const { acts, nodes } = sureActs(
    flow,
    names.map((nodeId, seq) => ({ seq, kind: 'suggestion' as const, nodeId, params: {} })),
  );
  expect([acts.map(({ nodeId }) => nodeId), nodes]).toEqual([names.slice(0, 3), ['again[1].j']]);
});
