/** Tests the effect of a failing node on its run. */
import { describe, expect, test } from 'vitest';
import { flakyNode, testNode } from '../../testing/test-node.ts';
import { testRun, traceOf } from '../../testing/test-run.ts';

const flowOf = (flowPolicy: string, nodePolicy: string) => `
  flow: { name: f${flowPolicy === '' ? '' : `, policy: ${flowPolicy}`} }
  nodes:
    - { id: a, type: control.fail, input: { message: broken }${nodePolicy === '' ? '' : `, policy: ${nodePolicy}`} }
    - { id: b, type: echo, input: { text: still here } }
    - { id: c, type: echo, input: { text: "{{?a.error.message}}" } }
  edges: [ { from: a, to: c } ]`;

const started = ['task:start a', 'task:failed a', 'task:start b', 'task:complete b', 'task:start c', 'task:complete c'];

describe('the failure matrix', () => {
  test('FE-40 without a policy the flow fails fast', async () => {
    const { end } = await testRun(flowOf('', ''));
    expect(end.status).toBe('failed');
  });

  test('FE-41 failing fast starts no further nodes and fails the run', async () => {
    const { events, end } = await testRun(flowOf('{ failFast: true }', ''));
    expect(traceOf(events, ['task:', 'phase:', 'edge:', 'run:'])).toEqual([
      'run:start f',
      'phase:start Run Flow',
      'task:start a',
      'task:failed a',
      'phase:failed Run Flow',
      'run:end failed',
    ]);
    expect(end).toMatchObject({
      failedNodes: ['a'],
      error: { code: 'control.fail', message: 'broken', nodeId: 'a' },
    });
    expect(end).not.toHaveProperty('output');
  });

  test('FE-42 without failFast the other nodes still run, and the run names the failed ones', async () => {
    const { events, end } = await testRun(flowOf('{ failFast: false }', ''));
    expect(traceOf(events, ['task:'])).toEqual(started);
    expect(end).toMatchObject({ status: 'completed', failedNodes: ['a'] });
    expect(end).not.toHaveProperty('error');
  });

  test('FE-43 continueOnError is off when a node has no policy', async () => {
    const { events } = await testRun(flowOf('{ failFast: true }', ''));
    expect(traceOf(events, ['task:start'])).toEqual(['task:start a']);
  });

  test('FE-44 continueOnError off and failFast on: a failing node fails the run', async () => {
    const { end } = await testRun(flowOf('{ failFast: true }', '{ continueOnError: false }'));
    expect(end).toMatchObject({ status: 'failed', failedNodes: ['a'] });
  });

  test('FE-45 continueOnError on and failFast on: a marker is stored and the run succeeds', async () => {
    const { events, end } = await testRun(flowOf('{ failFast: true }', '{ continueOnError: true }'));
    expect(traceOf(events, ['task:'])).toEqual(started);
    expect(end).toMatchObject({ status: 'completed', failedNodes: ['a'], output: { c: { text: 'broken' } } });
  });

  test('FE-46 the marker contains that it failed, why and after how many attempts, and a later `when` can read it', async () => {
    const { end } = await testRun(`
      flow: { name: f }
      nodes:
        - { id: a, type: control.fail, input: { message: broken }, policy: { continueOnError: true, retry: { maxAttempts: 2 } } }
        - id: mend
          type: echo
          when: { and: [ { equals: { var: a.failed, value: true } }, { equals: { var: a.attempts, value: 2 } } ] }
          input: { text: "{{a.error.code}}: {{a.error.message}}" }
        - { id: calm, type: echo, when: { not: { equals: { var: a.failed, value: true } } }, input: { text: x } }
      edges: [ { from: a, to: mend }, { from: a, to: calm } ]`);
    expect(end.output).toEqual({
      mend: { text: 'control.fail: broken' },
      calm: { skipped: true, reason: 'when' },
    });
  });

  test('FE-47 an explicit continueOnError: false stops a flow that does not fail fast', async () => {
    const { events, end } = await testRun(flowOf('{ failFast: false }', '{ continueOnError: false }'));
    expect(traceOf(events, ['task:start'])).toEqual(['task:start a']);
    expect(end).toMatchObject({ status: 'failed', failedNodes: ['a'] });
  });

  test('continueOnError: true without failFast continues as well', async () => {
    const { end } = await testRun(flowOf('{ failFast: false }', '{ continueOnError: true }'));
    expect(end).toMatchObject({ status: 'completed', failedNodes: ['a'] });
  });
});

