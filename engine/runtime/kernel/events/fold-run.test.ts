import { describe, expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import { foldRun, reduceRun } from './fold-run.ts';
import type { EventEnvelope, RunEvent } from './run-event.ts';
import { emptyRunState } from './run-state.ts';

const runId = asRunId('run');
const sessionId = asSessionId('session');

/** Creates a log with numbered events, 10 ms apart; agent and model events belong to node `a`. */
function logOf(...events: readonly RunEvent[]): readonly EventEnvelope[] {
  return events.map((event, seq) => {
    const isInside = event.type.startsWith('agent:') || event.type.startsWith('model:');
    const context = isInside ? { sessionId, task: { id: 'node:a' } } : { sessionId };
    return { seq, at: 1000 + seq * 10, runId, context, event };
  });
}

const start: RunEvent = {
  type: 'run:start',
  kind: 'flow',
  name: 'demo',
  sourcePath: 'demo.flow.yaml',
  definitionHash: 'hash',
  inputs: { q: 1 },
};
const taskStart = (nodeId: string): RunEvent => ({
  type: 'task:start',
  taskId: `node:${nodeId}`,
  nodeId,
  nodeType: 'prompt',
});
const taskComplete = (nodeId: string, result: string): RunEvent => ({
  type: 'task:complete',
  taskId: `node:${nodeId}`,
  nodeId,
  result,
  durationMs: 40,
  attempts: 2,
});
const error = { code: 'model.unavailable', message: 'Try later' };
const text = (content: string): RunEvent => ({ type: 'agent:text', content });
const retry: RunEvent = { type: 'node:retry', nodeId: 'a', attempt: 1, delayMs: 5, error };

describe('a run', () => {
  test('starts with its inputs', () => {
    const state = foldRun(
      emptyRunState,
      logOf({ ...start, redoOf: asRunId('earlier'), redoCount: 2 }, { type: 'phase:start', name: 'Run Flow' }),
    );
    expect(state).toEqual({
      ...emptyRunState,
      runId,
      name: 'demo',
      sourcePath: 'demo.flow.yaml',
      status: 'running',
      startedAt: 1000,
      inputs: { q: 1 },
      redoOf: 'earlier',
      redoCount: 2,
      seq: 1,
    });
  });

  test('ends with status, output, error and failed nodes', () => {
    const end: RunEvent = { type: 'run:end', status: 'failed', error, failedNodes: ['a', 'b'], durationMs: 7 };
    const state = foldRun(emptyRunState, logOf(start, end));
    expect(state).toMatchObject({ status: 'failed', error, durationMs: 7 });
    expect([...state.failedNodes]).toEqual(['a', 'b']);
  });

  test('adds up the usage of model calls, in total and per node', () => {
    const response: RunEvent = {
      type: 'model:response',
      usage: { promptTokens: 10, completionTokens: 3 },
      durationMs: 1,
      finishReason: 'stop',
    };
    const state = foldRun(emptyRunState, logOf(start, taskStart('a'), response, response));
    const sum = { promptTokens: 20, completionTokens: 6 };
    expect([state.usage, state.nodes.get('a')?.usage]).toEqual([sum, sum]);
  });

  test('counts no tokens of a replayed response', () => {
    const usage = { promptTokens: 10, completionTokens: 3 };
    const replayed: RunEvent = {
      type: 'model:response',
      usage,
      durationMs: 1,
      finishReason: 'stop',
      fromCassette: true,
    };
    const state = foldRun(emptyRunState, logOf(start, taskStart('a'), replayed));
    expect([state.usage, state.nodes.get('a')?.usage]).toEqual([emptyRunState.usage, undefined]);
  });

  test('records which edges fired and which did not', () => {
    const ends = { from: 'a', to: 'b' };
    const state = foldRun(
      emptyRunState,
      logOf({ type: 'edge:fired', edgeId: 'a->b', ...ends }, { type: 'edge:skipped', edgeId: 'a->c', ...ends }),
    );
    expect([[...state.firedEdges], [...state.skippedEdges]]).toEqual([['a->b'], ['a->c']]);
  });

  test('records the run that it reuses results from', () => {
    const state = foldRun(emptyRunState, logOf({ ...start, rerunOf: asRunId('earlier'), rerunFromNode: 'b' }));
    expect(state).toMatchObject({ rerunOf: 'earlier', rerunFromNode: 'b', redoOf: null });
  });

  test('is suspended until it is resumed, and keeps its start time', () => {
    const log = logOf(start, { type: 'run:suspended', reason: 'approval', nodeId: 'a' }, { type: 'run:resumed' });
    const suspended = foldRun(emptyRunState, log.slice(0, 2));
    expect(suspended).toMatchObject({ status: 'suspended', durationMs: null });
    expect(foldRun(suspended, log)).toMatchObject({ status: 'running', startedAt: 1000 });
  });

  test('takes only the number of an event from a later version', () => {
    const before = foldRun(emptyRunState, logOf(start, taskStart('a')));
    const [known] = logOf(start);
    const unknown = { ...known!, seq: 2, event: { type: 'node:dreamt', nodeId: 'a' } } as unknown as EventEnvelope;
    expect(reduceRun(before, unknown)).toEqual({ ...before, seq: 2 });
  });
});

describe('a node', () => {
  const nodeAfter = (...events: readonly RunEvent[]) => foldRun(emptyRunState, logOf(...events)).nodes.get('a');

  test('starts the text of each model call on a new line', () => {
    const request: RunEvent = { type: 'model:request', provider: 'p', model: 'm', messagesHash: '0' };
    const calls = [request, text('Let me '), text('look.'), request, request, text('It is 4.')] as const;
    expect(nodeAfter(taskStart('a'), ...calls)?.text).toBe('Let me look.\nIt is 4.');
  });

  test('runs from the start of its task, with its input and its text', () => {
    const state = nodeAfter(
      taskStart('a'),
      { type: 'node:input', nodeId: 'a', input: { prompt: 'Hi' } },
      { type: 'agent:start', agentName: 'prompt', runId },
      text('Hel'),
      text('lo'),
    );
    expect(state).toEqual({
      nodeId: 'a',
      nodeType: 'prompt',
      status: 'running',
      startedAt: 1000,
      attempts: 1,
      input: { prompt: 'Hi' },
      text: 'Hello',
    });
  });

  test('keeps the text of a failed attempt until the next one emits text', () => {
    const events = [taskStart('a'), text('half'), retry] as const;
    expect(nodeAfter(...events)).toMatchObject({ status: 'retrying', attempts: 2, text: 'half', error });
    const next = nodeAfter(...events, text('whole'));
    expect(next).toMatchObject({ status: 'running', attempts: 2, text: 'whole' });
    expect(next?.error).toBeUndefined();
  });

  test('completes with its output and clears the errors of earlier attempts', () => {
    const state = nodeAfter(taskStart('a'), retry, taskComplete('a', 'done'));
    expect(state).toMatchObject({ status: 'completed', output: 'done', durationMs: 40, attempts: 2, endedAt: 1020 });
    expect(state?.error).toBeUndefined();
  });

  test('fails with its error, and the run lists it immediately', () => {
    const failed: RunEvent = { type: 'task:failed', taskId: 'node:a', nodeId: 'a', error, durationMs: 4, attempts: 1 };
    const state = foldRun(emptyRunState, logOf(taskStart('a'), failed));
    expect(state.nodes.get('a')).toMatchObject({ status: 'failed', error, attempts: 1 });
    expect([...state.failedNodes]).toEqual(['a']);
  });

  test('is canceled with its elapsed time and keeps its partial text', () => {
    const state = nodeAfter(taskStart('a'), text('half'), {
      type: 'task:cancelled',
      taskId: 'node:a',
      nodeId: 'a',
      reason: 'cancel',
    });
    expect(state).toMatchObject({ status: 'cancelled', durationMs: 20, text: 'half' });
  });

  test('is skipped with its reason and never has a start', () => {
    const detail = { op: 'equals', var: 'x', value: 1, result: false } as const;
    const state = nodeAfter({ type: 'node:skipped', nodeId: 'a', reason: 'when', detail });
    expect(state).toEqual({
      nodeId: 'a',
      status: 'skipped',
      endedAt: 1000,
      attempts: 0,
      text: '',
      skip: { reason: 'when', detail },
    });
  });

  test('waits for a person with its request, until it has the answer', () => {
    const request = { reason: 'approval', message: 'Send it?' } as const;
    const events = [taskStart('a'), { type: 'node:suspended', nodeId: 'a', request }] as const;
    expect(nodeAfter(...events)).toMatchObject({ status: 'suspended', request, startedAt: 1000 });
    const answered = nodeAfter(...events, { type: 'run:resumed', decision: 'approve' }, taskComplete('a', 'sent'));
    expect(answered).toMatchObject({ status: 'completed', output: 'sent', startedAt: 1000 });
    expect(answered?.request).toBeUndefined();
  });

  test("keeps the name of an agent's input when its run is resumed", () => {
    const inputStart = { type: 'task:start', taskId: 'input:0' } as const;
    const input = { path: 'notes/a.md' };
    const begun = [
      inputStart,
      { type: 'node:input', nodeId: 'input:0', input },
      { type: 'label', text: 'notes/a.md', taskId: 'input:0' },
    ] as const;
    const resumed = [{ type: 'run:resumed' }, { ...inputStart, resumed: true }] as const;
    const { nodes } = foldRun(emptyRunState, logOf(start, ...begun, ...resumed));
    expect(nodes.get('input:0')).toMatchObject({ label: 'notes/a.md', input });
  });

  test('repeats the same attempt after an interruption, and the tokens of the interrupted one still count', () => {
    const usage = { promptTokens: 5, completionTokens: 2 };
    const response: RunEvent = { type: 'model:response', usage, durationMs: 1, finishReason: 'stop' };
    const cut = [taskStart('a'), { type: 'node:input', nodeId: 'a', input: 1 }, response, text('half'), retry] as const;
    const again: RunEvent = { type: 'task:start', taskId: 'node:a', nodeId: 'a', nodeType: 'prompt', resumed: true };
    expect(nodeAfter(...cut, { type: 'run:resumed' }, again)).toEqual({
      nodeId: 'a',
      nodeType: 'prompt',
      status: 'running',
      startedAt: 1060,
      attempts: 2,
      text: '',
      usage,
      unpricedCalls: 1,
    });
  });

  test('is reused with the output of an earlier run and never has a start', () => {
    const state = nodeAfter({ type: 'node:reused', nodeId: 'a', fromRunId: asRunId('earlier'), output: 'kept' });
    expect(state).toEqual({
      nodeId: 'a',
      status: 'reused',
      endedAt: 1000,
      attempts: 0,
      text: '',
      output: 'kept',
      fromRunId: 'earlier',
    });
  });

  test('in the body of a loop is separate from the same node of the other items', () => {
    const [first, second] = [taskStart('each[0].a'), taskStart('each[1].a')];
    const log = logOf(first, second, text('Hi')).map((envelope) => {
      const context = { sessionId, task: { id: 'node:each[1].a' } };
      return { ...envelope, context };
    });
    const { nodes } = foldRun(emptyRunState, log);
    expect([...nodes].map(([id, node]) => [id, node.text])).toEqual([
      ['each[0].a', ''],
      ['each[1].a', 'Hi'],
    ]);
  });

  test('keeps handles of large values', () => {
    const handle = { $value: 'f'.repeat(64), bytes: 99_999, type: 'string', preview: 'x' } as const;
    const complete: RunEvent = {
      type: 'task:complete',
      taskId: 'node:a',
      nodeId: 'a',
      result: { ...handle },
      durationMs: 1,
      attempts: 1,
    };
    expect(nodeAfter(taskStart('a'), complete)?.output).toEqual(handle);
  });
});

describe('identity', () => {
  const before = foldRun(emptyRunState, logOf(start, taskStart('a'), taskStart('b')));
  const [event] = logOf(text('Hi'));
  const after = reduceRun(before, { ...event!, seq: 3 });

  test('a token for one node changes neither the other node nor the previous state', () => {
    expect(after.nodes.get('a')?.text).toBe('Hi');
    expect(before.nodes.get('a')?.text).toBe('');
    expect(after.nodes.get('b')).toBe(before.nodes.get('b'));
    expect(after.firedEdges).toBe(before.firedEdges);
  });

  test('known events change nothing', () => {
    expect(foldRun(after, logOf(start, taskStart('a'), taskStart('b')))).toBe(after);
  });

  test('individual events and a batch have the same result', () => {
    const log = logOf(start, taskStart('a'), text('x'), retry, text('y'), taskComplete('a', 'z'));
    expect(log.reduce(reduceRun, emptyRunState)).toEqual(foldRun(emptyRunState, log));
  });
});
