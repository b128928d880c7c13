import { expect, test } from 'vitest';
import type { EventEnvelope, RunEvent } from '../../../../engine/isomorphic.ts';
import { agentStart, createRunTeller, nodeComplete, nodeStart, runStart } from '../../../bridge/testing/run-events.ts';
import { foldInto, newRun, openedRun, runAt } from './live-run.ts';
import { followModelCalls, noModelCalls } from './model-calls.ts';

const hello = [{ role: 'user', content: 'Hello' }];

function request(callKey: string, messages?: typeof hello): RunEvent {
  const event = { type: 'model:request', provider: 'p', model: 'm', messagesHash: 'h', callKey } as const;
  return messages === undefined ? event : { ...event, messages };
}

const says = (content: string): RunEvent => ({ type: 'agent:text', content });
const thinks = (content: string): RunEvent => ({ type: 'agent:thinking', content });

function response(callKey: string, text: string): RunEvent {
  return { type: 'model:response', durationMs: 5, finishReason: 'stop', callKey, text, toolCalls: [] };
}

test('a call has its messages, thinking and text as they arrive, and then its whole response', () => {
  const run = createRunTeller('r1');
  for (const event of [request('k', hello), thinks('Hm'), thinks('m'), says('Go'), says('od')]) run.tell(event, 'a');
  const open = followModelCalls(noModelCalls, run.events);
  expect(open.ended.size).toBe(0);
  expect(open.open.get('a')).toMatchObject([
    { seq: 0, model: 'p::m', messages: hello, thinking: 'Hmm', text: 'Good', end: undefined },
  ]);
  const ended = followModelCalls(open, [run.tell(response('k', 'Good day'), 'a')]);
  expect(ended.open.size).toBe(0);
  const [call] = ended.ended.get('a') ?? [];
  expect(call).toMatchObject({ thinking: 'Hmm', text: 'Good day', end: { response: { finishReason: 'stop' } } });
  expect(call?.end?.response).not.toHaveProperty('text');
  expect([call?.startedAt, call?.firstAt, call?.end?.at].map((at) => (at ?? 0) - run.events[0]!.at)).toEqual([0, 1, 5]);
});

test('ended calls stay the same object while another one streams, and other events change nothing', () => {
  const run = createRunTeller('r1');
  for (const event of [request('k'), response('k', 'One'), request('l')]) run.tell(event, 'a');
  const before = followModelCalls(noModelCalls, run.events);
  const after = followModelCalls(before, [run.tell(says('Two'), 'a')]);
  expect(after.ended).toBe(before.ended);
  expect(after.open.get('a')).toMatchObject([{ text: 'Two' }]);
  expect(followModelCalls(after, [run.tell(nodeStart('b'), 'b')])).toBe(after);
});

test('pieces and responses without a request are kept, and so is everything after them', () => {
  const run = createRunTeller('r1');
  const odd = [says('Odd'), response('other', 'Odd one'), response('k', 'Late'), request('l'), says('Fine')];
  for (const event of odd) run.tell(event, 'a');
  const { ended, open } = followModelCalls(noModelCalls, run.events);
  expect(ended.get('a')?.map(({ model, text }) => [model, text])).toEqual([
    [undefined, 'Odd one'],
    [undefined, 'Late'],
  ]);
  expect(open.get('a')).toMatchObject([{ model: 'p::m', text: 'Fine' }]);
});

test('a failed attempt, an interruption and the end of the node keep what has arrived', () => {
  const run = createRunTeller('r1');
  const error = { code: 'model.unavailable', message: 'Gone', recoverable: true };
  run.tell(request('k'), 'a');
  run.tell(says('Half'), 'a');
  run.tell({ type: 'node:retry', nodeId: 'a', attempt: 1, delayMs: 5, error });
  run.tell(request('l'), 'a');
  run.tell(says('Cut'), 'a');
  run.tell(request('m'), 'b');
  run.tell({ ...nodeStart('a'), resumed: true } as RunEvent, 'a');
  run.tell(request('n'), 'a');
  run.tell(nodeComplete('a'), 'a');
  const { ended, open } = followModelCalls(noModelCalls, run.events);
  expect(ended.get('a')?.map(({ text, end }) => [text, end?.problem, end?.response])).toEqual([
    ['Half', 'Gone', undefined],
    ['Cut', undefined, undefined],
    ['', undefined, undefined],
  ]);
  expect([...open.keys()]).toEqual(['b']);
});

