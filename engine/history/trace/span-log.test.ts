import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asRunId, asSessionId, type RunId } from '../../base/ids.ts';
import type { EventEnvelope, RunEvent, RunStartEvent } from '../../runtime/kernel/events/run-event.ts';
import { createAnswerDesk } from '../../testing/answer-desk.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { flowPlans, randomFlow, randomFlowTypes } from '../../testing/random-flows.ts';
import { runCompleted, runStart } from '../../testing/run-samples.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { startTestRun, testRun } from '../../testing/test-run.ts';
import { external, tool } from '../../testing/tool-prompts.ts';
import { requestPieces } from './otlp-json.ts';
import { runSpanOf, type TraceSpan } from './span.ts';
import { SpanLog } from './span-log.ts';

const runId = asRunId('r1');

function spansOf(log: readonly EventEnvelope[]): TraceSpan[] {
  const spans = new SpanLog({ nameOf: () => undefined });
  const ended = [...log.flatMap((event) => spans.add(event)), ...spans.end(log.at(-1)?.at ?? 0)];
  expect(spans.openRuns).toBe(0);
  return ended;
}

type Place = { readonly run?: RunId; readonly parent?: RunId; readonly task?: string; readonly phase?: string };

/** Returns a log of the run `r1` with one event per second. */
function logOf(...events: readonly (readonly [RunEvent, Place?])[]): EventEnvelope[] {
  return events.map(([event, { run = runId, parent, task, phase } = {}], seq) => ({
    ...{ seq, at: seq * 1000, runId: run },
    ...(parent === undefined ? {} : { parentRunId: parent, rootRunId: runId }),
    context: {
      sessionId: asSessionId('s'),
      ...(task === undefined ? {} : { task: { id: task } }),
      ...(phase === undefined ? {} : { phase: { name: phase } }),
    },
    event,
  }));
}

function started(more: Partial<RunStartEvent>): RunEvent {
  return { ...runStart, ...more } as RunEvent;
}

/** Returns indented names that show how the spans are nested. */
function treeOf(spans: readonly TraceSpan[], parent?: string, depth = ''): string[] {
  const inner = spans.filter(({ parentSpanId }) => parentSpanId === parent).sort((a, b) => a.startedAt - b.startedAt);
  return inner.flatMap((span) => [`${depth}${span.name}`, ...treeOf(spans, span.spanId, `${depth}  `)]);
}

/** Checks the invariants for the spans of every run with a complete log. */
function expectWhole(spans: readonly TraceSpan[]): void {
  const ids = new Map(spans.map((span) => [span.spanId, span]));
  expect(ids.size).toBe(spans.length);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(roots.map(({ spanId }) => spanId)).toEqual([runSpanOf(runIdOf(spans)).spanId]);
  for (const [place, span] of spans.entries()) {
    expect([span.traceId, span.spanId]).toEqual([
      expect.stringMatching(/^[0-9a-f]{32}$/),
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ]);
    expect(span.endedAt).toBeGreaterThanOrEqual(span.startedAt);
    const parent = ids.get(span.parentSpanId ?? '');
    if (span.parentSpanId === undefined) continue;
    expect(parent).toBeDefined();
    expect(span.startedAt).toBeGreaterThanOrEqual(parent?.startedAt ?? 0);
    // What continues after a pause is outside of the span that the pause ended.
    if (span.name.startsWith('resume ')) continue;
    expect(span.endedAt).toBeLessThanOrEqual(parent?.endedAt ?? 0);
    expect(place).toBeLessThan(spans.indexOf(parent as TraceSpan));
  }
}

function runIdOf(spans: readonly TraceSpan[]): RunId {
  const [first] = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  return asRunId(String(first?.attributes['millrace.run.id']));
}

