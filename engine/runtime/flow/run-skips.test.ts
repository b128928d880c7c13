/** Tests nodes that do not run, and the effect on nodes after them. */
import { describe, expect, test } from 'vitest';
import { testNode } from '../../testing/test-node.ts';
import { testRun, traceOf } from '../../testing/test-run.ts';

describe('skipping', () => {
  const withWhen = (when: string, rest = '') => `
    flow: { name: f, input: { go: true } }
    nodes:
      - { id: a, type: spy, input: {}, when: ${when} }
      ${rest}
    edges: []`;
  const no = '{ equals: { var: flow.input.go, value: false } }';

  function spyNode() {
    const runs: string[] = [];
    const spy = testNode('spy', async ({ nodeId }) => {
      runs.push(nodeId);
      return { ran: true };
    });
    return { runs, options: { nodeTypes: [spy] } };
  }

  test('FE-30 the type is never called when the condition is false', async () => {
    const { runs, options } = spyNode();
    const { events } = await testRun(withWhen(no), options);
    expect(runs).toEqual([]);
    expect(events.find(({ event }) => event.type === 'node:skipped')?.event).toEqual({
      type: 'node:skipped',
      nodeId: 'a',
      reason: 'when',
      detail: { op: 'equals', var: 'flow.input.go', value: false, actual: true, result: false },
    });
  });

  test('FE-31 a skip marker replaces the output', async () => {
    const { end } = await testRun(withWhen(no), spyNode().options);
    expect(end.output).toEqual({ a: { skipped: true, reason: 'when' } });
  });

  test('FE-32 a node after it that does not use its output runs', async () => {
    const { runs, options } = spyNode();
    const flow = withWhen(no, '- { id: b, type: spy, input: {} }').replace('edges: []', 'edges: [{ from: a, to: b }]');
    await testRun(flow, options);
    expect(runs).toEqual(['b']);
  });

  test('FE-33 skipping does not count as a failure', async () => {
    const { end } = await testRun(withWhen(no), spyNode().options);
    expect(end).toMatchObject({ status: 'completed', failedNodes: [] });
  });

  test('FE-34 a strict binding to it fails, an optional one resolves to empty text', async () => {
    const { options } = spyNode();
    const strict = await testRun(withWhen(no, '- { id: b, type: echo, input: { text: "{{a.ran}}" } }'), options);
    const optional = await testRun(withWhen(no, '- { id: b, type: echo, input: { text: "[{{?a.ran}}]" } }'), options);
    expect(strict.end.error).toMatchObject({ code: 'binding.missing', nodeId: 'b' });
    expect(optional.end.output).toMatchObject({ b: { text: '[]' } });
  });

  test('FE-35 a node with a true condition, or without one, runs', async () => {
    const { runs, options } = spyNode();
    const yes = '{ equals: { var: flow.input.go, value: true } }';
    await testRun(withWhen(yes, '- { id: b, type: spy, input: {} }'), options);
    expect(runs).toEqual(['a', 'b']);
  });

  test.each([
    ['nobody.home', '1'],
    ['nobody.home', 'null'],
    ['flow.input.gone', 'null'],
    ['flow.input.go.deeper', 'null'],
    ['flow.input.nothing', 'null'],
    ['flow.input.nothing', 'false'],
  ])('FE-36 equals on a path without a value is false, and its negation is true: %s and %s', async (path, value) => {
    const { runs, options } = spyNode();
    const missing = `{ equals: { var: ${path}, value: ${value} } }`;
    const flow = withWhen(missing, `- { id: b, type: spy, input: {}, when: { not: ${missing} } }`);
    const { events, end } = await testRun(flow, { ...options, inputs: { nothing: null } });
    expect(runs).toEqual(['b']);
    expect(end.output).toEqual({ a: { skipped: true, reason: 'when' }, b: { ran: true } });
    const detail = { op: 'equals', var: path, value: JSON.parse(value), result: false };
    expect(events.flatMap(({ event }) => (event.type === 'node:skipped' ? [event] : []))).toEqual([
      { type: 'node:skipped', nodeId: 'a', reason: 'when', detail },
    ]);
  });

  test('a disabled node is skipped before its condition is evaluated', async () => {
    const { options } = spyNode();
    const flow = `
      flow: { name: f }
      nodes: [ { id: a, type: spy, input: {}, disabled: true }, { id: b, type: echo, input: { text: "{{?a}}" } } ]
      edges: [ { from: a, to: b } ]`;
    const { events, state } = await testRun(flow, options);
    expect(traceOf(events, ['node:skipped', 'edge:', 'task:complete'])).toEqual([
      'node:skipped a',
      'edge:fired a->b',
      'task:complete b',
    ]);
    expect(state.nodes.get('a')?.skip).toEqual({ reason: 'disabled' });
  });
});
