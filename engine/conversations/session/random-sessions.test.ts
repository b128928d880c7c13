import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testRounds } from '../../testing/test-rounds.ts';
import { declareAmbiguity, resolveAmbiguity } from '../meaning/ambiguity.ts';
import { assessPlan, decomposePlan, replan } from '../plans/plan.ts';
import { fallBack, skipFlow } from './fallback.ts';
import {
  activateNext,
  completeFlow,
  fillSlots,
  invalidateFlow,
  popFinished,
  requestFlow,
  stackOn,
} from './flow-stack.ts';
import { endInternal, scheduleInternals, startInternal } from './internal-flows.ts';
import type { OperationOutcome } from './operation.ts';
import { useNotes } from './scratchpad.ts';
import { rollBack, sessionOf } from './session-history.ts';
import { emptySession, isOver, readSession, type SessionState, sessionText } from './session-state.ts';
import { desk, TestSession } from './testing/test-session.ts';
import { beginTurn, endTurn, receiveMessage } from './turn.ts';

const names = ['a', 'b', 'c', 'find', 'browse', 'd', 'tidy', 'index', 'nobody'];

/** One operation on the current session, chosen by numbers. */
type Choice = readonly [operation: number, which: number, other: number];

/** Creates an operation, which may be refused, from the session and two numbers. */
type Operation = (session: TestSession, which: number, other: number) => OperationOutcome<object>;

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
const nameAt = (at: number) => pick(names, at) ?? 'a';
const idAt = ({ state }: TestSession, at: number) => pick(state.stack, at)?.flowId ?? 'f0';
const parts = (which: number, other: number) =>
  Array.from({ length: 1 + (other % 3) }, (_, index) => ({ flowName: nameAt(which + index) }));

const begin: Operation = ({ state }, which) =>
  requestFlow(state, desk, { flowName: which % 2 ? 'close' : nameAt(which), by: 'user' });
const decompose: Operation = (session, which, other) =>
  decomposePlan(session.state, desk, { planId: idAt(session, 0), subFlows: parts(which, other), method: 'direct' });

/** Does what an agent would do next. */
const proceed: Operation = (session, which, other) => {
  const { stack, plans } = session.state;
  const [top] = stack;
  if (top === undefined) return begin(session, which, other);
  if (stack.some(isOver)) return popFinished(session.state);
  if (plans.some(({ planId, isReplanDue }) => isReplanDue && planId === top.planId))
    return lookAtPlan(session, which, other);
  if (top.status === 'Pending') return activateNext(session.state);
  if (top.intent !== 'Plan')
    return completeFlow(session.state, { flowId: top.flowId, result: which, entries: [`note ${other}`] });
  return plans.some(({ planId }) => planId === top.flowId)
    ? assess(session, which, other)
    : decompose(session, which, other);
};

const lookAtPlan: Operation = (session, which, other) => {
  const due = session.state.plans.find(({ isReplanDue }) => isReplanDue)?.planId ?? idAt(session, which);
  const left = session.state.stack.filter(({ planId, status }) => planId === due && status === 'Pending');
  const ids = left.map(({ flowId }) => flowId);
  const change = [
    { decision: 'continue' },
    { decision: 'reorder', order: ids.toReversed() },
    { decision: 'expand', add: parts(which, other) },
    { decision: 'prune', remove: ids.slice(0, 1) },
  ] as const;
  return replan(session.state, desk, { planId: due, change: change[other % 4] ?? change[0], reason: '' });
};

const assess: Operation = (session, which, other) => {
  const more = { done: false, subFlows: parts(which, other) } as const;
  const found = other % 2 === 0 ? ({ done: true, result: 1 } as const) : more;
  return assessPlan(session.state, desk, { planId: idAt(session, 0), found, reason: '' });
};

const turnOperations: readonly Operation[] = [
  ({ state, log }, which) => receiveMessage(state, { messageId: `m${log.length}`, text: `say ${which}` }),
  ({ state, log }) => beginTurn(state, `t${log.length}`),
  ({ state }, which) => endTurn(state, { reply: which % 2 ? 'yes' : '', keepGoingRounds: 1, outcome: 'done' }),
];

