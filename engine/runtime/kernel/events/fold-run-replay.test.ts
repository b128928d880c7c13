import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asRunId, asSessionId } from '../../../base/ids.ts';
import { foldRun, reduceRun } from './fold-run.ts';
import type { EventEnvelope, RunEvent } from './run-event.ts';
import { emptyRunState, type RunState } from './run-state.ts';

const runId = asRunId('run');
const error = { code: 'demo.failed', message: 'No' };
const usage = { promptTokens: 2, completionTokens: 1 };

/** Ends of nodes, including nodes in loop bodies. */
const node = fc.constantFrom('a', 'b', 'c', 'each[0].a', 'each[1].a', 'each[10].inner[2].a');

/** Every type of event, in random order, because folding must not depend on the order. */
const event: fc.Arbitrary<RunEvent> = fc
  .tuple(node, node, fc.nat({ max: 99 }))
  .chain(([nodeId, other, number]): fc.Arbitrary<RunEvent> => {
    const task = { taskId: `node:${nodeId}`, nodeId };
    const ended = { durationMs: number, attempts: 1 };
    const edge = { edgeId: `${nodeId}->${other}`, from: nodeId, to: other };
    const phase = { name: 'Run Flow' };
    const agent = { agentName: nodeId, runId };
    return fc.constantFrom<RunEvent>(
      { type: 'run:start', kind: 'flow', name: 'demo', sourcePath: 'a', definitionHash: 'h', inputs: { number } },
      { type: 'run:suspended', reason: 'operator', nodeId },
      { type: 'run:resumed', decision: 'approve' },
      { type: 'run:end', status: 'failed', failedNodes: [nodeId, other], durationMs: number, error },
      { type: 'phase:start', ...phase },
      { type: 'phase:complete', ...phase },
      { type: 'phase:failed', ...phase, error },
      { type: 'phase:cancelled', ...phase },
      { type: 'task:start', ...task, nodeType: 'prompt' },
      { type: 'task:start', ...task, nodeType: 'prompt', resumed: true },
      { type: 'task:complete', ...task, ...ended, result: number },
      { type: 'task:failed', ...task, ...ended, error },
      { type: 'task:cancelled', ...task, reason: 'fail-fast' },
      { type: 'node:skipped', nodeId, reason: 'disabled' },
      { type: 'node:reused', nodeId, fromRunId: asRunId('earlier'), output: number },
      { type: 'node:suspended', nodeId, request: { reason: 'approval', message: 'Go on?' } },
      { type: 'node:input', nodeId, input: number },
      { type: 'node:retry', nodeId, attempt: 1, delayMs: number, error },
      { type: 'edge:fired', ...edge },
      { type: 'edge:skipped', ...edge },
      { type: 'agent:start', ...agent },
      { type: 'agent:complete', ...agent, success: true },
      { type: 'agent:failed', ...agent, error },
      { type: 'agent:text', content: `${number} ` },
      { type: 'agent:thinking', content: `${number}` },
      { type: 'model:request', provider: 'p', model: 'm', messagesHash: 'h' },
      { type: 'model:response', usage, durationMs: number, finishReason: 'stop' },
      { type: 'model:response', usage, durationMs: number, finishReason: 'stop', fromCassette: true },
    );
  });

const log: fc.Arbitrary<readonly EventEnvelope[]> = fc
  .array(fc.tuple(event, node), { minLength: 1, maxLength: 120 })
  .map((events) =>
    events.map(([told, nodeId], seq) => {
      const context = { sessionId: asSessionId('s'), task: { id: `node:${nodeId}` } };
      return { seq, at: 1000 + seq, runId, context, event: told };
    }),
  );

/** Returns everything observable of a state, as text. */
function seen(state: RunState): string {
  return JSON.stringify(state, (_, value: unknown) =>
    value instanceof Object && Symbol.iterator in value && !Array.isArray(value) ? [...(value as Set<unknown>)] : value,
  );
}

const cuts = fc.array(fc.record({ at: fc.nat({ max: 120 }), overlap: fc.nat({ max: 10 }) }), { maxLength: 20 });

test('X-14 one by one, in overlapping batches of any size or from a copy of the log, the same facts result in the same state', () => {
  fc.assert(
    fc.property(log, cuts, (events, batches) => {
      const oneByOne = seen(events.reduce(reduceRun, emptyRunState));
      let state = emptyRunState;
      for (const { at, overlap } of batches.sort((left, right) => left.at - right.at)) {
        state = foldRun(state, events.slice(Math.max(0, state.seq + 1 - overlap), at));
      }
      const copy = JSON.parse(JSON.stringify(events)) as readonly EventEnvelope[];
      expect(seen(foldRun(state, events))).toBe(oneByOne);
      expect(seen(foldRun(emptyRunState, copy))).toBe(oneByOne);
    }),
  );
});

test('later events do not change a state, nor the results of other later events', () => {
  fc.assert(
    fc.property(log, log, (events, others) => {
      const states = [emptyRunState];
      for (const envelope of events) states.push(reduceRun(states.at(-1) ?? emptyRunState, envelope));
      const before = states.map(seen);
      for (const state of states) foldRun(state, others);
      expect(states.map(seen)).toEqual(before);
    }),
  );
});

test('an unaffected node is the same object in the next state', () => {
  fc.assert(
    fc.property(log, (events) => {
      let state = emptyRunState;
      for (const envelope of events) {
        const next = reduceRun(state, envelope);
        const changed = [...state.nodes].filter(([id, before]) => next.nodes.get(id) !== before);
        expect(changed.length).toBeLessThanOrEqual(1);
        state = next;
      }
    }),
  );
});
