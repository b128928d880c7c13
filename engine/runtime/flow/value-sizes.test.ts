import { describe, expect, test } from 'vitest';
import { compileFlow } from '../../language/flow/compile-flow.ts';
import type { FlowDoc } from '../../language/flow/flow-doc.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { testNode } from '../../testing/test-node.ts';
import { type TestRunOptions, testRun } from '../../testing/test-run.ts';

/** Each node outputs the text of the previous node twice. */
function doublings(count: number, policy: FlowDoc['flow']['policy'] = {}) {
  const nodes = Array.from({ length: count }, (_, index) => {
    const text = index === 0 ? 'x'.repeat(1000) : `{{n${index - 1}.text}}{{n${index - 1}.text}}`;
    return { id: `n${index}`, type: 'echo', input: { text } };
  });
  const edges = nodes.slice(1).map(({ id }, index) => ({ from: `n${index}`, to: id }));
  return compileFlow({ flow: { name: 'doublings', policy }, nodes, edges });
}

async function failureOf(flow: Parameters<typeof testRun>[0], options: TestRunOptions = {}) {
  const { end } = await testRun(flow, options);
  return { status: end.status, error: end.error, failed: end.failedNodes };
}

test('thirty nodes that each double a text end with the first output that is too large', async () => {
  const { error, failed } = await failureOf(doublings(30, { maxOutputBytes: 2 ** 20 }));
  expect(error).toMatchObject({ code: 'node.output-too-large', nodeId: 'n11', details: { maxOutputBytes: 2 ** 20 } });
  expect(error?.message).toContain('The output of node "n11" is larger than 1 MiB');
  expect(failed).toEqual(['n11']);
});

test('the default limit is 64 MiB', async () => {
  const give = testNode('give', async ({ input }) => 'x'.repeat(Number(input['length'])));
  const flow = (length: number) =>
    compileFlow({ flow: { name: 'x' }, nodes: [{ id: 'a', type: 'give', input: { length } }], edges: [] });
  expect((await failureOf(flow(2 ** 26 - 2), { nodeTypes: [give] })).status).toBe('completed');
  expect((await failureOf(flow(2 ** 26 - 1), { nodeTypes: [give] })).error?.message).toContain('64 MiB');
});

describe('flow.policy.maxOutputBytes', () => {
  test.each([
    [16_011, undefined],
    [16_010, 'node.output-too-large'],
  ])('a limit of %i applies to an output of 16,011 bytes', async (maxOutputBytes, code) => {
    expect((await failureOf(doublings(5, { maxOutputBytes }))).error?.code).toBe(code);
  });

  test.each([
    ['é'.repeat(50), 50 * 2 + 2],
    ['日'.repeat(50), 50 * 3 + 2],
    ['😀'.repeat(50), 50 * 4 + 2],
    ['\n'.repeat(50), 50 * 2 + 2],
    ['\u0001'.repeat(50), 50 * 6 + 2],
  ])('counts bytes of serialized JSON: %j', async (text, bytes) => {
    const give = testNode('give', async () => text);
    const flow = (maxOutputBytes: number) =>
      compileFlow({
        flow: { name: 'x', policy: { maxOutputBytes } },
        nodes: [{ id: 'a', type: 'give', input: {} }],
        edges: [],
      });
    expect((await failureOf(flow(bytes), { nodeTypes: [give] })).status).toBe('completed');
    expect((await failureOf(flow(bytes - 1), { nodeTypes: [give] })).error?.code).toBe('node.output-too-large');
  });

  test("applies to the combined output of a loop's items before all have run", async () => {
    const ran: number[] = [];
    const give = testNode('give', async ({ input }) => {
      ran.push(Number(input['index']));
      return { text: 'x'.repeat(1000) };
    });
    const items = Array.from({ length: 100 }, (_, index) => index);
    const nodes = [
      { id: 'each', type: 'control.foreach', input: { items, body: ['a'], tolerate: true } },
      { id: 'a', type: 'give', input: { index: '{{item}}' } },
    ];
    const flow = compileFlow({ flow: { name: 'x', policy: { maxOutputBytes: 10_000 } }, nodes, edges: [] });
    const { error } = await failureOf(flow, { nodeTypes: [give] });
    expect(error).toMatchObject({ code: 'node.output-too-large', nodeId: 'each' });
    expect(ran).toHaveLength(10);
  });
});

describe('one large value that is referenced many times', () => {
  const large = testNode('large', async () => ({ text: 'x'.repeat(20_000_000) }));
  const flow = (input: JsonMap) =>
    compileFlow({
      flow: { name: 'x' },
      nodes: [
        { id: 'a', type: 'large', input: {} },
        { id: 'b', type: 'control.switch', input },
      ],
      edges: [{ from: 'a', to: 'b' }],
    });

  test.each([
    ['in a text', { value: '{{a.text}}'.repeat(30) }, 'A string with its bindings'],
    ['in a list', { value: Array(30).fill('{{a.text}}') }, 'The input of node "b"'],
    ['in maps', { value: { in: Array(30).fill({ it: '{{a}}' }) } }, 'The input of node "b"'],
  ])('rejects %s before the node runs', async (_, input, words) => {
    const { error } = await failureOf(flow(input), { nodeTypes: [large] });
    expect(error).toMatchObject({ code: 'node.input-too-large', message: expect.stringContaining(words) });
  });
});
