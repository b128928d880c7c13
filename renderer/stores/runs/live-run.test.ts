import { expect, test } from 'vitest';
import { createRunTeller, nodeStart, runStart } from '../../bridge/testing/run-events.ts';
import { foldInto, hasSameFacts, newRun } from './live-run.ts';

test('streamed text leaves the facts of a run as they are, and everything else does not', () => {
  const teller = createRunTeller('r1');
  const started = foldInto(newRun(teller.tell(runStart('a.flow.yaml')).runId), [
    teller.tell(runStart('a.flow.yaml')),
    teller.tell(nodeStart('a'), 'a'),
  ]);
  const streamed = foldInto(started, [teller.tell({ type: 'agent:text', content: 'one' }, 'a')]);
  expect(streamed.state.nodes.get('a')?.text).toBe('one');
  expect(hasSameFacts(started, streamed)).toBe(true);
  expect(hasSameFacts(streamed, foldInto(streamed, [teller.tell(nodeStart('b'), 'b')]))).toBe(false);
  expect(hasSameFacts(streamed, { ...streamed, isCancelling: true })).toBe(false);
  expect(hasSameFacts(streamed, { ...streamed, stale: new Map([['a', 'changed']]) })).toBe(false);
  expect(hasSameFacts(streamed, { ...streamed, stateBeforeCut: streamed.state })).toBe(false);
  const called = { ...streamed, caller: { path: 'b.flow.yaml', runId: streamed.runId } };
  expect(hasSameFacts(called, { ...called })).toBe(false);
});