describe('failures', () => {
  const single = (node: string) => `
    flow: { name: f }
    nodes: [ ${node} ]
    edges: []`;

  test('an input that violates the schema fails the task before any attempt and is not retried', async () => {
    const policy = 'policy: { retry: { maxAttempts: 3 } }';
    const { end, events } = await testRun(single(`{ id: a, type: echo, input: { text: [1, null] }, ${policy} }`));
    expect(end.status).toBe('completed');
    const wrong = await testRun(single(`{ id: a, type: control.wait, input: { ms: soon }, ${policy} }`));
    expect(traceOf(wrong.events, ['task:', 'node:'])).toEqual(['task:start a', 'task:failed a']);
    expect(wrong.state.nodes.get('a')).toMatchObject({ attempts: 0, error: { code: 'node.bad-input', nodeId: 'a' } });
    expect(wrong.end.error?.message).toBe('Node "a": input.ms must be a number, not "soon"');
    expect(traceOf(events, ['node:input'])).toEqual(['node:input a']);
  });

  test('a config that violates the schema fails the task before any attempt', async () => {
    const { end } = await testRun(
      single('{ id: a, type: file.write, input: { path: p, text: t }, config: { mode: sometimes } }'),
    );
    expect(end.error).toMatchObject({ code: 'node.bad-config', nodeId: 'a' });
  });

  test('an output that violates the schema is an execution failure and is retried', async () => {
    const { end, events } = await testRun(
      single('{ id: a, type: silent, input: {}, policy: { retry: { maxAttempts: 2 } } }'),
      // Not possible in TypeScript, but possible for a type written in JavaScript.
      { nodeTypes: [testNode('silent', async () => undefined as never)] },
    );
    expect(traceOf(events, ['node:retry', 'task:'])).toEqual(['task:start a', 'node:retry a', 'task:failed a']);
    expect(end.error?.code).toBe('node.bad-output');
  });

  test('a bug in a node type is a failure that keeps its stack', async () => {
    const broken = testNode('broken', () => {
      throw new TypeError('x is undefined');
    });
    const { end } = await testRun(single('{ id: a, type: broken, input: {} }'), { nodeTypes: [broken] });
    expect(end.error).toMatchObject({ code: 'internal', message: 'x is undefined', nodeId: 'a' });
    expect(end.error?.stack).toContain('TypeError');
  });

  test('X-11 a missing path in a FlowSpec fails its node', async () => {
    const { end } = await testRun(single('{ id: a, type: echo, input: { text: "{{missing}}" } }'));
    expect(end).toMatchObject({ status: 'failed', failedNodes: ['a'], error: { code: 'binding.missing' } });
  });
});

describe('retry', () => {
  const flaky = (policy: string, when = '') => `
    flow: { name: f }
    nodes: [ { id: a, type: flaky, input: {}${when}, policy: ${policy} } ]
    edges: []`;

  test('FE-51 maxAttempts 1 is exactly one attempt', async () => {
    const node = flakyNode(9);
    const { end } = await testRun(flaky('{ retry: { maxAttempts: 1 } }'), { nodeTypes: [node] });
    expect([node.attempts, end.status]).toEqual([1, 'failed']);
  });

  test('FE-52 two failures in three attempts: success, and one task:complete', async () => {
    const node = flakyNode(2);
    const { events, end } = await testRun(flaky('{ retry: { maxAttempts: 3 } }'), { nodeTypes: [node] });
    expect(traceOf(events, ['task:', 'node:'])).toEqual([
      'task:start a',
      'node:input a',
      'node:retry a',
      'node:retry a',
      'task:complete a',
    ]);
    expect(events.find(({ event }) => event.type === 'task:complete')?.event).toMatchObject({ attempts: 3 });
    expect(end).toMatchObject({ output: { a: { attempt: 3 } }, failedNodes: [] });
  });

  test('FE-53 permanent failure: exactly three attempts, then the last error', async () => {
    const node = flakyNode(9);
    const { events, end } = await testRun(flaky('{ retry: { maxAttempts: 3 } }'), { nodeTypes: [node] });
    expect([node.attempts, end.error?.message]).toEqual([3, 'failure 3']);
    const retries = events.flatMap(({ event }) => (event.type === 'node:retry' ? [event] : []));
    expect(retries.map(({ attempt, error }) => [attempt, error.message])).toEqual([
      [1, 'failure 1'],
      [2, 'failure 2'],
    ]);
  });

  test('FE-56 a false condition prevents any attempt, whatever the retry policy', async () => {
    const node = flakyNode(0);
    const when = ', when: { equals: { var: flow.input.go, value: true } }';
    await testRun(flaky('{ retry: { maxAttempts: 3 } }', when), { nodeTypes: [node] });
    expect(node.attempts).toBe(0);
  });

  test('FE-57 the marker after exhausted retries counts all attempts', async () => {
    const policy = '{ continueOnError: true, retry: { maxAttempts: 3 } }';
    const { end } = await testRun(flaky(policy), { nodeTypes: [flakyNode(9)] });
    expect(end.output).toMatchObject({ a: { failed: true, attempts: 3, error: { message: 'failure 3' } } });
  });

  test('each attempt has a separate run ID', async () => {
    const seen: string[] = [];
    const node = testNode('flaky', async ({ runId }) => {
      seen.push(runId);
      if (seen.length < 3) throw new Error('again');
      return null;
    });
    await testRun(flaky('{ retry: { maxAttempts: 3 } }'), { nodeTypes: [node] });
    expect(seen).toEqual(['run-2', 'run-3', 'run-4']);
  });
});