const operations: readonly Operation[] = [
  ({ state }, which) => stackOn(state, desk, { flowName: nameAt(which), by: 'agent' }),
  ({ state }, which) => requestFlow(state, desk, { flowName: nameAt(which), by: 'user' }),
  ({ state }) => activateNext(state),
  ({ state }) => activateNext(state),
  ({ state }) => popFinished(state),
  ({ state }) => popFinished(state),
  (session, which, other) =>
    completeFlow(session.state, {
      flowId: idAt(session, other % 3 === 0 ? which : 0),
      result: which,
      entries: [`note ${which}`],
    }),
  (session, which, other) => {
    const reason = (['abandon', 'failure', 'prune'] as const)[other % 3] ?? 'failure';
    return invalidateFlow(session.state, { flowId: idAt(session, which), reason });
  },
  (session, which) => skipFlow(session.state, { flowId: idAt(session, which) }),
  (session, which, other) =>
    fallBack(session.state, desk, { flowId: idAt(session, other % 2), toFlowName: nameAt(which) }),
  decompose,
  lookAtPlan,
  assess,
  (session, which, other) =>
    fillSlots(session.state, desk, { flowId: idAt(session, which), labels: { number: other, source: 'x' } }),
  ({ state }, which, other) =>
    scheduleInternals(state, desk, [
      { flowName: ['index', 'sort', 'count', 'a'][which % 4] ?? 'a' },
      ...(other % 2 ? [{ flowName: 'sort' }] : []),
    ]),
  ({ state }, which) => startInternal(state, pick(state.internal, which)?.flowId ?? 'f0'),
  ({ state }, which, other) => {
    const flowId = pick(state.internal, which)?.flowId ?? 'f0';
    const replaces = other % 2 === 0 ? state.scratchpad.slice(0, 1).map(({ id }) => id) : undefined;
    return endInternal(state, {
      ...{ flowId, status: 'Completed', result: null, entries: [`seen ${other}`] },
      ...(replaces === undefined ? {} : { replaces }),
    });
  },
  ({ state }, which) =>
    useNotes(
      state,
      state.scratchpad.slice(which % 5, (which % 5) + 1).map(({ id }) => id),
    ),
  ...turnOperations,
  (session, which) => declareAmbiguity(session.state, { level: 'specific', flowId: idAt(session, which) }),
  ({ state }) => resolveAmbiguity(state, 'person'),
];

const choices = fc.array(fc.tuple(fc.nat(2 * operations.length), fc.nat(20), fc.nat(20)) as fc.Arbitrary<Choice>, {
  minLength: 1,
  maxLength: 60,
  size: 'max',
});

/** Checks invariants of every state. */
function checkState(state: SessionState): void {
  const active = state.stack.filter(({ status }) => status === 'Active');
  expect(active.length).toBeLessThanOrEqual(1);
  if (active[0] !== undefined) expect(state.stack[0]).toBe(active[0]);
  const ids = [...state.stack, ...state.internal].map(({ flowId }) => flowId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const flow of state.stack) {
    expect(['Pending', 'Active', 'Completed', 'Invalid']).toContain(flow.status);
    expect(flow.intent).not.toBe('Internal');
    if (flow.planId === null) continue;
    // A part is above its plan, which has not ended, and is in its record.
    const planAt = state.stack.findIndex(({ flowId }) => flowId === flow.planId);
    if (!isOver(flow)) {
      expect(planAt).toBeGreaterThan(state.stack.indexOf(flow));
      expect(isOver(state.stack[planAt]!)).toBe(false);
    }
    if (planAt !== -1) {
      const book = state.plans.find(({ planId }) => planId === flow.planId);
      expect(book?.subFlows.map(({ flowId }) => flowId)).toContain(flow.flowId);
    }
  }
  checkBooks(state);
  expect(state.scratchpad.length).toBeLessThanOrEqual(64);
  for (const { flowId } of state.scratchpad)
    expect(state.scratchpad.filter((entry) => entry.flowId === flowId).length).toBeLessThanOrEqual(5);
}

/** Checks that the record of a plan matches its parts. */
function checkBooks(state: SessionState): void {
  for (const { planId, subFlows } of state.plans) {
    expect(state.stack.some(({ flowId }) => flowId === planId)).toBe(true);
    expect(new Set(subFlows.map(({ flowId }) => flowId)).size).toBe(subFlows.length);
    for (const sub of subFlows) {
      const flow = state.stack.find(({ flowId }) => flowId === sub.flowId);
      const expected = { Pending: 'pending', Active: 'in_progress', Completed: 'completed' } as const;
      if (flow !== undefined && flow.status !== 'Invalid') expect(sub.status).toBe(expected[flow.status]);
    }
  }
}

