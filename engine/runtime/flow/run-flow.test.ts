import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { asRunId } from '../../base/ids.ts';
import { createCountingIds } from '../../testing/counting-ids.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { stuckNode, testNode } from '../../testing/test-node.ts';
import { compileText, testRun, traceOf } from '../../testing/test-run.ts';
import { cancellation } from '../kernel/hub/cancel-scope.ts';
import type { Harness, TaskOutcome } from '../kernel/hub/harness.ts';
import type { Hub } from '../kernel/hub/hub.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import type { NodeTypeLookup } from './node-type.ts';
import { type FlowResult, runFlow } from './run-flow.ts';

const chain = `
flow: { name: chain }
nodes:
  - { id: a, type: echo, input: { text: one } }
  - { id: b, type: echo, input: { text: "{{a.text}} two" } }
  - { id: c, type: echo, input: { text: "{{b.text}} three" } }
edges: [ { from: a, to: b }, { from: b, to: c } ]
`;

/** A fake kernel that only records calls and events. */
function fakeKernel() {
  const calls: string[] = [];
  const outcomes: TaskOutcome[] = [];
  const hub: Hub = {
    emit: ({ type }) => calls.push(type),
    scoped: () => hub,
    child: () => hub,
    with: () => hub,
    runId: asRunId('fake'),
    rootRunId: asRunId('fake'),
    taskId: undefined,
    autonomy: undefined,
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
    async task(id, body) {
      calls.push(`task ${id}`);
      const outcome = await body(harness);
      outcomes.push(outcome);
      return outcome;
    },
  };
  return { calls, outcomes, harness };
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

  test('FE-11 task is called once per node, even if the node is retried', async () => {
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

  describe('FE-12 the runner needs only hub, phase and task besides its arguments', () => {
    test('and emits everything on that hub', async () => {
      const { calls, harness } = fakeKernel();
      const result = await runFlow(requestFor(chain), harness);
      expect(result).toEqual({
        status: 'completed',
        outputs: new Map([
          ['a', { text: 'one' }],
          ['b', { text: 'one two' }],
          ['c', { text: 'one two three' }],
        ]),
        output: { c: { text: 'one two three' } },
        failedNodes: [],
      });
      expect(calls).toEqual([
        'phase Run Flow {',
        ...['task node:a', 'node:input', 'edge:fired'],
        ...['task node:b', 'node:input', 'edge:fired'],
        ...['task node:c', 'node:input'],
        '}',
      ]);
    });

    describe('and uses only the given clock', () => {
      const machine = () => [
        vi.spyOn(globalThis, 'setTimeout'),
        vi.spyOn(globalThis, 'setInterval'),
        vi.spyOn(Date, 'now'),
      ];
      afterEach(() => {
        vi.restoreAllMocks();
      });

      test('for limits, backoffs and waits of nodes', async () => {
        const text = `
          flow: { name: f, policy: { failFast: false } }
          nodes:
            - { id: a, type: watch, input: {} }
            - { id: b, type: stuck, input: {}, policy: { timeoutMs: 70 } }
            - { id: c, type: control.fail, input: { message: no }, policy: { retry: { maxAttempts: 2, backoffMs: 300 } } }
            - { id: d, type: control.wait, input: { ms: 5000 } }
          edges: []`;
        const clock = createManualClock();
        const handed: unknown[] = [];
        const watch = testNode('watch', async (context) => {
          handed.push(context.clock);
          return null;
        });
        const registry = createNodeRegistry([...builtinNodes, watch, stuckNode]);
        const unused = machine();
        let ended: FlowResult | undefined;
        void runFlow({ ...requestFor(text), registry, clock }, fakeKernel().harness).then((result) => {
          ended = result;
        });
        await clock.advance(70 + 300 + 4999);
        expect(ended).toBeUndefined();
        await clock.advance(1);
        expect(ended).toMatchObject({ status: 'completed', failedNodes: ['b', 'c'] });
        expect([clock.delays.filter((ms) => ms > 0), clock.openTimers]).toEqual([[70, 300, 5000], 0]);
        expect(handed).toEqual([clock]);
        for (const spy of unused) expect(spy).not.toHaveBeenCalled();
      });

      test('for pauses in long work', async () => {
        let now = 0;
        let turns = 0;
        const setTurn = (callback: () => void): void => {
          turns++;
          setImmediate(callback);
        };
        const clock = { ...createManualClock(), now: () => (now += 10), setTurn };
        const unused = machine();
        await runFlow({ ...requestFor(chain), clock }, fakeKernel().harness);
        expect(turns).toBe(1);
        for (const spy of unused) expect(spy).not.toHaveBeenCalled();
      });
    });

    test('and the given signal ends it', async () => {
      const stop = new AbortController();
      const { calls, harness } = fakeKernel();
      const stopNode = testNode('stop', async () => {
        stop.abort(cancellation());
        return null;
      });
      const text = chain.replace('type: echo, input: { text: one }', 'type: stop, input: {}');
      const registry = createNodeRegistry([...builtinNodes, stopNode]);
      const result = await runFlow({ ...requestFor(text), registry, signal: stop.signal }, harness);
      expect([result.status, calls.filter((call) => call.startsWith('task'))]).toEqual(['cancelled', ['task node:a']]);
    });
  });

  test('FE-13 evaluates when before the task opens and before bindings are resolved', async () => {
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

  test('FE-15 the node type receives resolved values, and events contain them', async () => {
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

  test('FE-16 looks up an unknown type inside the task, which fails and names it', async () => {
    const { calls, outcomes, harness } = fakeKernel();
    const known = createNodeRegistry(builtinNodes);
    const registry: NodeTypeLookup = {
      get(type) {
        calls.push(`asked for ${type}`);
        return known.get(type);
      },
    };
    const text = `
      flow: { name: f }
      nodes:
        - { id: a, type: echo, input: { text: x } }
        - { id: b, type: no.such, input: {}, policy: { retry: { maxAttempts: 3 } } }
      edges: [ { from: a, to: b } ]`;
    const result = await runFlow({ ...requestFor(text), registry }, harness);
    expect(calls).toEqual([
      'phase Run Flow {',
      ...['task node:a', 'asked for echo', 'node:input', 'edge:fired'],
      ...['task node:b', 'asked for no.such'],
    ]);
    const error = { code: 'node.unknown-type', message: 'Unknown node type: no.such', nodeId: 'b' };
    expect(outcomes[1]).toEqual({ status: 'failed', error: expect.objectContaining(error), attempts: 0 });
    expect(result).toMatchObject({ status: 'failed', error, failedNodes: ['b'] });
  });

  test('FE-18 stores an output under its ID, and later nodes can bind to it', async () => {
    const { end } = await testRun(chain);
    expect(end.output).toEqual({ c: { text: 'one two three' } });
  });
});
