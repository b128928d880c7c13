import { describe, expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../base/ids.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { testNode } from '../../testing/test-node.ts';
import { compileText, startTestRun, testRun, traceOf } from '../../testing/test-run.ts';
import { runAgent } from '../kernel/capabilities/agent-definition.ts';
import { foldRun } from '../kernel/events/fold-run.ts';
import type { EventEnvelope, RunEvent } from '../kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../kernel/events/run-state.ts';
import { createCancelScope } from '../kernel/hub/cancel-scope.ts';
import { createHub, type Hub } from '../kernel/hub/hub.ts';
import { builtinNodes } from '../nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../nodes/node-registry.ts';
import { runRoot } from './run-root.ts';

const pair = `
  flow: { name: pair, input: { who: you } }
  nodes:
    - { id: a, type: echo, input: { text: "hello {{flow.input.who}}" } }
    - { id: b, type: prompt, input: { prompt: "{{a.text}}" } }
  edges: [ { from: a, to: b } ]`;

const failing = `
  flow: { name: bad }
  nodes: [ { id: a, type: control.fail, input: { message: no } } ]
  edges: []`;

/** Returns a wrapper of a hub that records all events on it and on derived hubs. */
function watched(hub: Hub, emitted: RunEvent[]): Hub {
  return {
    emit(event) {
      emitted.push(event);
      hub.emit(event);
    },
    scoped: (context) => watched(hub.scoped(context), emitted),
    child: (runId) => watched(hub.child(runId), emitted),
    with: (hooks) => watched(hub.with(hooks), emitted),
    runId: hub.runId,
    rootRunId: hub.rootRunId,
    taskId: hub.taskId,
    autonomy: hub.autonomy,
    flush: () => hub.flush(),
  };
}

/** Returns the state of a run and its nodes as plain lists and maps. */
function treeOf(state: RunState): unknown {
  const nodes = [...state.nodes].map(([id, { status, attempts, output, error, skip }]) => [
    id,
    [status, attempts, output ?? error?.code ?? skip?.reason],
  ]);
  const { status, error, durationMs } = state;
  const edges = { fired: [...state.firedEdges], skipped: [...state.skippedEdges] };
  return { status, nodes: Object.fromEntries(nodes), failedNodes: [...state.failedNodes], ...edges, error, durationMs };
}

describe('events of a run', () => {
  test('FE-80 one phase encloses all tasks and is inside the run', async () => {
    const { events } = await testRun(pair);
    expect(traceOf(events, ['run:', 'phase:', 'task:'])).toEqual([
      'run:start pair',
      'phase:start Run Flow',
      'task:start a',
      'task:complete a',
      'task:start b',
      'task:complete b',
      'phase:complete Run Flow',
      'run:end completed',
    ]);
  });

  test('FE-81 a node that succeeds has a start and a completion', async () => {
    const { events } = await testRun(pair);
    expect(traceOf(events, ['task:']).filter((line) => line.endsWith(' a'))).toEqual([
      'task:start a',
      'task:complete a',
    ]);
  });

  test('FE-82 a node that fails has a start and a failure', async () => {
    const { events } = await testRun(failing);
    expect(traceOf(events, ['task:'])).toEqual(['task:start a', 'task:failed a']);
  });

  test('FE-83 an agent-backed node emits agent events inside its task; other nodes do not', async () => {
    const { events } = await testRun(pair);
    const trace = traceOf(events, ['task:', 'agent:', 'model:']);
    expect(trace).toEqual([
      'task:start a',
      'task:complete a',
      'task:start b',
      'agent:start',
      'model:request',
      'agent:text hello you',
      'model:response',
      'agent:complete',
      'task:complete b',
    ]);
    const inside = events.filter(({ event }) => /^(agent|model):/.test(event.type));
    expect(new Set(inside.map(({ context }) => context.task?.id))).toEqual(new Set(['node:b']));
  });

  test('FE-84 every event went through the hub: numbered without gaps, in recorded order', async () => {
    const recorded: EventEnvelope[] = [];
    const told: EventEnvelope[] = [];
    const { hub, subscribe, close } = createHub({
      runId: asRunId('root'),
      sessionId: asSessionId('s'),
      record: (group) => recorded.push(...group),
    });
    subscribe((group) => told.push(...group));
    const emitted: RunEvent[] = [];
    const calling = testNode('calling', async ({ hub: own, runId }) => {
      own.scoped({ agent: { name: 'x' } }).emit({ type: 'log', level: 'info', text: 'from a node' });
      const agent = { agentName: 'x', runId };
      own.emit({ type: 'agent:start', ...agent });
      const origin = { sourcePath: 'x', definitionHash: 'h', inputs: [] };
      own.child(runId).emit({ type: 'run:start', kind: 'agent', name: 'x', ...origin });
      own.child(runId).emit({ type: 'run:end', status: 'completed', failedNodes: [], durationMs: 0 });
      own.emit({ type: 'agent:complete', ...agent, success: true });
      return null;
    });
    const text = pair.replace('echo, input: { text: "hello {{flow.input.who}}" }', 'calling, input: {}');
    const request = {
      flow: compileText(text.replace('{{a.text}}', 'hello')),
      registry: createNodeRegistry([...builtinNodes, calling]),
      inputs: {},
      capabilities: createFakeCapabilities().capabilities,
    };
    const end = await runRoot(
      request,
      watched(hub, emitted),
      { sourcePath: 'a', definitionHash: 'h' },
      createCancelScope(),
    );
    close();
    const events = told.map(({ event }) => event);
    expect(events).toEqual(emitted);
    expect(events.at(-1)).toEqual(end);
    const kinds = new Set(events.map(({ type }) => type.split(':')[0]));
    expect([...kinds]).toEqual(['run', 'phase', 'task', 'node', 'log', 'agent', 'edge', 'model']);
    expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index));
    expect(recorded).toEqual(told);
  });

  test('FE-92 a failing flow fails its phase, then its run', async () => {
    const { events } = await testRun(failing);
    expect(traceOf(events, ['phase:', 'run:']).slice(-2)).toEqual(['phase:failed Run Flow', 'run:end failed']);
    expect(events.at(-2)?.event).toMatchObject({ error: { code: 'control.fail', message: 'no', nodeId: 'a' } });
  });

  test('FE-17 a node type that wraps an agent executes it once per attempt, each time with a new run ID', async () => {
    const calls: { input: unknown; runId: string; hasHub: boolean; messages: number }[] = [];
    const wrapping = testNode('wrapping', async ({ input, hub, runId, signal }) => {
      const agent = {
        name: 'reader',
        async execute(received: unknown, context: Parameters<Parameters<typeof runAgent>[0]['execute']>[1]) {
          let messages = 0;
          for await (const _ of context.inbox) messages++;
          calls.push({ input: received, runId: context.runId, hasHub: 'emit' in context.hub, messages });
          if (calls.length === 1) throw new Error('first');
          return 'read';
        },
      };
      return await runAgent(agent, input, { hub, runId, signal });
    });
    const { events } = await testRun(
      `
      flow: { name: f }
      nodes: [ { id: a, type: wrapping, input: { ask: x }, policy: { retry: { maxAttempts: 2 } } } ]
      edges: []`,
      { nodeTypes: [wrapping] },
    );
    expect(calls).toEqual([
      { input: { ask: 'x' }, runId: 'run-2', hasHub: true, messages: 0 },
      { input: { ask: 'x' }, runId: 'run-3', hasHub: true, messages: 0 },
    ]);
    const told = events.flatMap(({ event }) =>
      'agentName' in event ? [[event.type, event.agentName, event.runId]] : [],
    );
    expect(told).toEqual([
      ['agent:start', 'reader', 'run-2'],
      ['agent:failed', 'reader', 'run-2'],
      ['agent:start', 'reader', 'run-3'],
      ['agent:complete', 'reader', 'run-3'],
    ]);
  });

  test('run:start contains the origin of the run and the inputs as nodes see them', async () => {
    const { events, state } = await testRun(pair, {
      inputs: { who: 'all', extra: 1 },
      origin: { redoOf: asRunId('earlier'), redoCount: 1 },
    });
    expect(events[0]?.event).toEqual({
      type: 'run:start',
      kind: 'flow',
      name: 'pair',
      sourcePath: 'test.flow.yaml',
      definitionHash: '0'.repeat(64),
      inputs: { who: 'all', extra: 1 },
      redoOf: 'earlier',
      redoCount: 1,
    });
    expect(state).toMatchObject({ redoOf: 'earlier', redoCount: 1, inputs: { who: 'all', extra: 1 } });
  });

  test('run:end totals the usage of model calls, including failed attempts, and the elapsed time', async () => {
    const usage = { promptTokens: 10, completionTokens: 2 };
    const { capabilities } = createFakeCapabilities({
      reply: () => ({ text: 'ok', finishReason: 'stop', usage, costUsd: 0.25 }),
    });
    const clock = createManualClock();
    const { done } = startTestRun(
      `
      flow: { name: f }
      nodes:
        - { id: a, type: prompt, input: { prompt: x } }
        - { id: b, type: prompt, input: { prompt: y } }
        - { id: c, type: control.wait, input: { ms: 30 } }
      edges: []`,
      { capabilities, clock },
    );
    await clock.advance(30);
    const { end, state } = await done;
    expect(end).toMatchObject({
      durationMs: 30,
      usage: { promptTokens: 20, completionTokens: 4 },
      costUsd: 0.5,
    });
    expect(state.usage).toEqual(end.usage);
    expect(end).not.toHaveProperty('unpricedCalls');
  });

  test('run:end counts the model calls with an unknown price', async () => {
    const { capabilities } = createFakeCapabilities({
      reply: ({ messages }) => ({
        text: 'ok',
        finishReason: 'stop',
        ...(messages.some(({ content }) => content === 'priced') ? { costUsd: 0.25 } : {}),
      }),
    });
    const { end, state } = await testRun(
      `
      flow: { name: f }
      nodes:
        - { id: a, type: prompt, input: { prompt: priced } }
        - { id: b, type: prompt, input: { prompt: y } }
        - { id: c, type: prompt, input: { prompt: z } }
      edges: []`,
      { capabilities },
    );
    expect(end).toMatchObject({ costUsd: 0.25, unpricedCalls: 2 });
    expect(state).toMatchObject({ costUsd: 0.25, unpricedCalls: 2 });
  });

  test('an empty flow completes without an output', async () => {
    const { end } = await testRun('flow: { name: empty }\nnodes: []\nedges: []');
    expect(end).toMatchObject({ status: 'completed', output: {}, failedNodes: [] });
  });

  test('X-14 the final state can be rebuilt from the log alone, cut off at any point', async () => {
    let runs = 0;
    const counted = testNode('counted', async () => ++runs);
    const { events, end } = await testRun(
      `
      flow: { name: tree, policy: { failFast: false } }
      nodes:
        - { id: a, type: counted, input: {} }
        - { id: b, type: control.fail, input: { message: no }, policy: { retry: { maxAttempts: 2 } } }
        - { id: c, type: counted, input: {}, when: { exists: b.output } }
        - { id: d, type: counted, input: {}, disabled: true }
        - { id: e, type: control.foreach, input: { items: [x, y], body: [f] } }
        - { id: f, type: echo, input: { text: "{{item}} b" } }
        - { id: g, type: counted, input: {}, policy: { continueOnError: false } }
        - { id: h, type: control.fail, input: { message: last }, policy: { continueOnError: false } }
        - { id: i, type: counted, input: {} }
      edges: [ { from: a, to: e }, { from: a, to: d, when: { exists: nobody } } ]`,
      { nodeTypes: [counted] },
    );
    const itemOf = (index: number, item: string) => ({ index, item, outputs: { f: { text: `${item} b` } } });
    const tree = {
      status: 'failed',
      nodes: {
        a: ['completed', 1, 1],
        b: ['failed', 2, 'control.fail'],
        c: ['skipped', 0, 'when'],
        d: ['skipped', 0, 'disabled'],
        e: ['completed', 1, { iterations: [itemOf(0, 'x'), itemOf(1, 'y')] }],
        'e[0].f': ['completed', 1, { text: 'x b' }],
        'e[1].f': ['completed', 1, { text: 'y b' }],
        g: ['completed', 1, 2],
        h: ['failed', 1, 'control.fail'],
      },
      failedNodes: ['b', 'h'],
      fired: ['a->e'],
      skipped: ['a->d'],
      error: { code: 'control.fail', message: 'last', nodeId: 'h' },
      durationMs: end.durationMs,
    };
    for (let cut = 0; cut <= events.length; cut++) {
      const half = foldRun(emptyRunState, events.slice(0, cut));
      expect(treeOf(foldRun(half, events.slice(cut)))).toEqual(tree);
    }
    expect(runs).toBe(2);
  });
});
