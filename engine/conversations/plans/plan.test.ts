import { describe, expect, test } from 'vitest';
import { activateNext, invalidateFlow, popFinished, requestFlow } from '../session/flow-stack.ts';
import { desk, finish, look, planned, proceed, refusalOf, TestSession } from '../session/testing/test-session.ts';
import { decomposePlan, planProgress, planToReplan, remainingParts, replan } from './plan.ts';
import { readReplanning, replanQuestion } from './replan-prompt.ts';

const reason = 'because';

describe('a decomposed plan', () => {
  test('FS-50 has its parts on top of it, the first Active', () => {
    const session = planned('a', 'b', 'c');
    expect(session.stack).toEqual(['a:Active', 'b:Pending', 'c:Pending', 'close:Pending']);
    expect(session.state.keepGoing).toBe(true);
    const decomposed = session.log.find(({ event }) => event.type === 'plan:decomposed')?.event;
    const parts = ['a', 'b', 'c'].map((flowName) => ({ flowId: session.id(flowName), flowName }));
    expect(decomposed).toMatchObject({ planId: 'f1', method: 'direct', subFlows: parts });
  });

  test('FS-31 leaves every part but the first Pending', () => {
    const session = planned('a', 'b', 'c', 'd');
    expect(session.state.stack.map(({ status }) => status)).toEqual(['Active', ...Array(4).fill('Pending')]);
  });

  test('FS-70 sets the id of the plan on every part, including later ones', () => {
    const session = planned('a', 'b');
    finish(session, 'a');
    look(session, { decision: 'expand', add: [{ flowName: 'd' }] });
    expect(session.state.stack.map(({ flowName, planId }) => [flowName, planId])).toEqual([
      ['d', 'f1'],
      ['b', 'f1'],
      ['close', null],
    ]);
  });

  test('accepts only existing flows as parts, up to the maximum, and never itself', () => {
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'close', by: 'user' }));
    const parts = (...names: readonly string[]) =>
      decomposePlan(session.state, desk, {
        planId: 'f1',
        subFlows: names.map((flowName) => ({ flowName })),
        method: 'direct',
      });
    expect(refusalOf(parts())).toBe('plan.bad-parts');
    expect(refusalOf(parts(...Array<string>(33).fill('a')))).toBe('plan.bad-parts');
    expect(refusalOf(parts('a', 'nobody'))).toBe('flow.unknown-type');
    expect(refusalOf(parts('index'))).toBe('flow.internal');
    expect(refusalOf(parts('close'))).toBe('plan.holds-itself');
    session.take(parts('tidy'));
    const within = { planId: session.id('tidy'), subFlows: [{ flowName: 'close' }], method: 'direct' } as const;
    expect(refusalOf(decomposePlan(session.state, desk, within))).toBe('plan.holds-itself');
    expect(refusalOf(decomposePlan(session.state, desk, { ...within, planId: 'f1' }))).toBe('flow.not-active');
  });

  test('must be a flow of the intent Plan', () => {
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    const outcome = decomposePlan(session.state, desk, {
      planId: 'f1',
      subFlows: [{ flowName: 'b' }],
      method: 'direct',
    });
    expect(refusalOf(outcome)).toBe('plan.not-a-plan');
  });
});

