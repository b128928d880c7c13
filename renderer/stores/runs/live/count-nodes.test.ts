import { expect, test } from 'vitest';
import type { RunEvent } from '../../../../engine/isomorphic.ts';
import { createRunTeller, nodeComplete, nodeStart } from '../../../bridge/testing/run-events.ts';
import { checkText } from '../../text/check.ts';
import { countDone, countedFlow, countNodes } from './count-nodes.ts';
import { createLiveRuns, type LiveRun } from './live-runs.ts';

const flow = checkText(`flow: { name: One }
nodes:
  - { id: a, type: echo, input: { text: x } }
  - { id: each, type: control.foreach, input: { items: [1, 2], body: [inner, b] } }
  - { id: inner, type: control.foreach, input: { items: [1], body: [c] } }
  - { id: b, type: echo, input: { text: x } }
  - { id: c, type: echo, input: { text: x } }
edges: []`);

const begin = (nodeId: string, items: readonly number[]): RunEvent[] => [
  { type: 'task:start', taskId: `node:${nodeId}`, nodeId, nodeType: 'control.foreach' },
  { type: 'node:input', nodeId, input: { items } },
];
const ran = (nodeId: string): RunEvent[] => [nodeStart(nodeId), nodeComplete(nodeId)];
const skip = (nodeId: string): RunEvent => ({ type: 'node:skipped', nodeId, reason: 'when' });

function runAfter(...events: readonly RunEvent[]): LiveRun {
  const store = createLiveRuns();
  const teller = createRunTeller('r1');
  for (const event of events) teller.tell(event);
  store.getState().applyEvents(teller.events);
  return [...store.getState().runs.values()][0]!;
}

const done = (...events: readonly RunEvent[]): number => countDone(runAfter(...events), flow);

test('nodes in bodies count like the others, each once', () => {
  expect(countNodes(flow)).toBe(5);
  expect(done(...ran('a'), ...begin('each', [1, 2]))).toBe(1);
  expect(done(...ran('a'), ...begin('each', [1, 2]), ...ran('each[0].b'))).toBe(1);
  expect(done(...ran('a'), ...begin('each', [1, 2]), ...ran('each[0].b'), skip('each[1].b'))).toBe(2);
  expect(done(...begin('each', [1]), ...begin('each[0].inner', [7]), ...ran('each[0].inner[0].c'))).toBe(1);
});

test('the whole body counts as done if its loop has ended or was skipped, but not if it failed', () => {
  expect(done(...begin('each', []), nodeComplete('each'))).toBe(4);
  expect(done(skip('each'))).toBe(4);
  const failed: RunEvent = {
    ...{ type: 'task:failed', taskId: 'node:each', nodeId: 'each', durationMs: 1, attempts: 1 },
    error: { code: 'node.failed', message: 'no' },
  };
  expect(done(...begin('each', [1, 2]), ...ran('each[0].b'), failed)).toBe(1);
});

test('a run is counted by the text that it executes, even if the one on screen has more nodes', () => {
  const run = { ...runAfter(...ran('a')), definition: flow };
  const edited = checkText('flow: { name: One }\nnodes: [{ id: a, type: echo, input: { text: x } }]\nedges: []');
  expect(countNodes(countedFlow(run, edited))).toBe(5);
  expect(countNodes(countedFlow({ ...run, definition: null }, edited))).toBe(1);
});
