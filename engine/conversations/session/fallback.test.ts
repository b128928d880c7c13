import { describe, expect, test } from 'vitest';
import { decomposePlan, planProgress, planToReplan } from '../plans/plan.ts';
import { fallBack, skipFlow } from './fallback.ts';
import { fillSlots, popFinished, requestFlow, stackOn } from './flow-stack.ts';
import { desk, refusalOf, TestSession } from './testing/test-session.ts';

const period = { start: '1 May', stop: '31 May' };

/** Creates a session with the flow `find` above `a`, with values. */
function finding(): TestSession {
  const session = new TestSession();
  session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
  session.take(stackOn(session.state, desk, { flowName: 'find', metadata: { tone: 'kind' }, by: 'agent' }));
  const labels = { number: 'AB-12', period, source: ['inbox', 'archive'] };
  session.take(fillSlots(session.state, desk, { flowId: 'f2', labels }));
  session.add({ type: 'flow:progress', flowId: 'f2', metadata: { tries: 2 } });
  return session;
}

describe('a fallback', () => {
  test('FS-90 creates the new flow, maps slots, copies metadata, ends and pops the old one, and pushes the new one, in this order', () => {
    const session = finding();
    const { events } = session.take(fallBack(session.state, desk, { flowId: 'f2', toFlowName: 'browse' }));
    expect(events.map((event) => event.type)).toEqual([
      'stack:fallback',
      'stack:invalidate',
      'stack:pop',
      'stack:push',
      'slot:filled',
      'stack:activate',
    ]);
    expect(events.slice(0, 4)).toMatchObject([
      { fromFlowId: 'f2', toFlowId: 'f3', toFlowName: 'browse', mappedSlots: ['number'] },
      { flowId: 'f2', reason: 'fallback' },
      { flowId: 'f2', status: 'Invalid', by: 'fallback' },
      { flowId: 'f3', metadata: { tone: 'kind', tries: 2 } },
    ]);
  });

  test('FS-91 copies the values of slots with the same name', () => {
    const session = finding();
    const told = session.take(fallBack(session.state, desk, { flowId: 'f2', toFlowName: 'browse' }));
    expect(told.mappedSlots).toEqual(['number']);
    expect(session.flow('browse').slots).toEqual({ number: 'AB-12' });
  });

  test('FS-92 drops and reports all other values, including one rejected by the slot of the same name', () => {
    const session = finding();
    const told = session.take(fallBack(session.state, desk, { flowId: 'f2', toFlowName: 'browse' }));
    expect(told.droppedSlots).toEqual(['period', 'source']);
  });

  test('FS-93 copies metadata, the plan and the flow it was stacked on', () => {
    const session = finding();
    session.take(fallBack(session.state, desk, { flowId: 'f2', toFlowName: 'browse' }));
    expect(session.flow('browse')).toMatchObject({
      metadata: { tone: 'kind', tries: 2 },
      stackedOn: 'f1',
      by: 'agent',
      fallbackFrom: ['find'],
    });
  });

  test('FS-94 removes the old flow and puts the new one on top', () => {
    const session = finding();
    session.take(fallBack(session.state, desk, { flowId: 'f2', toFlowName: 'browse' }));
    expect(session.stack).toEqual(['browse:Active', 'a:Pending']);
  });

  test('FS-24 replaces a flow that was predicted incorrectly', () => {
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    session.take(fallBack(session.state, desk, { flowId: 'f1', toFlowName: 'b' }));
    expect(session.stack).toEqual(['b:Active']);
  });

  test('FS-34 makes the wrong flow Invalid before it is popped', () => {
    const session = finding();
    session.take(fallBack(session.state, desk, { flowId: 'f2', toFlowName: 'browse' }));
    expect(session.state.turn).toBeNull();
    const ends = session.log.flatMap(({ event }) => ('flowId' in event && event.flowId === 'f2' ? [event.type] : []));
    expect(ends.slice(-2)).toEqual(['stack:invalidate', 'stack:pop']);
  });

  test('keeps the position of a part in its plan, which is reviewed only after the replacement has ended', () => {
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'close', by: 'user' }));
    const subFlows = [{ flowName: 'a' }, { flowName: 'b' }];
    session.take(decomposePlan(session.state, desk, { planId: 'f1', subFlows, method: 'direct' }));
    session.take(fallBack(session.state, desk, { flowId: session.id('a'), toFlowName: 'c' }));
    expect(session.stack).toEqual(['c:Active', 'b:Pending', 'close:Pending']);
    expect(session.flow('c').planId).toBe('f1');
    expect(session.state.plans[0]?.subFlows).toEqual([
      { flowId: session.id('c'), flowName: 'c', status: 'in_progress' },
      { flowId: session.id('b'), flowName: 'b', status: 'pending' },
    ]);
    expect(planToReplan(session.state)).toBeUndefined();
  });

  test('never repeats a flow, and only replaces the Active flow', () => {
    const session = finding();
    const to = (flowId: string, toFlowName: string) => refusalOf(fallBack(session.state, desk, { flowId, toFlowName }));
    expect(to('f2', 'find')).toBe('fallback.loop');
    expect(to('f1', 'browse')).toBe('flow.not-active');
    expect(to('f2', 'index')).toBe('flow.internal');
    expect(to('f2', 'nobody')).toBe('flow.unknown-type');
    session.take(fallBack(session.state, desk, { flowId: 'f2', toFlowName: 'browse' }));
    expect(to('f2', 'b')).toBe('flow.unknown');
    session.take(fallBack(session.state, desk, { flowId: 'f3', toFlowName: 'b' }));
    expect(to('f4', 'browse')).toBe('fallback.loop');
    expect(to('f4', 'find')).toBe('fallback.loop');
  });
});

describe('a skipped part of a plan', () => {
  test('is Invalid, and its plan and the turn continue', () => {
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'close', by: 'user' }));
    const subFlows = [{ flowName: 'a' }, { flowName: 'b' }];
    session.take(decomposePlan(session.state, desk, { planId: 'f1', subFlows, method: 'direct' }));
    session.add({ type: 'state:flags', keepGoing: false });
    session.take(skipFlow(session.state, { flowId: session.id('a') }));
    expect(session.stack).toEqual(['a:Invalid', 'b:Pending', 'close:Pending']);
    expect(session.state).toMatchObject({ keepGoing: true, hasIssues: true });
    session.take(popFinished(session.state));
    expect(planProgress(session.state, 'f1')).toEqual({ done: 0, total: 2, skipped: 1 });
  });

  test('must be part of a plan', () => {
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    expect(refusalOf(skipFlow(session.state, { flowId: 'f1' }))).toBe('recovery.no-plan');
  });
});
