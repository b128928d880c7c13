import { describe, expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { asRunId } from '../base/ids.ts';
import { runAgent } from '../kernel/agent-definition.ts';
import { foldRun } from '../kernel/fold-run.ts';
import { emptyRunState } from '../kernel/run-state.ts';
import { createFakeCapabilities } from '../testing/fake-capabilities.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { type TestNodeRun, testNode } from '../testing/test-node.ts';
import { startTestRun, testRun, traceOf } from '../testing/test-run.ts';

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

describe('events of a run', () => {
  test('FE-80 one phase encloses all tasks and lies inside the run', async () => {
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

  test('FE-83 an agent-backed node tells of its agent inside its task; other nodes do not', async () => {
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

  test('FE-84 every event went through the hub: numbered without gaps, in the order it was recorded', async () => {
    const recorded: number[] = [];
    const { events } = await testRun(pair, { onRecord: (group) => recorded.push(...group.map(({ seq }) => seq)) });
    const numbers = events.map((_, index) => index);
    expect(events.map(({ seq }) => seq)).toEqual(numbers);
    expect(recorded).toEqual(numbers);
  });

  test('FE-92 a failing flow fails its phase, then its run', async () => {
    const { events } = await testRun(failing);
    expect(traceOf(events, ['phase:', 'run:']).slice(-2)).toEqual(['phase:failed Run Flow', 'run:end failed']);
    expect(events.at(-2)?.event).toMatchObject({ error: { code: 'control.fail', message: 'no', nodeId: 'a' } });
  });

  test('FE-17 a node type that wraps an agent executes it once per attempt, each time with a fresh run id', async () => {
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

  test('run:start tells where the run comes from and the inputs as nodes see them', async () => {
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

  test('run:end sums up what model calls used, failed attempts included, and the time it took', async () => {
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

  test('run:end counts the model calls whose price is not known', async () => {
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

  test('an empty flow completes with nothing', async () => {
    const { end } = await testRun('flow: { name: empty }\nnodes: []\nedges: []');
    expect(end).toMatchObject({ status: 'completed', output: {}, failedNodes: [] });
  });

  test('X-14 the log alone rebuilds the final state, cut anywhere', async () => {
    const { events, state } = await testRun(pair);
    for (let cut = 0; cut <= events.length; cut++) {
      const half = foldRun(emptyRunState, events.slice(0, cut));
      expect(foldRun(half, events.slice(cut))).toEqual(state);
    }
  });
});

describe('durability', () => {
  test('a result is recorded before a dependant starts, and an external node is known before it acts', async () => {
    const log: string[] = [];
    const noteRun: TestNodeRun = async ({ nodeId }) => {
      log.push(`run ${nodeId}`);
      return null;
    };
    const spy = testNode('spy', noteRun);
    const external = testNode('external', noteRun, 'external');
    await testRun(
      `
      flow: { name: f }
      nodes:
        - { id: a, type: spy, input: {} }
        - { id: skipped, type: spy, input: {}, disabled: true }
        - { id: b, type: external, input: {} }
      edges: [ { from: a, to: skipped }, { from: skipped, to: b } ]`,
      { nodeTypes: [spy, external], onRecord: (group) => log.push(...traceOf(group, ['task:', 'node:skipped'])) },
    );
    expect(log).toEqual([
      'run a',
      'task:start a',
      'task:complete a',
      'node:skipped skipped',
      'task:start b',
      'run b',
      'task:complete b',
    ]);
  });

  test('when events can no longer be recorded, the run stops and fails with that error, and people see its end', async () => {
    const full = new EngineError({ code: 'store.full', message: 'The disk is full' });
    let groups = 0;
    const { end, events } = await testRun(pair, {
      onRecord: () => {
        groups++;
        if (groups > 1) throw full;
      },
    });
    expect(end).toMatchObject({ status: 'failed', error: { code: 'store.full', message: 'The disk is full' } });
    expect(traceOf(events, ['task:start', 'run:'])).toEqual(['run:start pair', 'task:start a', 'run:end failed']);
    expect(groups).toBe(2);
  });

  test('an external node does not act when its start cannot be recorded', async () => {
    let hasRun = false;
    const external = testNode(
      'external',
      async () => {
        hasRun = true;
        return null;
      },
      'external',
    );
    const { end } = await testRun('flow: { name: f }\nnodes: [{ id: a, type: external, input: {} }]\nedges: []', {
      nodeTypes: [external],
      onRecord: (group) => {
        if (group.some(({ event }) => event.type === 'task:start')) {
          throw new EngineError({ code: 'store.full', message: 'The disk is full' });
        }
      },
    });
    expect([hasRun, end.status, end.error?.code]).toEqual([false, 'failed', 'store.full']);
  });
});