/** Checks that ended flows do not change. */
function checkEnds(before: SessionState, after: SessionState): void {
  for (const flow of before.stack.filter(isOver)) {
    const now = after.stack.find(({ flowId }) => flowId === flow.flowId);
    if (now !== undefined) expect([now.status, now.result]).toEqual([flow.status, flow.result]);
  }
}

function play(list: readonly Choice[], afterEach: (session: TestSession, before: SessionState) => void): TestSession {
  const session = new TestSession();
  session.add({ type: 'session:start', catalogue: { path: 'x', hash: 'h', name: 'Desk' } });
  for (const [at, which, other] of list) {
    const before = session.state;
    const frozen = JSON.stringify(before);
    const outcome = (operations[at] ?? proceed)(session, which, other);
    expect(JSON.stringify(before)).toBe(frozen);
    if ('events' in outcome) session.take(outcome);
    else expect(outcome.refused.message).toMatch(/^[A-Z0-9"a-z].*[.?]$/s);
    afterEach(session, before);
  }
  return session;
}

function facts({ seq: _, flowCount: __, noteCount: ___, ...rest }: SessionState): object {
  return rest;
}

const rounds = { numRuns: testRounds(80) };

describe('any operations in any order', () => {
  test('FS-21 leave at most one flow Active, on top; ended flows stay ended, and plans are complete', () => {
    let activated = 0;
    let replanned = 0;
    fc.assert(
      fc.property(choices, (list) => {
        const { log } = play(list, ({ state }, before) => {
          checkState(state);
          checkEnds(before, state);
        });
        activated += log.filter(({ event }) => event.type === 'stack:activate').length;
        replanned += log.filter(({ event }) => event.type === 'plan:replan').length;
      }),
      rounds,
    );
    // Not all activations were refused.
    expect(activated).toBeGreaterThan(rounds.numRuns);
    expect(replanned).toBeGreaterThan(rounds.numRuns / 8);
  });

  test('give a state that is unchanged when serialized and parsed, and when its log is folded', () => {
    fc.assert(
      fc.property(choices, fc.nat(100), (list, at) => {
        const session = play(list, ({ state }) => expect(readSession(sessionText(state))).toEqual(state));
        expect(sessionOf(session.log)).toEqual(session.state);
        const middle = sessionOf(session.log.slice(0, at));
        expect(sessionOf(session.log, middle)).toEqual(session.state);
      }),
      rounds,
    );
  });

  test('can be rolled back to the state before the turn, plus messages sent in the meantime', () => {
    let tried = 0;
    fc.assert(
      fc.property(choices, choices, choices, (before, within, behind) => {
        const session = play(before, () => undefined);
        if (session.state.turn !== null)
          session.take(endTurn(session.state, { reply: '', keepGoingRounds: 0, outcome: 'done' }));
        // Handles all waiting messages, so that the turn takes its own message.
        while (session.state.queue.length > 0) whole(session, []);
        const start = session.state;
        const turnId = `t${session.log.length + 1}`;
        whole(session, within);
        whole(session, behind);
        const request = { turnId, base: emptySession, log: session.log, effects: [] };
        session.take(rollBack(session.state, request));
        expect(facts(session.state)).toEqual(facts(start));
        expect(sessionOf(session.log)).toEqual(session.state);
        expect(session.state.flowCount).toBeGreaterThanOrEqual(start.flowCount);
        tried++;
      }),
      rounds,
    );
    expect(tried).toBe(rounds.numRuns);
  });
});

/** Runs a whole turn with some operations, none of which concern turns and messages. */
function whole(session: TestSession, list: readonly Choice[]): void {
  if (session.state.queue.length === 0)
    session.take(receiveMessage(session.state, { messageId: `w${session.log.length}`, text: 'x' }));
  session.take(beginTurn(session.state, `t${session.log.length}`));
  for (const [at, which, other] of list) {
    const operation = operations[at] ?? proceed;
    if (turnOperations.includes(operation)) continue;
    const outcome = operation(session, which, other);
    if ('events' in outcome) session.take(outcome);
  }
  session.take(endTurn(session.state, { reply: 'ok', keepGoingRounds: 0, outcome: 'done' }));
}
