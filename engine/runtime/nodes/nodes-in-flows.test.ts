/** Tests node types in flows: with edges, policies and each other. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { flakyNode, testNode } from '../../testing/test-node.ts';
import { startTestRun, testRun, traceOf } from '../../testing/test-run.ts';
import { createWebClient } from '../../world/web/web-client.ts';

describe('a switch', () => {
  const flow = `
    flow: { name: f, input: { kind: bug } }
    nodes:
      - id: sort
        type: control.switch
        input:
          value: "{{flow.input.kind}}"
          cases:
            - { when: { equals: { var: value, value: bug } }, route: mend }
            - { when: { in: { var: value, value: [idea, wish] } }, route: think }
      - { id: mend, type: echo, input: { text: mending } }
      - { id: think, type: echo, input: { text: thinking } }
      - { id: rest, type: echo, input: { text: waiting } }
      - { id: end, type: echo, input: { text: "{{?mend.text}}{{?think.text}}{{?rest.text}}" } }
    edges:
      - { from: sort, to: mend, when: { equals: { var: sort.route, value: mend } } }
      - { from: sort, to: think, when: { equals: { var: sort.route, value: think } } }
      - { from: sort, to: rest, when: { equals: { var: sort.route, value: default } } }
      - { from: mend, to: end }
      - { from: think, to: end }
      - { from: rest, to: end }`;

  test.each([
    ['bug', 'mending'],
    ['wish', 'thinking'],
    ['praise', 'waiting'],
  ])('sends %s along one branch, and the branches join again', async (kind, text) => {
    const { end, events } = await testRun(flow, { inputs: { kind } });
    expect(end).toMatchObject({ status: 'completed', output: { end: { text } } });
    const skipped = events.filter(({ event }) => event.type === 'node:skipped');
    expect(skipped.map(({ event }) => event)).toEqual([
      expect.objectContaining({ reason: 'edge' }),
      expect.objectContaining({ reason: 'edge' }),
    ]);
  });
});

describe('a loop', () => {
  const loopOver = (input: string, body: string, edges = '') => `
    flow: { name: f, input: { list: [a, b, c] } }
    nodes:
      - { id: each, type: control.foreach, input: { ${input} } }
      ${body}
      - { id: end, type: list.map, input: { items: "{{each.iterations}}" }, config: { template: "{{item.item}}:{{?item.error.code}}" } }
    edges: [ { from: each, to: end }${edges} ]`;

  test('provides its body with item, index and the outputs of the same item', async () => {
    const flow = loopOver(
      'items: "{{flow.input.list}}", as: letter, body: [one, two], maxParallel: 2',
      `- { id: two, type: echo, input: { text: "{{one.text}} of {{flow.input.list}}" } }
      - { id: one, type: echo, input: { text: "{{loop.index}}{{letter}}" } }`,
      ', { from: one, to: two }',
    );
    const { state } = await testRun(flow);
    expect(state.nodes.get('each')?.output).toMatchObject({
      iterations: [
        { item: 'a', outputs: { one: { text: '0a' }, two: { text: '0a of ["a","b","c"]' } } },
        { item: 'b', outputs: { one: { text: '1b' } } },
        { item: 'c', outputs: { one: { text: '2c' } } },
      ],
    });
    expect(state.nodes.get('each[2].two')?.status).toBe('completed');
    expect(state.nodes.get('end')?.output).toEqual({ items: ['a:', 'b:', 'c:'] });
  });

  test('a loop can be nested in a loop', async () => {
    const flow = loopOver(
      'items: [[1, 2], [3]], as: row, body: [inner]',
      `- { id: inner, type: control.foreach, input: { items: "{{row}}", as: cell, body: [cell_text] } }
      - { id: cell_text, type: echo, input: { text: "{{cell}} in {{row}}" } }`,
    );
    const { state } = await testRun(flow);
    expect(state.nodes.get('each[0].inner[1].cell_text')?.output).toEqual({ text: '2 in [1,2]' });
    expect(state.nodes.get('each[1].inner[0].cell_text')?.output).toEqual({ text: '3 in [3]' });
  });

  test('retries a node of its body, but never itself', async () => {
    const flaky = flakyNode(2);
    const flow = loopOver(
      'items: [x], body: [try_it]',
      '- { id: try_it, type: flaky, input: {}, policy: { retry: { maxAttempts: 3 } } }',
    );
    const { state, events } = await testRun(flow, { nodeTypes: [flaky] });
    expect(state.nodes.get('each[0].try_it')).toMatchObject({ status: 'completed', attempts: 3 });
    expect(traceOf(events, ['task:start'])).toEqual(['task:start each', 'task:start each[0].try_it', 'task:start end']);
  });

  const faulty =
    '- { id: check, type: control.fail, when: { equals: { var: item, value: b } }, input: { message: "Bad {{item}}" } }';

  test('fails with its first failing item, and no further item starts', async () => {
    const { end, state } = await testRun(loopOver('items: "{{flow.input.list}}", body: [check]', faulty));
    expect(end).toMatchObject({
      status: 'failed',
      error: {
        code: 'loop.item-failed',
        message: 'Item 1 failed at "each[1].check": Bad b',
        details: { index: 1, node: 'each[1].check', error: { code: 'control.fail' } },
      },
    });
    expect(state.nodes.has('each[2].check')).toBe(false);
  });

  test('nested loops report the innermost node by its full position, and its message once', async () => {
    const { end } = await testRun(`
flow: { name: f }
nodes:
  - { id: outer, type: control.foreach, input: { items: [1, 2], as: o, body: [middle], maxParallel: 2 } }
  - { id: middle, type: control.foreach, when: { equals: { var: o, value: 2 } }, input: { items: [x], as: m, body: [inner] } }
  - { id: inner, type: control.foreach, input: { items: [x, y, z], as: i, body: [check] } }
  - { id: check, type: echo, when: { equals: { var: i, value: z } }, input: { text: "{{i.name}}" } }
edges: []`);
    const node = 'outer[1].middle[0].inner[2].check';
    const because = 'The path "i.name" has no value because "i" is not a map or list.';
    expect(end.error?.message).toContain(`Item 1 failed at "${node}": ${because}`);
    expect(end.error).toMatchObject({ code: 'loop.item-failed', nodeId: 'outer', details: { index: 1, node } });
  });

  test('continues after items that are allowed to fail', async () => {
    const { end } = await testRun(loopOver('items: "{{flow.input.list}}", body: [check], tolerate: true', faulty));
    expect(end).toMatchObject({ status: 'completed', output: { end: { items: ['a:', 'b:control.fail', 'c:'] } } });
  });

  test('a failing item stops the concurrent one, as fail-fast stops nodes', async () => {
    const mixed = testNode('mixed', async ({ input, signal }) => {
      if (input['n'] === 1) throw new EngineError({ code: 'mixed.bad', message: 'no' });
      return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    const flow = loopOver(
      'items: [0, 1], body: [work], maxParallel: 2',
      '- { id: work, type: mixed, input: { n: "{{item}}" } }',
    );
    const { events, end } = await testRun(flow, { nodeTypes: [mixed] });
    expect(end.error?.message).toBe('Item 1 failed at "each[1].work": no');
    const cancelled = events.find(({ event }) => event.type === 'task:cancelled')?.event;
    expect(cancelled).toMatchObject({ nodeId: 'each[0].work', reason: 'fail-fast' });
  });
});

describe('an HTTP request', () => {
  let waiting: ServerResponse[];
  let arrived: () => void;
  let url: string;
  const server = createServer((_request, response) => {
    waiting.push(response);
    arrived();
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const capabilities = {
    ...createFakeCapabilities().capabilities,
    web: createWebClient({ mayReachPrivate: () => true }),
  };

  test.each([
    ['a cancelled run', '', 'cancelled'],
    ['its time limit', ', policy: { timeoutMs: 5000 }', 'failed'],
  ])('%s closes its connection', async (_case, policy, status) => {
    waiting = [];
    const request = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const clock = createManualClock();
    const run = startTestRun(
      `
      flow: { name: f }
      nodes: [ { id: get, type: http.request, input: { url: "${url}" }${policy} } ]
      edges: []`,
      { capabilities, clock },
    );
    await request;
    const closed = new Promise<void>((resolve) => waiting[0]?.on('close', resolve));
    if (status === 'cancelled') run.cancel();
    else await clock.advance(5000);
    const { end } = await run.done;
    expect(end.status).toBe(status);
    await closed;
  });
});
