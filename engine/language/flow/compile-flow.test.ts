import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileFlow } from './compile-flow.ts';
import type { EdgeDoc, FlowDoc, NodeDoc } from './flow-doc.ts';

function node(id: string, rest: Partial<NodeDoc> = {}): NodeDoc {
  return { id, type: 'echo', input: {}, ...rest };
}

function flow(nodes: readonly NodeDoc[], edges: readonly EdgeDoc[]): FlowDoc {
  return { flow: { name: 'test' }, nodes, edges };
}

/** Parses `a->b c->d` as edges. */
function edges(text: string): readonly EdgeDoc[] {
  return text.split(' ').flatMap((edge) => {
    const [from, to] = edge.split('->');
    return from && to ? { from, to } : [];
  });
}

function orderOf(ids: string, edgeText: string): string {
  return compileFlow(
    flow(
      [...ids].map((id) => node(id)),
      edges(edgeText),
    ),
  )
    .nodes.map(({ id }) => id)
    .join('');
}

describe('the order of nodes', () => {
  test.each([
    {
      rule: 'FE-04 follows a chain, in whatever order its edges are declared',
      ids: 'abc',
      edges: 'b->c a->b',
      order: 'abc',
    },
    {
      rule: 'FE-91 puts the source of an edge first, wherever it is in the file',
      ids: 'ab',
      edges: 'b->a',
      order: 'ba',
    },
    { rule: 'is that of the file without edges', ids: 'cab', edges: '', order: 'cab' },
    { rule: 'takes the first of several ready nodes in the file', ids: 'abcd', edges: 'd->a', order: 'bcda' },
    { rule: 'takes a node as soon as it is ready, before later ones', ids: 'dabc', edges: 'a->d', order: 'adbc' },
    { rule: 'waits for all branches of a diamond', ids: 'dcba', edges: 'a->b a->c b->d c->d', order: 'acbd' },
    { rule: 'does not mind repeated edges', ids: 'ba', edges: 'a->b a->b', order: 'ab' },
  ])('$rule', ({ ids, edges: edgeText, order }) => {
    expect(orderOf(ids, edgeText)).toBe(order);
  });

  test('places every node after its upstream nodes, and orders ready nodes by declaration', () => {
    const graph = fc.integer({ min: 1, max: 12 }).chain((size) =>
      fc.record({
        size: fc.constant(size),
        // The shuffled rank makes the graph acyclic without tying it to file order.
        rank: fc.shuffledSubarray([...Array(size).keys()], { minLength: size, maxLength: size }),
        pairs: fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 30 }),
      }),
    );
    fc.assert(
      fc.property(graph, ({ size, rank, pairs }) => {
        const ids = [...Array(size).keys()].map((index) => `n${index}`);
        const links = pairs.flatMap(([left, right]) => {
          if (left === right) return [];
          const [from, to] = rank[left]! < rank[right]! ? [left, right] : [right, left];
          return { from: `n${from}`, to: `n${to}` };
        });
        const compiled = compileFlow(
          flow(
            ids.map((id) => node(id)),
            links,
          ),
        );
        const placed = new Set<string>();
        for (const { id, upstream } of compiled.nodes) {
          const ready = ids.filter(
            (candidate) =>
              !placed.has(candidate) && links.every(({ from, to }) => to !== candidate || placed.has(from)),
          );
          expect([id, upstream.every((source) => placed.has(source))]).toEqual([ready[0], true]);
          placed.add(id);
        }
        expect(placed.size).toBe(size);
      }),
    );
  });

  test('is determined for a chain and for a fan of 20,000 nodes', () => {
    const ids = [...Array(20_000).keys()].map((index) => `n${index}`);
    const nodes = ids.map((id) => node(id));
    const chain = ids.slice(1).map((id, index) => ({ from: id, to: ids[index]! }));
    const fan = ids.slice(1).map((id) => ({ from: 'n0', to: id }));
    expect(compileFlow(flow(nodes, chain)).nodes.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(compileFlow(flow(nodes, fan)).nodes.map(({ id }) => id)).toEqual(ids);
  });
});

