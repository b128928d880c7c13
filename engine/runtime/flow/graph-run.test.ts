/** Tests the order in which the nodes of a graph start. */
import { describe, expect, test } from 'vitest';
import { probeNode } from '../../testing/test-node.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { testRun, traceOf } from '../../testing/test-run.ts';

describe('scheduling', () => {
  const chain = `
    flow: { name: chain }
    nodes:
      - { id: a, type: echo, input: { text: one } }
      - { id: b, type: echo, input: { text: "{{a.text}} two" } }
      - { id: c, type: echo, input: { text: "{{b.text}} three" } }
    edges: [ { from: a, to: b }, { from: b, to: c } ]`;
  const diamond = `
    flow: { name: f }
    nodes:
      - { id: d, type: probe, input: {} }
      - { id: c, type: probe, input: {} }
      - { id: b, type: probe, input: {} }
      - { id: a, type: probe, input: {} }
    edges: [ { from: a, to: b }, { from: a, to: c }, { from: b, to: d }, { from: c, to: d } ]`;

  test('FE-20 the second of two independent nodes starts after the first has ended', async () => {
    const { events } = await testRun(`
      flow: { name: f }
      nodes: [ { id: a, type: echo, input: { text: x } }, { id: b, type: echo, input: { text: y } } ]
      edges: []`);
    expect(traceOf(events, ['task:'])).toEqual(['task:start a', 'task:complete a', 'task:start b', 'task:complete b']);
  });

  test('FE-21 in a diamond, the last node starts after both branches, and ties are resolved by file order', async () => {
    const log: string[] = [];
    await testRun(diamond, { nodeTypes: [probeNode(log)] });
    expect(log.filter((line) => line.startsWith('start'))).toEqual(['start a', 'start c', 'start b', 'start d']);
  });

  test('FE-22 a dependent of a tolerated failure still becomes eligible', async () => {
    const { events } = await testRun(`
      flow: { name: f }
      nodes:
        - { id: a, type: control.fail, input: { message: no }, policy: { continueOnError: true } }
        - { id: b, type: echo, input: { text: x } }
      edges: [ { from: a, to: b } ]`);
    expect(traceOf(events, ['task:', 'edge:'])).toEqual([
      'task:start a',
      'task:failed a',
      'edge:fired a->b',
      'task:start b',
      'task:complete b',
    ]);
  });

  test('FE-23 a dependent of a node that succeeded becomes eligible', async () => {
    const { events } = await testRun(chain);
    expect(traceOf(events, ['edge:', 'task:start'])).toEqual([
      'task:start a',
      'edge:fired a->b',
      'task:start b',
      'edge:fired b->c',
      'task:start c',
    ]);
  });

  test('FE-24 while a node is pending no other node starts', async () => {
    const log: string[] = [];
    await testRun(diamond, { nodeTypes: [probeNode(log)] });
    for (const [index, line] of log.entries()) expect(line.startsWith(index % 2 === 0 ? 'start' : 'end')).toBe(true);
  });

  test('FE-90 edges are never inferred from bindings', async () => {
    const { events, end } = await testRun(`
      flow: { name: f }
      nodes:
        - { id: b, type: echo, input: { text: "{{a.text}}" } }
        - { id: a, type: echo, input: { text: x } }
      edges: []`);
    expect(traceOf(events, ['task:'])).toEqual(['task:start b', 'task:failed b']);
    expect(end).toMatchObject({ status: 'failed', error: { code: 'binding.missing' } });
  });

  test('FE-91 edges decide the order, not the file', async () => {
    const { events } = await testRun(`
      flow: { name: f }
      nodes: [ { id: a, type: echo, input: { text: "{{b.text}}" } }, { id: b, type: echo, input: { text: x } } ]
      edges: [ { from: b, to: a } ]`);
    expect(traceOf(events, ['task:start'])).toEqual(['task:start b', 'task:start a']);
  });
});

test('edges in the body of a loop are named by the full names of their ends', async () => {
  const { events } = await testRun(`
    flow: { name: f }
    nodes:
      - { id: e, type: control.foreach, input: { items: [x], body: [a, b] } }
      - { id: a, type: echo, input: { text: x } }
      - { id: b, type: echo, input: { text: x } }
    edges: [ { from: a, to: b } ]`);
  expect(events.flatMap(({ event }) => (event.type === 'edge:fired' ? [event] : []))).toEqual([
    { type: 'edge:fired', edgeId: 'e[0].a->b', from: 'e[0].a', to: 'e[0].b' },
  ]);
});

test('a node that no edge reaches is skipped with the traces of all its edges', async () => {
  const { events } = await testRun(`
    flow: { name: f }
    nodes:
      - { id: a, type: echo, input: { text: x } }
      - { id: b, type: echo, input: { text: x } }
    edges:
      - { from: a, to: b, when: { exists: a.no } }
      - { from: a, to: b, when: { equals: { var: a.text, value: y } } }`);
  const skipped = events.find(({ event }) => event.type === 'node:skipped')?.event;
  expect(skipped).toEqual({
    type: 'node:skipped',
    nodeId: 'b',
    reason: 'edge',
    detail: {
      op: 'or',
      of: [
        { op: 'exists', var: 'a.no', result: false },
        { op: 'equals', var: 'a.text', value: 'y', actual: 'x', result: false },
      ],
      result: false,
    },
  });
});

test('a chain of 30,000 nodes completes', async () => {
  const ids = Array.from({ length: testRounds(30_000) }, (_, index) => `n${index}`);
  const links = ids.slice(1).map((to, index) => ({ id: `e${index}`, from: `n${index}`, to, when: undefined }));
  const nodes = ids.map((id, index) => ({
    id,
    type: 'echo',
    input: { text: 'x' },
    config: {},
    when: undefined,
    disabled: false,
    policy: { timeoutMs: null, continueOnError: undefined, maxAttempts: 1, backoffMs: 0 },
    position: index,
    upstream: index === 0 ? [] : [`n${index - 1}`],
    incomingCount: index === 0 ? 0 : 1,
    outgoing: links.slice(index, index + 1),
  }));
  const flow = { name: 'long', inputs: {}, policy: { failFast: true, maxParallel: 1 }, nodes, edges: links };
  const { end, state } = await testRun(flow);
  expect([end.status, state.nodes.size, state.firedEdges.size]).toEqual(['completed', ids.length, ids.length - 1]);
}, 60_000);
