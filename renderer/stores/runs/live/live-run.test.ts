import { expect, test } from 'vitest';
import { createRunTeller, nodeComplete, nodeStart, runStart } from '../../../bridge/testing/run-events.ts';
import { isBusy } from '../shown-run.ts';
import { foldInto, hasSameFacts, newRun } from './live-run.ts';

test('streamed text does not change the stored facts of a run, but everything else does', () => {
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

test('a run is busy while more than six nodes are running', () => {
  const teller = createRunTeller('r1');
  const started = teller.tell(runStart('a.flow.yaml'));
  const starts = Array.from({ length: 7 }, (_, index) => teller.tell(nodeStart(`n${index}`), `n${index}`));
  const six = foldInto(newRun(started.runId), [started, ...starts.slice(0, 6)]);
  const seven = foldInto(six, starts.slice(6));
  const again = foldInto(seven, [teller.tell(nodeComplete('n0'), 'n0')]);
  expect([six, seven, again].map(isBusy)).toEqual([false, true, false]);
});
