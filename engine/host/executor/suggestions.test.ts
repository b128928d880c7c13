/** Tests runs that only make suggestions: the consequences of a suggestion, and the predictions of "What if". */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { levelsAlone } from '../../testing/step-runs.ts';
import { testNode } from '../../testing/test-node.ts';
import { testRounds } from '../../testing/test-rounds.ts';

let world: TestExecutor;
let acted: string[];

beforeEach(async () => {
  acted = [];
  const pay = testNode(
    'pay',
    async ({ nodeId, input }) => {
      acted.push(nodeId);
      return { id: 7, ok: true, items: [1, 2], given: input };
    },
    'external',
  );
  const pass = { ...testNode('pass', async ({ input }) => input), capabilities: [] };
  const registry = createNodeRegistry([...builtinNodes, pay, pass]);
  world = await createTestExecutor({ registry, governance: levelsAlone });
});
afterEach(() => world.close());

async function ran(text: string, autonomy?: 'suggest_only') {
  const level = autonomy === undefined ? {} : { autonomy };
  const { runId, ended } = await world.executor.startRun({ path: 'a.flow.yaml', text, inputs: {}, ...level });
  await ended;
  const state = foldRun(emptyRunState, world.store.readEvents(runId, -1, 5000));
  return { runId, state, of: (id: string) => state.nodes.get(id) };
}

const flow = (nodes: readonly string[], edges: readonly string[], policy = '') => `
flow: { name: f${policy} }
nodes:
  - { id: a, type: pay, input: { amount: 20 } }
${nodes.map((node) => `  - ${node}`).join('\n')}
edges: [${edges.join(', ')}]`;

const suggestion = { skipped: true, reason: 'autonomy', suggested: true, params: { amount: 20 } };
const skip = (condition: string) => [`{ id: b, type: echo, input: { text: x }, when: ${condition} }`];