test.each(['a->a', 'a->b b->a', 'a->b b->c c->b'])('FE-05 rejects the cycle %s', (edgeText) => {
  expect(() => orderOf('abc', edgeText)).toThrow(expect.objectContaining({ code: 'flow.invalid' }));
});

describe('a compiled flow', () => {
  test('FE-40 FE-43 FE-54 contains all defaults', () => {
    expect(compileFlow(flow([node('a')], []))).toEqual({
      name: 'test',
      inputs: {},
      policy: { failFast: true, maxParallel: 1 },
      nodes: [
        {
          id: 'a',
          type: 'echo',
          input: {},
          config: {},
          when: undefined,
          disabled: false,
          policy: { timeoutMs: null, continueOnError: undefined, maxAttempts: 1, backoffMs: 0 },
          position: 0,
          upstream: [],
          incomingCount: 0,
          outgoing: [],
        },
      ],
      edges: [],
    });
  });

  test('keeps the values in the file', () => {
    const doc: FlowDoc = {
      flow: { name: 'test', input: { a: 1 }, policy: { failFast: false, maxParallel: 3 } },
      nodes: [
        node('a', {
          input: { text: 'x' },
          config: { mode: 'y' },
          when: { and: [] },
          disabled: true,
          policy: { timeoutMs: 5, continueOnError: false, retry: { maxAttempts: 3, backoffMs: 7 } },
        }),
      ],
      edges: [],
    };
    const { inputs, policy, nodes } = compileFlow(doc);
    expect({ inputs, policy, node: nodes[0] }).toMatchObject({
      inputs: { a: 1 },
      policy: { failFast: false, maxParallel: 3 },
      node: {
        input: { text: 'x' },
        config: { mode: 'y' },
        when: { and: [] },
        disabled: true,
        policy: { timeoutMs: 5, continueOnError: false, maxAttempts: 3, backoffMs: 7 },
      },
    });
  });

  test('has no limit when timeoutMs is 0', () => {
    expect(compileFlow(flow([node('a', { policy: { timeoutMs: 0 } })], [])).nodes[0]?.policy.timeoutMs).toBeNull();
  });

  test('names each edge once', () => {
    const named = [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'b' },
      { from: 'a', to: 'b', id: 'a->b#2' },
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c', id: 'mine' },
    ];
    const compiled = compileFlow(flow([node('a'), node('b'), node('c')], named));
    expect(compiled.edges.map(({ id }) => id)).toEqual(['a->b', 'a->b#3', 'a->b#2', 'a->b#4', 'mine']);
    expect(compiled.nodes.map(({ id, upstream, outgoing }) => [id, upstream, outgoing.length])).toEqual([
      ['a', [], 4],
      ['b', ['a'], 1],
      ['c', ['b'], 0],
    ]);
    expect(compiled.nodes.map(({ incomingCount }) => incomingCount)).toEqual([0, 4, 1]);
  });

  test('keeps the conditions of edges', () => {
    const when = { exists: 'a.x' };
    const { edges: compiled, nodes } = compileFlow(flow([node('a'), node('b')], [{ from: 'a', to: 'b', when }]));
    expect([compiled, nodes[0]?.outgoing]).toEqual([[{ id: 'a->b', from: 'a', to: 'b', when }], compiled]);
  });
});

describe('bodies that were not validated', () => {
  function loop(id: string, body: readonly string[]): NodeDoc {
    return node(id, { type: 'control.foreach', input: { items: [], body } });
  }

  test.each([
    ['contain their own loop', [loop('a', ['a'])], ''],
    ['hold each other', [loop('a', ['b']), loop('b', ['a'])], ''],
    ['are left by an edge', [loop('a', ['b']), node('b'), node('c')], 'b->c'],
  ])('are rejected if they %s, so that no node is lost', (_, nodes, edgeText) => {
    expect(() => compileFlow(flow(nodes, edges(edgeText)))).toThrow(expect.objectContaining({ code: 'flow.invalid' }));
  });
});