test('calls of an agent belong to the node that called it, and in the run of the agent to its input', () => {
  const run = createRunTeller('r1');
  const child = { runId: 'c1', parentRunId: 'r1', taskId: 'input:0' };
  const inNode = (event: RunEvent): EventEnvelope => {
    const envelope = run.tellChild(child, event);
    return { ...envelope, context: { ...envelope.context, node: { id: 'ask' } } };
  };
  const told = [
    ...[run.tell(runStart('f.yaml')), run.tell(nodeStart('ask'), 'ask'), inNode(agentStart('a.aip', 'node:ask'))],
    ...[request('k'), response('k', 'One'), request('l'), says('Tw')].map(inNode),
  ];
  const root = foldInto(newRun(told[0]!.runId), told);
  expect(root.calls.ended.get('ask')).toMatchObject([{ taskId: 'input:0', text: 'One' }]);
  const called = openedRun({ ...newRun(told[2]!.runId), caller: { path: 'f.yaml', runId: root.runId } }, root);
  expect(called.calls.ended.get('input:0')).toMatchObject([{ text: 'One' }]);
  expect(called.calls.open.get('input:0')).toMatchObject([{ text: 'Tw' }]);
});

test('at an earlier moment, a call has what had arrived by then', () => {
  const run = createRunTeller('r1');
  run.tell(runStart('f.yaml'));
  run.tell(nodeStart('a'), 'a');
  run.tell(request('k'), 'a');
  for (let piece = 0; piece < 2000; piece++) run.tell(says('x'), 'a');
  run.tell(response('k', 'Whole'), 'a');
  const now = foldInto(newRun(run.events[0]!.runId), run.events);
  const seq = 1502;
  const then = runAt(now, seq, run.events.slice(1000, 2000));
  expect(then.calls.ended.size).toBe(0);
  expect(then.calls.open.get('a')?.[0]?.text).toBe('x'.repeat(1500));
});

/** 50 tokens per second, from one time to another in milliseconds. */
function stream(place: string, from: number, to: number): EventEnvelope[] {
  const run = createRunTeller('r1');
  for (let at = from; at <= to; at += 20) run.tell(says('abcd'), place);
  return run.events.map((event, index) => ({ ...event, at: from + index * 20 }));
}

test('the speed of a stream is known after half a second, does not jump, and ends with the stream', () => {
  const early = followModelCalls(noModelCalls, stream('draft', 0, 480));
  expect(early.streams.size).toBe(0);
  const later = followModelCalls(early, stream('draft', 500, 1000));
  expect(Math.round(later.streams.get('draft')?.tokensPerSecond ?? 0)).toBe(52);
  // Ten times as fast for half a second.
  const burst = stream('draft', 1020, 1500).map((event) => ({ ...event, event: says('abcd'.repeat(10)) }));
  const speed = followModelCalls(later, burst).streams.get('draft')?.tokensPerSecond ?? 0;
  expect([speed > 100, speed < 200]).toEqual([true, true]);
  expect(followModelCalls(later, [createRunTeller('r1').tell(response('k', 'x'), 'draft')]).streams.size).toBe(0);
});

test('the streams of a node in all items of its loop are counted, and their speeds added', () => {
  const both = [...stream('each[0].draft', 0, 2000), ...stream('each[1].draft', 0, 2000)];
  const { streams } = followModelCalls(noModelCalls, both);
  expect(streams.get('draft')?.count).toBe(2);
  expect(Math.round(streams.get('draft')?.tokensPerSecond ?? 0)).toBeGreaterThan(95);
});