describe('13.16 after a suggestion', () => {
  test.each([
    ['a field', '{{a.id}}', suggestion],
    ['a nested field', '{{a.more.deep[0].id}}', suggestion],
    ['a field below the params', '{{a.params.other}}', suggestion],
    ['the whole output', '{{a}}', suggestion],
    ['an existing field', '{{a.params.amount}}', 20],
    ['a path with a default', '{{a.id | default: 3}}', 3],
    ['an optional path', '{{?a.id}}', ''],
    ['text around the binding', 'no. {{a.id}}', `no. ${JSON.stringify(suggestion)}`],
  ])('13.16 a binding with a missing path resolves to the suggestion itself: %s', async (_, binding, value) => {
    const node = `{ id: b, type: constant, input: { value: ${JSON.stringify(binding)} } }`;
    const { state, of } = await ran(flow([node], ['{ from: a, to: b }']), 'suggest_only');
    expect([state.status, of('b')?.output, acted]).toEqual(['completed', { value }, []]);
  });

  test('13.16 even if another node has passed it on', async () => {
    const nodes = [
      '{ id: b, type: constant, input: { value: "{{a.id}}" } }',
      '{ id: c, type: constant, input: { value: "{{b.value.name}}" } }',
    ];
    const { state, of } = await ran(flow(nodes, ['{ from: a, to: b }', '{ from: b, to: c }']), 'suggest_only');
    expect([state.status, of('c')?.output]).toEqual(['completed', { value: suggestion }]);
  });

  test('13.16 an output of the flow with a missing path in a suggestion', async () => {
    const text = flow([], []).replace('name: f', 'name: f, outputs: { id: "{{a.id}}" }');
    const { state } = await ran(text, 'suggest_only');
    expect([state.status, state.output]).toEqual(['completed', { id: suggestion }]);
  });

  test.each([
    ['equals', '{ equals: { var: a.ok, value: true } }'],
    ['its negation', '{ not: { equals: { var: a.ok, value: true } } }'],
    ['exists', '{ exists: a.ok }'],
    ['a test for a missing value', '{ not: { exists: a.ok } }'],
    ['gt', '{ gt: { var: a.id, value: 1 } }'],
    ['and, with a true part', '{ and: [{ equals: { var: a.ok, value: true } }, { exists: a.params }] }'],
    ['or, without a true part', '{ or: [{ equals: { var: a.ok, value: true } }, { exists: flow.input.none }] }'],
  ])('13.16 a condition on such a path is false: %s', async (_, condition) => {
    const { state, of } = await ran(flow(skip(condition), ['{ from: a, to: b }']), 'suggest_only');
    expect([state.status, of('b')?.status, of('b')?.skip?.reason]).toEqual(['completed', 'skipped', 'suggested']);
    const onEdge = flow(['{ id: b, type: echo, input: { text: x } }'], [`{ from: a, to: b, when: ${condition} }`]);
    const edge = await ran(onEdge, 'suggest_only');
    expect([edge.state.status, edge.of('b')?.skip?.reason]).toEqual(['completed', 'suggested']);
  });

  test.each([
    ['an existing field', '{ equals: { var: a.params.amount, value: 20 } }', 'completed', undefined],
    ['or, with a true part', '{ or: [{ exists: a.ok }, { exists: a.params }] }', 'completed', undefined],
    ['and, with a false part', '{ and: [{ exists: a.ok }, { exists: flow.input.none }] }', 'skipped', 'when'],
    ['a different value', '{ equals: { var: a.params.amount, value: 1 } }', 'skipped', 'when'],
  ])('13.16 a condition with a known value is evaluated as usual: %s', async (_, condition, status, reason) => {
    const { of } = await ran(flow(skip(condition), ['{ from: a, to: b }']), 'suggest_only');
    expect([of('b')?.status, of('b')?.skip?.reason]).toEqual([status, reason]);
  });

  test.each([
    ['a list of a loop', 'control.foreach', '{ items: "{{a.items}}", body: [] }'],
    ['a list to sort', 'list.sort', '{ items: "{{a.items}}" }'],
  ])(
    '13.16 holds back a node with a schema that rejects a suggestion, and the run completes: %s',
    async (_, type, input) => {
      const nodes = [
        `{ id: b, type: ${type}, input: ${input} }`,
        '{ id: c, type: constant, input: { value: "{{b}}" } }',
      ];
      const { state, of } = await ran(flow(nodes, ['{ from: a, to: b }', '{ from: b, to: c }']), 'suggest_only');
      expect([state.status, of('b')?.skip?.reason]).toEqual(['completed', 'suggested']);
      expect(of('c')?.output).toEqual({ value: { skipped: true, reason: 'suggested' } });
    },
  );

  test('13.16 other errors of a node are still failures, and so is a missing path elsewhere', async () => {
    const bad = await ran(
      flow(
        ['{ id: b, type: constant, input: { value: "{{c.none}}" } }', '{ id: c, type: pass, input: { x: 1 } }'],
        ['{ from: c, to: b }'],
      ),
      'suggest_only',
    );
    expect([bad.state.status, bad.state.error?.code]).toEqual(['failed', 'binding.missing']);
  });

  test('13.16 without the level none of this applies', async () => {
    const { state, of } = await ran(
      flow(['{ id: b, type: constant, input: { value: "{{a.id}}" } }'], ['{ from: a, to: b }']),
    );
    expect([state.status, of('b')?.output, acted]).toEqual(['completed', { value: 7 }, ['a']]);
  });

  test('13.16 a run at a higher level reuses no suggestions and nothing that depends on them', async () => {
    const nodes = [
      '{ id: b, type: constant, input: { value: "{{a.id}}" } }',
      '{ id: each, type: control.foreach, input: { items: [1], body: [inner] } }',
      '{ id: inner, type: pay, input: { n: "{{item}}" } }',
    ];
    const text = flow(nodes, ['{ from: a, to: b }'], ', policy: { autonomy: suggest_only }');
    const { runId } = await ran(text);
    const free = text.replace(', policy: { autonomy: suggest_only }', '');
    const again = await world.executor.rerunFrom({ runId, text: free });
    await again.ended;
    expect(acted.toSorted()).toEqual(['a', 'inner']);
  });
});