describe('random runs', () => {
  test('all spans of random runs end inside of their parent, for complete and truncated logs', async () => {
    const property = fc.asyncProperty(flowPlans, fc.nat(), async (plan, place) => {
      const clock = createManualClock();
      const run = startTestRun(randomFlow(plan).flow, { nodeTypes: randomFlowTypes(), clock });
      await clock.advance(100_000);
      const { events } = await run.done;
      const spans = spansOf(events);
      expectWhole(spans);
      expect(spansOf(events)).toEqual(spans);
      const tasks = events.filter(({ event }) => event.type === 'task:start');
      expect(spans.filter(({ attributes }) => attributes['millrace.node.type'] !== undefined)).toHaveLength(
        tasks.length,
      );
      expectWhole(spansOf(events.slice(0, 1 + (place % events.length))));
    });
    await fc.assert(property, { numRuns: testRounds(40) });
  });

  test('every export of a random run has the same text', async () => {
    const { events } = await testRun(`
flow: { name: f }
nodes: [{ id: say, type: prompt, input: { prompt: hi } }]
edges: []`);
    const text = () => [...requestPieces(spansOf(events), { version: '1.0.0' })].join('');
    expect(text()).toBe(text());
  });
});

const flow = `
flow: { name: Pay }
nodes:
  - { id: ask, type: human_approval, input: { title: Pay? } }
  - { id: pay, type: tool, config: { tool: shop.pay }, input: {}, policy: { retry: { maxAttempts: 3, backoffMs: 1 } } }
  - { id: say, type: prompt, input: { prompt: hi } }
edges: [{ from: ask, to: pay }, { from: pay, to: say }]`;

test('a run consists of run, phase, task, attempt and call, and what follows a pause is below its first span', async () => {
  let calls = 0;
  const pay = async () => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return { ok: true };
  };
  const { capabilities } = createFakeCapabilities({ tools: [tool('shop.pay', pay, external)] });
  const desk = createAnswerDesk();
  const { events } = await testRun(flow, { answers: desk, capabilities });
  desk.give({ name: 'ask', key: 'approval', payload: { approved: true } }, events);
  const later = await testRun(flow, { answers: desk, capabilities, resume: { events } });
  const spans = spansOf([...events, ...later.events]);
  expectWhole(spans);
  expect(treeOf(spans)).toEqual([
    'invoke_workflow Pay',
    '  Run Flow',
    '    human_approval ask',
    '      attempt 1',
    '  resume Pay',
    '    Run Flow',
    '      ask',
    '        attempt 1',
    '      tool pay',
    '        attempt 1',
    '          execute_tool shop.pay',
    '        attempt 2',
    '          execute_tool shop.pay',
    '      prompt say',
    '        attempt 1',
    '          chat default',
  ]);
  const [first, second] = spans.filter(({ name }) => name === 'execute_tool shop.pay');
  expect(first).toMatchObject({
    failure: expect.stringContaining('not yet'),
    attributes: { 'error.type': 'server_error', 'millrace.state': 'failed', 'gen_ai.tool.name': 'shop.pay' },
  });
  expect(second?.failure).toBeUndefined();
  expect(spans.find(({ name }) => name === 'human_approval ask')).toMatchObject({
    attributes: { 'millrace.state': 'suspended', 'millrace.node.id': 'ask' },
  });
});

test('a model call has the names of the conventions, and no text of the response', () => {
  const usage = { promptTokens: 7, completionTokens: 3, cachedTokens: 2 };
  const [span] = spansOf(
    logOf(
      [{ type: 'model:request', provider: 'gemini', model: 'g-1', messagesHash: 'h', callKey: 'k' }],
      [
        {
          ...{ type: 'model:response', callKey: 'k', usage, costUsd: 0.5, durationMs: 9, finishReason: 'stop' },
          ...{ text: 'private words', upstreamModel: 'g-1-001' },
        },
      ],
    ),
  );
  expect(span).toMatchObject({ name: 'chat g-1', kind: 3, startedAt: 0, endedAt: 1000 });
  expect(span?.attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'gcp.gemini',
    'gen_ai.request.model': 'g-1',
    'gen_ai.response.model': 'g-1-001',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 7,
    'gen_ai.usage.output_tokens': 3,
    'gen_ai.usage.cache_read.input_tokens': 2,
    'millrace.cost_usd': 0.5,
  });
});

