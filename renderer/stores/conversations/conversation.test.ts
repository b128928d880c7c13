import { expect, test } from 'vitest';
import { asSessionId, type SessionEnvelope, type SessionEvent, type SessionView } from '../../../engine/isomorphic.ts';
import {
  lastRollback,
  newConversation,
  rejectedSlots,
  runsByTurn,
  withEvents,
  withOlder,
  withView,
} from './conversation.ts';

const sessionId = asSessionId('s1');

function log(...events: readonly (SessionEvent | readonly [turnId: string, event: SessionEvent])[]): SessionEnvelope[] {
  return events.map((entry, seq) => {
    const [turnId, event] = 'type' in entry ? [undefined, entry] : entry;
    return { seq, at: seq, sessionId, event, ...(turnId === undefined ? {} : { turnId }) };
  });
}

function viewAt(seq: number, messages: readonly number[] = []): SessionView {
  const base = { sessionId, seq, lastSeq: seq, catalogue: null, isCatalogueChanged: false, turnId: null, turnCount: 0 };
  const nothing = {
    queue: [],
    stack: [],
    background: [],
    plans: [],
    prediction: null,
    ambiguity: null,
    scratchpad: [],
  };
  const said = messages.map((at) => ({ seq: at, at, from: 'user' as const, text: `m${at}` }));
  return { ...base, ...nothing, messages: said, summary: '', hasIssues: false };
}

const push = (flowId: string, flowName: string): SessionEvent => ({
  ...{ type: 'stack:push', flowId, flowName, intent: 'Read', metadata: {}, planId: null, stackedOn: null },
  ...{ fallbackFrom: [], by: 'user', isUncertain: false, position: 0, depth: 1 },
});

test('a newer view keeps earlier messages, and an older view changes nothing', () => {
  const first = withView(newConversation(viewAt(0)), viewAt(5, [1, 3]));
  const newer = withView(withOlder(first, []), viewAt(9, [3, 7]));
  expect(newer.messages.map(({ seq }) => seq)).toEqual([1, 3, 7]);
  expect(newer.hasAllMessages).toBe(true);
  expect(withView(newer, viewAt(8))).toBe(newer);
});

test('events are applied once, and the final reply replaces its draft', () => {
  const events = log({ type: 'turn:start', turnId: 't', messageId: 'm' }, [
    't',
    { type: 'message', from: 'assistant', text: 'Hi' },
  ]);
  const begun = { ...withEvents(newConversation(viewAt(0)), events.slice(0, 1)), draft: { turnId: 't', text: 'H' } };
  const said = withEvents(begun, events);
  expect(said.events).toHaveLength(2);
  expect(said.draft).toBeNull();
  expect(withEvents(said, events)).toBe(said);
});

test('runs belong to the turn that started them, with their outcome, and housekeeping is omitted', () => {
  const events = log(
    ['t1', push('f1', 'find')],
    ['t1', { type: 'flow:run', flowId: 'f1', runId: 'r0' }],
    ['t1', { type: 'flow:run', flowId: 'f1', runId: 'r1' }],
    ['t2', { type: 'stack:complete', flowId: 'f1', result: null }],
    ['t2', push('f2', 'refund')],
    ['t2', { type: 'flow:run', flowId: 'f2', runId: 'r2' }],
    ['t2', { type: 'flow:run', flowId: 'f9', runId: 'r9' }],
  );
  const runs = runsByTurn(events);
  expect(runs.get('t1')).toEqual([{ flowId: 'f1', flowName: 'find', runId: 'r1', outcome: 'completed' }]);
  expect(runs.get('t2')).toEqual([{ flowId: 'f2', flowName: 'refund', runId: 'r2', outcome: 'open' }]);
});

test('a rejected slot value is reported until the slot is filled', () => {
  const events = log(
    { type: 'slot:rejected', flowId: 'f1', slot: 'amount', problem: 'must be a number.' },
    { type: 'slot:rejected', flowId: 'f1', slot: 'reason', problem: 'must be one of a, b.' },
    { type: 'slot:rejected', flowId: 'f2', slot: 'amount', problem: 'is too long.' },
    { type: 'slot:filled', flowId: 'f1', slot: 'reason', value: 'a', system: 1 },
  );
  expect(rejectedSlots(events, 'f1')).toEqual({ amount: 'must be a number.' });
});

test('messages of rolled back turns are removed, and remaining effects are known until the next message', () => {
  const effects = [{ runId: 'r1', tool: 'pay', target: '12 to Ada' }];
  const rolledBack = { type: 'turn:rolledback', turnIds: ['t1', 't2'], state: {} as never, effects } as const;
  const events = log({ type: 'turn:start', turnId: 't1', messageId: 'm' }, rolledBack);
  const said = (seq: number, turnId?: string) => ({
    ...{ seq, at: seq, from: 'user' as const, text: 'x', ...(turnId === undefined ? {} : { turnId }) },
  });
  const before = { ...newConversation(viewAt(0)), messages: [said(1, 't0'), said(2, 't1'), said(3, 't2'), said(4)] };
  expect(withEvents(before, events).messages.map(({ seq }) => seq)).toEqual([1, 4]);
  expect(lastRollback(events)?.effects).toEqual(effects);
  expect(lastRollback(log(rolledBack, { type: 'turn:start', turnId: 't3', messageId: 'n' }))).toBeUndefined();
});

type Log = Parameters<typeof runsByTurn>[0];

const logOf = (facts: readonly (readonly [turnId: string, event: object])[]): Log =>
  facts.map(([turnId, event], seq) => ({ seq, at: 0, turnId, event })) as unknown as Log;

test.each([
  ['abandon', 'cancelled'],
  ['prune', 'cancelled'],
  ['failure', 'invalid'],
  ['fallback', 'invalid'],
] as const)(
  '13.12 a run replaced by a correction differs from the latest one, which ended by %s',
  (reason, outcome) => {
    const facts = [
      ['a', { type: 'stack:push', flowId: 'f', flowName: 'refund' }],
      ['a', { type: 'flow:run', flowId: 'f', runId: 'r1' }],
      ['a', { type: 'flow:waits', flowId: 'f', for: 'approval' }],
      ['b', { type: 'flow:stopped', flowId: 'f', runId: 'r1', reason: 'corrected' }],
      ['b', { type: 'flow:run', flowId: 'f', runId: 'r2' }],
      ['b', { type: 'flow:waits', flowId: 'f', for: 'approval' }],
      ['c', { type: 'stack:invalidate', flowId: 'f', reason }],
    ] as const;
    expect([...runsByTurn(logOf(facts))].map(([turnId, [run]]) => [turnId, run?.outcome])).toEqual([
      ['a', 'replaced'],
      ['b', outcome],
    ]);
  },
);

test('a flow that could not run is shown as failed, although it is abandoned', () => {
  const facts = [
    ['a', { type: 'stack:push', flowId: 'f', flowName: 'refund' }],
    ['a', { type: 'flow:run', flowId: 'f', runId: 'r1' }],
    ['a', { type: 'flow:progress', flowId: 'f', metadata: { refused: 'It is not allowed.' } }],
    ['a', { type: 'stack:invalidate', flowId: 'f', reason: 'abandon' }],
  ] as const;
  expect(runsByTurn(logOf(facts)).get('a')?.[0]?.outcome).toBe('invalid');
});
