import { describe, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { asRunId } from '../base/ids.ts';
import type { Harness, TaskOutcome } from '../kernel/harness.ts';
import type { Hub } from '../kernel/hub.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import { createCountingIds } from '../testing/counting-ids.ts';
import { createFakeCapabilities } from '../testing/fake-capabilities.ts';
import { probeNode, testNode } from '../testing/test-node.ts';
import { compileText, testRun, traceOf } from '../testing/test-run.ts';
import { runFlow } from './run-flow.ts';

const chain = `
flow: { name: chain }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: b, type: echo, input: { text: "{{a.text}} two" } }
  - { id: c, type: echo, input: { text: "{{b.text}} three" } }
edges: [ { from: a, to: b }, { from: b, to: c } ]
`;

/** A kernel of spies: it keeps what was called and emitted and does nothing else. */
function fakeKernel() {
  const calls: string[] = [];
  const hub: Hub = {
    emit: ({ type }) => calls.push(type),
    scoped: () => hub,
    child: () => hub,
    runId: asRunId('fake'),
    taskId: undefined,
    flush: () => {},
  };
  const harness: Harness = {
    hub,
    async phase(name, body) {
      calls.push(`phase ${name} {`);
      const result = await body(harness);
      calls.push('}');
      return result;
    },
    async task(id, body): Promise<TaskOutcome> {
      calls.push(`task ${id}`);
      return await body(harness);
    },
  };
  return { calls, harness };
}

function requestFor(text: string) {
  return {
    flow: compileText(text),
    registry: createNodeRegistry(builtinNodes),
    inputs: {},
    clock: systemClock,
    signal: new AbortController().signal,
    ids: createCountingIds(),
    capabilities: createFakeCapabilities().capabilities,
  };
}

describe('inside the harness', () => {
  test('FE-10 phase is called once with "Run Flow" and encloses all work', async () => {
    const { calls, harness } = fakeKernel();
    await runFlow(requestFor(chain), harness);
    expect(calls.filter((call) => call.startsWith('phase'))).toEqual(['phase Run Flow {']);
    expect([calls[0], calls.at(-1)]).toEqual(['phase Run Flow {', '}']);
  });

  test('FE-11 task is called once per node, also when the node retries', async () => {
    const { calls, harness } = fakeKernel();
    const flow = `
      flow: { name: f, policy: { failFast: false } }
      nodes:
        - { id: a, type: echo, input: { text: x } }
        - { id: b, type: control.fail, input: { message: no }, policy: { retry: { maxAttempts: 3 } } }
      edges: []`;
    await runFlow(requestFor(flow), harness);
    expect(calls.filter((call) => call.startsWith('task'))).toEqual(['task node:a', 'task node:b']);
    expect(calls.filter((call) => call === 'node:retry')).toHaveLength(2);
  });

  test('FE-12 the runner needs nothing but hub, phase and task beside its arguments', async () => {
    const { calls, harness } = fakeKernel();
    const result = await runFlow(requestFor(chain), harness);
    expect(result).toEqual({
      status: 'completed',
      outputs: new Map([
        ['a', { text: 'one' }],
        ['b', { text: 'one two' }],
        ['c', { text: 'one two three' }],
      ]),
      failedNodes: [],
    });
    expect(new Set(calls)).toEqual(
      new Set(['phase Run Flow {', 'task node:a', 'task node:b', 'task node:c', 'node:input', 'edge:fired', '}']),
    );
  });

  test('FE-13 when comes before the task opens and before bindings are resolved', async () => {
    const { events } = await testRun(`
      flow: { name: f, input: { go: false } }
      nodes:
        - { id: a, type: echo, when: { equals: { var: flow.input.go, value: true } }, input: { text: "{{missing.path}}" } }
      edges: []`);
    expect(traceOf(events, ['task:', 'node:'])).toEqual(['node:skipped a']);
  });

  test('FE-14 a missing strict binding fails the task and names the path', async () => {
    const { events } = await testRun(`
      flow: { name: f }
      nodes: [ { id: a, type: echo, input: { text: "{{flow.input.site}}" } } ]
      edges: []`);
    expect(traceOf(events, ['task:'])).toEqual(['task:start a', 'task:failed a']);
    const failed = events.find(({ event }) => event.type === 'task:failed')?.event;
    expect(failed).toMatchObject({ attempts: 0, error: { code: 'binding.missing', nodeId: 'a' } });
    expect(JSON.stringify(failed)).toContain('flow.input.site');
  });

  test('FE-15 the node type receives resolved values, and events tell them', async () => {
    const seen: unknown[] = [];
    const spy = testNode('spy', async ({ input }) => {
      seen.push(input);
      return null;
    });
    const { state } = await testRun(
      `
      flow: { name: f, input: { list: [1, 2], word: hi } }
      nodes: [ { id: a, type: spy, input: { whole: "{{flow.input.list}}", mixed: "{{flow.input.word}} {{flow.input.list.1}}" } } ]
      edges: []`,
      { nodeTypes: [spy], inputs: { word: 'hey' } },
    );
    expect(seen).toEqual([{ whole: [1, 2], mixed: 'hey 2' }]);
    expect(state.nodes.get('a')?.input).toEqual(seen[0]);
  });

  test('FE-16 an unknown type is asked of the registry inside the task, which fails and names it', async () => {
    const { events, end } = await testRun(`
      flow: { name: f }
      nodes: [ { id: a, type: no.such, input: {} } ]
      edges: []`);
    expect(traceOf(events, ['task:'])).toEqual(['task:start a', 'task:failed a']);
    expect(end.error).toMatchObject({ code: 'node.unknown-type', message: 'Unknown node type: no.such' });
  });

  test('FE-18 an output is stored under its id, and later nodes can bind to it', async () => {
    const { end } = await testRun(chain);
    expect(end.output).toEqual({ c: { text: 'one two three' } });
  });
});

describe('scheduling', () => {
  const diamond = `
    flow: { name: f }
    nodes:
      - { id: d, type: probe, input: {} }
      - { id: c, type: probe, input: {} }
      - { id: b, type: probe, input: {} }
      - { id: a, type: probe, input: {} }
    edges: [ { from: a, to: b }, { from: a, to: c }, { from: b, to: d }, { from: c, to: d } ]`;

  test('FE-20 of two independent nodes the second starts after the first has ended', async () => {
    const { events } = await testRun(`
      flow: { name: f }
      nodes: [ { id: a, type: echo, input: { text: x } }, { id: b, type: echo, input: { text: y } } ]
      edges: []`);
    expect(traceOf(events, ['task:'])).toEqual(['task:start a', 'task:complete a', 'task:start b', 'task:complete b']);
  });

  test('FE-21 in a diamond the last node starts after both branches, ties in the order of the file', async () => {
    const log: string[] = [];
    await testRun(diamond, { nodeTypes: [probeNode(log)] });
    expect(log.filter((line) => line.startsWith('start'))).toEqual(['start a', 'start c', 'start b', 'start d']);
  });

  test('FE-22 a dependant of a tolerated failure still becomes eligible', async () => {
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

  test('FE-23 a dependant of a node that succeeded becomes eligible', async () => {
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

  test('FE-91 an edge decides, not the order of the file', async () => {
    const { events } = await testRun(`
      flow: { name: f }
      nodes: [ { id: a, type: echo, input: { text: "{{b.text}}" } }, { id: b, type: echo, input: { text: x } } ]
      edges: [ { from: b, to: a } ]`);
    expect(traceOf(events, ['task:start'])).toEqual(['task:start b', 'task:start a']);
  });
});

test('a chain of 100,000 nodes runs to its end', async () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
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
  expect([end.status, state.nodes.size, state.firedEdges.size]).toEqual(['completed', 100_000, 99_999]);
}, 60_000);