describe('child runs', () => {
  const [child, below] = [asRunId('c'), asRunId('d')];
  const inChild = { run: child, parent: runId };
  const start = (nodeId: string): RunEvent => ({ type: 'task:start', taskId: `node:${nodeId}`, nodeId });
  const end = (nodeId: string): RunEvent => ({
    ...{ type: 'task:complete', taskId: `node:${nodeId}`, nodeId, result: null, durationMs: 1, attempts: 1 },
  });

  test('child runs are nested in their caller: a task, a tool call, or the item of a loop', () => {
    const call = { callKey: 'k', tool: 'team.write' };
    const spans = spansOf(
      logOf(
        [runStart],
        [start('each')],
        [start('each[0].ask')],
        [{ type: 'tool:attempt', ...call, attempt: 1, params: {}, effects: 'external' }, { task: 'node:each[0].ask' }],
        [started({ kind: 'agent', name: 'Writer', parentTaskId: 'node:each[0].ask', callKey: 'k' }), inChild],
        [{ type: 'task:start', taskId: 'input:0' }, inChild],
        [started({ name: 'Deep', parentTaskId: 'input:0' }), { run: below, parent: child }],
        [runCompleted, { run: below, parent: child }],
        [{ ...end('x'), taskId: 'input:0' } as RunEvent, inChild],
        [runCompleted, inChild],
        [
          {
            ...{ type: 'tool:result', ...call, attempts: 1, isError: false, durationMs: 1, backend: 'agent' },
            result: null,
          },
          { task: 'node:each[0].ask' },
        ],
        [end('each[0].ask')],
        [end('each')],
        [runCompleted],
      ),
    );
    expectWhole(spans);
    expect(treeOf(spans)).toEqual([
      'invoke_workflow Weekly report',
      '  each',
      '    attempt 1',
      '      each[0].ask',
      '        attempt 1',
      '          execute_tool team.write',
      '            invoke_agent Writer',
      '              input:0',
      '                invoke_workflow Deep',
    ]);
  });

  test('child runs that were interrupted are reported as such when their caller ends', () => {
    const spans = spansOf(
      logOf(
        [runStart],
        [start('call')],
        [started({ parentTaskId: 'node:call' }), inChild],
        [{ type: 'run:end', status: 'cancelled', failedNodes: [], durationMs: 1 }],
      ),
    );
    expectWhole(spans);
    expect(spans.map(({ attributes }) => attributes['millrace.state'])).toEqual([
      ...['interrupted', 'cancelled', 'cancelled', 'cancelled'],
    ]);
  });
});

test('an attempt starts after its pause, and a canceled pause has none', () => {
  const error = { code: 'x', message: 'No' };
  const task = { task: 'node:a' };
  const begin = { type: 'task:start', taskId: 'node:a', nodeId: 'a' } as const;
  const retry = { type: 'node:retry', nodeId: 'a', attempt: 1, delayMs: 400, error } as const;
  const again: RunEvent = { type: 'log', level: 'info', text: 'again' };
  const failed: RunEvent = { type: 'task:failed', taskId: 'node:a', nodeId: 'a', error, durationMs: 1, attempts: 2 };
  const timesOf = (...rest: readonly (readonly [RunEvent, Place?])[]) =>
    spansOf(logOf([runStart], [begin], [retry, task], ...rest))
      .filter(({ name }) => name.startsWith('attempt'))
      .map(({ name, startedAt, endedAt }) => [name, startedAt, endedAt]);
  expect(timesOf([again, task], [failed])).toEqual([
    ['attempt 1', 1000, 2000],
    ['attempt 2', 2400, 4000],
  ]);
  expect(timesOf([failed])).toEqual([
    ['attempt 1', 1000, 2000],
    ['attempt 2', 2400, 3000],
  ]);
  expect(timesOf([{ type: 'task:cancelled', taskId: 'node:a', reason: 'cancel' }])).toEqual([
    ['attempt 1', 1000, 2000],
  ]);
});

test('a denied run is a single failed span, and a run that followed another is linked to it', () => {
  const [refused] = spansOf(
    logOf([{ type: 'run:refused', code: 'max_steps_exceeded', message: 'Too long', details: {} }]),
  );
  expect(refused).toMatchObject({ failure: 'Too long', attributes: { 'error.type': 'max_steps_exceeded' } });
  expect(refused?.spanId).toBe(runSpanOf(runId).spanId);
  const before = asRunId('r0');
  const [again] = spansOf(logOf([started({ redoOf: before })], [runCompleted]));
  expect(again?.links).toEqual([runSpanOf(before)]);
});