describe('the review of a plan', () => {
  test('FS-51 is due when a part was popped, while the next one waits, and nothing continues before it', () => {
    const session = planned('a', 'b', 'c');
    expect(planToReplan(session.state)).toBeUndefined();
    finish(session, 'a');
    expect(session.stack).toEqual(['b:Pending', 'c:Pending', 'close:Pending']);
    expect(planToReplan(session.state)).toBe('f1');
    expect(refusalOf(activateNext(session.state))).toBe('plan.replan-due');
  });

  test('FS-52 continue: the next part becomes Active, in the same order', () => {
    const session = planned('a', 'b', 'c');
    finish(session, 'a');
    proceed(session);
    expect(session.stack).toEqual(['b:Active', 'c:Pending', 'close:Pending']);
    expect(planToReplan(session.state)).toBeUndefined();
  });

  test('FS-53 reorder: another part comes first and becomes Active', () => {
    const session = planned('a', 'b', 'c');
    finish(session, 'a');
    look(session, { decision: 'reorder', order: [session.id('c'), session.id('b')] });
    session.take(activateNext(session.state));
    expect(session.stack).toEqual(['c:Active', 'b:Pending', 'close:Pending']);
  });

  test('FS-54 expand: the new part is on top, Active, and part of the plan', () => {
    const session = planned('a', 'b', 'c');
    finish(session, 'a');
    look(session, { decision: 'expand', add: [{ flowName: 'd' }] });
    expect(session.stack).toEqual(['d:Active', 'b:Pending', 'c:Pending', 'close:Pending']);
    expect(session.flow('d').planId).toBe('f1');
    expect(planProgress(session.state, 'f1')).toEqual({ done: 1, total: 4, skipped: 0 });
  });

  test('FS-55 prune: the part is Invalid, never Active, and the next one continues without another review', () => {
    const session = planned('a', 'b', 'c');
    const b = session.id('b');
    finish(session, 'a');
    look(session, { decision: 'prune', remove: [b] });
    expect(session.stack).toEqual(['b:Invalid', 'c:Pending', 'close:Pending']);
    session.take(popFinished(session.state));
    expect(planProgress(session.state, 'f1')).toEqual({ done: 1, total: 2, skipped: 0 });
    expect(planToReplan(session.state)).toBeUndefined();
    session.take(activateNext(session.state));
    expect(session.stack).toEqual(['c:Active', 'close:Pending']);
    const activated = session.log.flatMap(({ event }) => (event.type === 'stack:activate' ? [event.flowId] : []));
    expect(activated).not.toContain(b);
  });

  test('FS-56 includes the notes and the rest of the plan in one question, and does not run the plan', () => {
    const session = planned('a', 'b', 'c');
    session.take(requestFlow(session.state, desk, { flowName: 'd', by: 'user' }));
    finish(session, 'a', ['The books of May are missing.']);
    const before = session.state;
    const question = replanQuestion({ state: before, catalogue: desk, flow: session.flow('close') });
    const user = question.messages.find(({ role }) => role === 'user')?.content;
    expect(user).toBe(
      `Remaining parts of plan close:\n- f3: b {}\n- f2: c {}\n\nNotes:\n- a: The books of May are missing.`,
    );
    const place = { catalogue: desk, flow: session.flow('close') };
    expect(readReplanning({ decision: 'continue', reason }, place)).toEqual({
      value: { change: { decision: 'continue' }, reason },
    });
    expect(readReplanning('go on', place)).toHaveProperty('problem');
    expect(readReplanning({ decision: 'expand', add: [{ flow: 'index' }] }, place)).toHaveProperty('problem');
    proceed(session);
    expect(session.flow('close').status).toBe('Pending');
  });

  test('FS-57 includes the findings of the part, which are recorded when it ends', () => {
    const session = planned('a', 'b');
    finish(session, 'a', ['One.', 'Two.', 'Three.']);
    const types = session.log.map(({ event }) => event.type);
    expect(types.indexOf('scratchpad:write')).toBeLessThan(types.indexOf('stack:complete'));
    expect(session.state.scratchpad.map(({ text, flowName }) => `${flowName} ${text}`)).toEqual([
      'a One.',
      'a Two.',
      'a Three.',
    ]);
    look(session, { decision: 'continue' });
    expect(session.log.map(({ event }) => event.type).at(-1)).toBe('plan:replan');
  });

  test('FS-71 neither includes nor moves flows that are not part of the plan', () => {
    const session = planned('a', 'b', 'c');
    session.take(requestFlow(session.state, desk, { flowName: 'd', by: 'user' }));
    finish(session, 'a');
    const own = ['b', 'c'].map((name) => session.id(name));
    expect(remainingParts(session.state, 'f1').map(({ flowId }) => flowId)).toEqual(own);
    const order = [session.id('d'), ...own];
    const change = { decision: 'reorder', order } as const;
    expect(refusalOf(replan(session.state, desk, { planId: 'f1', change, reason }))).toBe('plan.bad-order');
    const prune = { decision: 'prune', remove: [session.id('d')] } as const;
    expect(refusalOf(replan(session.state, desk, { planId: 'f1', change: prune, reason }))).toBe('plan.bad-parts');
    look(session, { decision: 'reorder', order: own.toReversed() });
    expect(session.stack).toEqual(['c:Pending', 'b:Pending', 'close:Pending', 'd:Pending']);
    expect(session.flow('d').planId).toBeNull();
  });

  test('FS-71 moves parts around an unrelated flow between them', () => {
    const session = planned('a', 'b', 'c');
    finish(session, 'a');
    // No flow is Active, so the new request comes first and is then moved below the next part.
    session.take(requestFlow(session.state, desk, { flowName: 'd', by: 'user' }));
    expect(session.stack).toEqual(['d:Active', 'b:Pending', 'c:Pending', 'close:Pending']);
    look(session, { decision: 'reorder', order: [session.id('c'), session.id('b')] });
    expect(session.stack).toEqual(['d:Active', 'c:Pending', 'b:Pending', 'close:Pending']);
  });

  test('is not due after anything else', () => {
    const session = planned('a', 'b');
    const change = { decision: 'continue' } as const;
    expect(refusalOf(replan(session.state, desk, { planId: 'f1', change, reason }))).toBe('plan.not-due');
    finish(session, 'a');
    look(session, change);
    expect(refusalOf(replan(session.state, desk, { planId: 'f1', change, reason }))).toBe('plan.not-due');
    for (const order of [[], [session.id('b'), session.id('b')], ['f9']]) {
      const due = planned('a', 'b');
      finish(due, 'a');
      const bad = replan(due.state, desk, { planId: 'f1', change: { decision: 'reorder', order }, reason });
      expect(refusalOf(bad)).toBe('plan.bad-order');
    }
  });

  test('is also due after a part that failed and was skipped', () => {
    const session = planned('a', 'b');
    session.take(invalidateFlow(session.state, { flowId: session.id('a'), reason: 'failure' }));
    session.take(popFinished(session.state));
    expect(planToReplan(session.state)).toBe('f1');
    expect(planProgress(session.state, 'f1')).toEqual({ done: 0, total: 2, skipped: 1 });
  });
});