const kinds = ['pay', 'payWith', 'pass', 'strict', 'each'] as const;
const plans = fc.record({
  nodes: fc.array(fc.record({ kind: fc.constantFrom(...kinds), from: fc.nat(9) }), { minLength: 2, maxLength: 7 }),
  edges: fc.array(fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6)), { maxLength: 9 }),
});
type Plan = typeof plans extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Returns a flow in which each node reads an earlier node, possibly in conditions. */
function textOf({ nodes, edges }: Plan): string {
  // Sorts and loops have fixed output fields, which validation knows.
  const isOpen = (index: number): boolean => !['strict', 'each'].includes(nodes[index]?.kind ?? '');
  const sourceOf = (index: number): string | undefined => {
    const open = [...nodes.keys()].filter((at) => at < index && isOpen(at));
    return open.length === 0 ? undefined : `n${open[(nodes[index]?.from ?? 0) % open.length]}`;
  };
  const bound = (index: number, field: string, otherwise: unknown) => {
    const source = sourceOf(index);
    return source === undefined ? otherwise : `{{${source}.${field}}}`;
  };
  const nodeOf = (index: number) =>
    ({
      pay: { type: 'pay', input: { n: index } },
      payWith: { type: 'pay', input: { n: bound(index, 'id', 0), also: `x ${bound(index, 'given', 1)}` } },
      pass: {
        type: 'pass',
        input: { id: bound(index, 'id', 1), items: bound(index, 'items', [3]), given: 1, ok: true },
      },
      strict: { type: 'list.sort', input: { items: bound(index, 'items', [2, 1]) } },
      each: { type: 'control.foreach', input: { items: bound(index, 'items', [1, 2]), body: [`i${index}`] } },
    })[nodes[index]?.kind ?? 'pay'];
  const list = nodes.flatMap(({ kind }, index) => {
    const own = { id: `n${index}`, ...nodeOf(index) };
    return kind === 'each' ? [own, { id: `i${index}`, type: 'pay', input: { item: '{{item}}' } }] : [own];
  });
  const all = new Map<string, object>();
  for (const index of nodes.keys()) {
    const from = sourceOf(index);
    if (from !== undefined) all.set(`${from} n${index}`, { from, to: `n${index}` });
  }
  for (const [a, b, kind] of edges) {
    const [low, high] = [Math.min(a % nodes.length, b % nodes.length), Math.max(a % nodes.length, b % nodes.length)];
    if (low === high) continue;
    const [from, to] = [`n${low}`, `n${high}`];
    const leaf = { equals: { var: `${from}.ok`, value: true } };
    const when = [leaf, { not: leaf }, { exists: `${from}.id` }, { and: [leaf, { exists: `${from}.params` }] }][kind];
    all.set(`${from} ${to}`, { from, to, ...(when === undefined || !isOpen(low) ? {} : { when }) });
  }
  return JSON.stringify({ flow: { name: 'x', policy: { failFast: false } }, nodes: list, edges: [...all.values()] });
}

test('13.16 "What if" predicts the suggestions of runs over 200 random flows without running anything', async () => {
  let suggested = 0;
  const suggestionsOf = async (runId: RunId) => {
    const { acts, unknown } = await world.executor.plans.simulateAutonomy({ runId, level: 'suggest_only' });
    expect(unknown).toBeUndefined();
    return acts.map(({ nodeId, params }) => JSON.stringify([nodeId, params])).toSorted();
  };
  const property = fc.asyncProperty(plans, async (plan) => {
    const text = textOf(plan);
    const free = await ran(text);
    acted.length = 0;
    const predicted = await suggestionsOf(free.runId);
    const held = await ran(text, 'suggest_only');
    expect([held.state.status, acted]).toEqual(['completed', []]);
    const real = [...held.state.nodes.values()].flatMap(({ nodeId, suggestions = [] }) =>
      suggestions.map(({ params }) => JSON.stringify([nodeId, params])),
    );
    expect(predicted).toEqual(real.toSorted());
    expect(await suggestionsOf(held.runId)).toEqual(predicted);
    suggested += real.length;
  });
  await fc.assert(property, { numRuns: testRounds(200), seed: 7 });
  expect(suggested).toBeGreaterThan(200);
});
