import { describe, expect, test } from 'vitest';
import { assessPlan, planProgress, planToReplan } from '../plans/plan.ts';
import { activateNext, completeFlow, invalidateFlow, popFinished, requestFlow, stackOn } from './flow-stack.ts';
import { decompose, desk, finish, look, planned, proceed, refusalOf } from './testing/test-session.ts';

const reason = 'because';

describe('the end of a plan', () => {
  test('FS-60 all parts done: the plan is Active again, without a review', () => {
    const session = planned('a', 'b');
    finish(session, 'a');
    proceed(session);
    finish(session, 'b');
    expect(session.stack).toEqual(['close:Pending']);
    expect(planToReplan(session.state)).toBeUndefined();
    expect(session.state.keepGoing).toBe(true);
    session.take(activateNext(session.state));
    expect(session.stack).toEqual(['close:Active']);
  });

  test('FS-61 more work: new parts are on top of the plan, which continues', () => {
    const session = planned('a');
    finish(session, 'a');
    session.take(activateNext(session.state));
    session.add({ type: 'state:flags', keepGoing: false });
    const found = { done: false, subFlows: [{ flowName: 'b' }, { flowName: 'c' }] } as const;
    session.take(assessPlan(session.state, desk, { planId: 'f1', found, reason }));
    expect(session.stack).toEqual(['b:Active', 'c:Pending', 'close:Pending']);
    expect(session.state.keepGoing).toBe(true);
    expect(planProgress(session.state, 'f1')).toEqual({ done: 1, total: 3, skipped: 0 });
    expect(session.log.map(({ event }) => event)).toContainEqual({
      ...{ type: 'plan:assessed', planId: 'f1', done: false, reason },
      newSubFlows: ['b', 'c'].map((flowName) => ({ flowId: session.id(flowName), flowName })),
    });
  });

  test('FS-62 done: the plan is Completed, and all findings are available for the reply', () => {
    const session = planned('a');
    finish(session, 'a', ['All books are closed.']);
    session.take(activateNext(session.state));
    const found = { done: true, result: 'closed', entries: ['The quarter is closed.'] } as const;
    session.take(assessPlan(session.state, desk, { planId: 'f1', found, reason }));
    expect(session.stack).toEqual(['close:Completed']);
    expect(session.flow('close').result).toBe('closed');
    expect(session.state.keepGoing).toBe(false);
    expect(session.state.scratchpad.map(({ text }) => text)).toEqual([
      'All books are closed.',
      'The quarter is closed.',
    ]);
    session.take(popFinished(session.state));
    expect(session.state).toMatchObject({ stack: [], plans: [] });
  });

  test('FS-63 requires an assessment', () => {
    const session = planned('a');
    finish(session, 'a');
    session.take(activateNext(session.state));
    expect(refusalOf(completeFlow(session.state, { flowId: 'f1', result: null }))).toBe('plan.not-assessed');
    session.take(popFinished(session.state));
    expect(session.stack).toEqual(['close:Active']);
  });

  test('FS-63 is not assessed while parts remain', () => {
    const session = planned('a');
    const found = { done: true, result: null } as const;
    expect(refusalOf(assessPlan(session.state, desk, { planId: 'f1', found, reason }))).toBe('flow.not-active');
    session.take(completeFlow(session.state, { flowId: session.id('a'), result: null }));
    expect(refusalOf(assessPlan(session.state, desk, { planId: 'f1', found, reason }))).toBe('flow.not-active');
  });
});

describe('the record of a plan', () => {
  test('FS-72 shows 2/4 when two of four parts are done', () => {
    const session = planned('a', 'b', 'c', 'd');
    finish(session, 'a');
    proceed(session);
    finish(session, 'b');
    expect(planProgress(session.state, 'f1')).toEqual({ done: 2, total: 4, skipped: 0 });
    const [plan] = session.state.plans;
    expect(plan?.subFlows.map(({ status }) => status)).toEqual(['completed', 'completed', 'pending', 'pending']);
    proceed(session);
    expect(session.state.plans[0]?.subFlows[2]?.status).toBe('in_progress');
    expect(planProgress(session.state, 'f9')).toBeUndefined();
  });

  test('FS-73 an Invalid plan ends its parts, including those of nested plans, and nothing else', () => {
    const session = planned('tidy', 'a');
    session.take(requestFlow(session.state, desk, { flowName: 'd', by: 'user' }));
    decompose(session, 'tidy', ['b', 'c']);
    expect(session.stack).toEqual([
      ...['b:Active', 'c:Pending', 'tidy:Pending', 'a:Pending', 'close:Pending', 'd:Pending'],
    ]);
    const parts = ['b', 'c', 'tidy', 'a'].map((name) => session.id(name));
    const { events } = session.take(invalidateFlow(session.state, { flowId: 'f1', reason: 'abandon' }));
    expect(session.stack).toEqual(['close:Invalid', 'd:Pending']);
    const abandoned = events.flatMap((event) => (event.type === 'plan:abandoned' ? [event.flowIds] : []));
    expect(abandoned.map((ids) => ids.toSorted())).toEqual([parts.toSorted()]);
    const invalid = events.flatMap((event) => (event.type === 'stack:invalidate' ? [event.flowId] : []));
    expect(invalid.toSorted()).toEqual(['f1', ...parts].toSorted());
    session.take(popFinished(session.state));
    expect(session.state.plans).toEqual([]);
    session.take(activateNext(session.state));
    expect(session.stack).toEqual(['d:Active']);
  });

  test('a nested plan is a part like others: the outer plan is reviewed after it', () => {
    const session = planned('tidy', 'a');
    decompose(session, 'tidy', ['b']);
    finish(session, 'b');
    session.take(activateNext(session.state));
    const found = { done: true, result: null } as const;
    session.take(assessPlan(session.state, desk, { planId: session.id('tidy'), found, reason }));
    session.take(popFinished(session.state));
    expect(planToReplan(session.state)).toBe('f1');
    expect(planProgress(session.state, 'f1')).toEqual({ done: 1, total: 2, skipped: 0 });
  });

  test('follows the whole plan when it gets another part', () => {
    const session = planned('a', 'b', 'c');
    const trace = [session.stack];
    finish(session, 'a');
    look(session, { decision: 'expand', add: [{ flowName: 'd' }] });
    trace.push(session.stack);
    finish(session, 'd');
    proceed(session);
    trace.push(session.stack);
    finish(session, 'b');
    proceed(session);
    finish(session, 'c');
    session.take(activateNext(session.state));
    trace.push(session.stack);
    expect(trace).toEqual([
      ['a:Active', 'b:Pending', 'c:Pending', 'close:Pending'],
      ['d:Active', 'b:Pending', 'c:Pending', 'close:Pending'],
      ['b:Active', 'c:Pending', 'close:Pending'],
      ['close:Active'],
    ]);
    expect(planProgress(session.state, 'f1')).toEqual({ done: 4, total: 4, skipped: 0 });
  });

  test('a flow stacked on a part is not a part', () => {
    const session = planned('a', 'b');
    session.take(stackOn(session.state, desk, { flowName: 'd', by: 'agent' }));
    expect(session.flow('d')).toMatchObject({ planId: null, stackedOn: session.id('a') });
    finish(session, 'd');
    expect(planToReplan(session.state)).toBeUndefined();
    session.take(activateNext(session.state));
    expect(session.stack).toEqual(['a:Active', 'b:Pending', 'close:Pending']);
  });
});
