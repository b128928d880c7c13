import { expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import type { RunEvent } from '../events/run-event.ts';
import { createHub } from './hub.ts';
import { addUsage, Spending } from './spending.ts';

function answer(promptTokens: number, more: { fromCassette?: true } = {}): RunEvent {
  const usage = { promptTokens, completionTokens: 1 };
  return { type: 'model:response', usage, costUsd: promptTokens, durationMs: 1, finishReason: 'stop', ...more };
}

function world(gate = { isOpen: true }) {
  const runHub = createHub({ runId: asRunId('run-1'), sessionId: asSessionId('s') });
  const told: string[] = [];
  runHub.subscribe((events) => told.push(...events.map(({ runId, event }) => `${runId} ${event.type}`)));
  const spending = new Spending();
  return { hub: runHub.hub.with({ gate, spending }), spending, told, gate };
}

test('counts calls emitted on the hub, on scoped hubs and on hubs of child runs', () => {
  const { hub, spending, told } = world();
  hub.emit(answer(1));
  hub.scoped({ task: { id: 'input:0' } }).emit(answer(2));
  hub.child(asRunId('run-2')).child(asRunId('run-3')).emit(answer(4));
  hub.flush();
  expect(spending.total()).toEqual({ usage: { promptTokens: 7, completionTokens: 3 }, costUsd: 7 });
  expect(told).toEqual(['run-1 model:response', 'run-1 model:response', 'run-3 model:response']);
});

test('counts a response without a known price unless it was replayed', () => {
  const { hub, spending } = world();
  const unpriced: RunEvent = { type: 'model:response', durationMs: 1, finishReason: 'stop' };
  for (const event of [answer(1), unpriced, unpriced, { ...unpriced, fromCassette: true }]) hub.emit(event);
  expect(spending.total()).toMatchObject({ costUsd: 1, unpricedCalls: 2 });
});

test('counts no cost for replayed responses', () => {
  const { hub, spending } = world();
  hub.emit(answer(1, { fromCassette: true }));
  expect(spending.total()).toEqual({});
});

test('emits and counts nothing after the gate closes, on the hub and on its children', () => {
  const { hub, spending, told, gate } = world();
  const child = hub.child(asRunId('run-2'));
  gate.isOpen = false;
  hub.emit(answer(1));
  child.emit(answer(1));
  hub.flush();
  expect([spending.total(), told]).toEqual([{}, []]);
});

test('returns its run id and task id', () => {
  const { hub } = world();
  expect([hub.runId, hub.taskId]).toEqual(['run-1', undefined]);
  expect(hub.scoped({ task: { id: 'input:3' } }).taskId).toBe('input:3');
  expect(hub.child(asRunId('run-2')).runId).toBe('run-2');
});

test('addUsage adds token counts and omits those that neither call reported', () => {
  const left = { promptTokens: 10, completionTokens: 4, cachedTokens: 8 };
  const right = { promptTokens: 3, completionTokens: 2, cachedTokens: 1, reasoningTokens: 2 };
  expect(addUsage(left, right)).toEqual({
    promptTokens: 13,
    completionTokens: 6,
    cachedTokens: 9,
    reasoningTokens: 2,
  });
});
