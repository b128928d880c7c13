import { describe, expect, test } from 'vitest';
import { completeFlow, popFinished, requestFlow, stackOn } from './flow-stack.ts';
import { foldSession } from './fold-session.ts';
import { isSnapshotDue, rollBack, sessionOf, turnDiff } from './session-history.ts';
import { emptySession, readSession, type SessionState, sessionText } from './session-state.ts';
import { desk, refusalOf, TestSession } from './testing/test-session.ts';
import { beginTurn, endTurn, receiveMessage, startSession } from './turn.ts';

function begun(): TestSession {
  const session = new TestSession();
  session.take(startSession(session.state, { path: 'desk.dialogue.yaml', hash: 'h', name: 'Desk' }));
  return session;
}

/** Runs a whole turn that stacks a flow. */
function turn(session: TestSession, turnId: string, flowName = 'a'): void {
  session.take(receiveMessage(session.state, { messageId: `m-${turnId}`, text: `do ${flowName}` }));
  session.take(beginTurn(session.state, turnId));
  session.take(stackOn(session.state, desk, { flowName, by: 'user' }));
  session.take(endTurn(session.state, { reply: `did ${flowName}`, keepGoingRounds: 0, outcome: 'done' }));
}

/** Removes the counters, which always increase. */
function facts({ seq: _, flowCount: __, noteCount: ___, ...rest }: SessionState): object {
  return rest;
}

const nothing = { base: emptySession, effects: [] };

describe('a rollback', () => {
  test('restores the state before the turn, and names that turn and all later ones', () => {
    const session = begun();
    turn(session, 't1', 'a');
    const before = session.state;
    turn(session, 't2', 'b');
    turn(session, 't3', 'c');
    const effects = [{ runId: 'r1', tool: 'mail.send', target: 'boss@acme.test' }];
    const { events } = session.take(rollBack(session.state, { ...nothing, turnId: 't2', log: session.log, effects }));
    expect(facts(session.state)).toEqual(facts(before));
    expect(events).toMatchObject([{ type: 'turn:rolledback', turnIds: ['t2', 't3'], effects }]);
    expect(session.state.seq).toBe(session.log.length - 1);
  });

  test('never reuses an id', () => {
    const session = begun();
    turn(session, 't1');
    session.take(rollBack(session.state, { ...nothing, turnId: 't1', log: session.log }));
    turn(session, 't2');
    expect(session.state.stack.map(({ flowId }) => flowId)).toEqual(['f2']);
  });

  test('keeps messages that no turn has taken, and drops the one of the turn', () => {
    const session = begun();
    session.take(receiveMessage(session.state, { messageId: 'm1', text: 'one' }));
    session.take(beginTurn(session.state, 't1'));
    session.take(receiveMessage(session.state, { messageId: 'm2', text: 'two' }));
    session.take(endTurn(session.state, { reply: '', keepGoingRounds: 0, outcome: 'done' }));
    session.take(rollBack(session.state, { ...nothing, turnId: 't1', log: session.log }));
    expect(session.state.queue).toEqual([{ messageId: 'm2', text: 'two' }]);
  });

  test('can follow another one, from an empty session and from a snapshot', () => {
    const session = begun();
    turn(session, 't1', 'a');
    const snapshot = session.state;
    turn(session, 't2', 'b');
    const before = facts(session.state);
    turn(session, 't3', 'c');
    session.take(rollBack(session.state, { ...nothing, turnId: 't3', log: session.log }));
    expect(facts(session.state)).toEqual(before);
    turn(session, 't4', 'd');
    const log = session.log.filter(({ seq }) => seq > snapshot.seq);
    const fromSnapshot = rollBack(session.state, { turnId: 't4', base: snapshot, log, effects: [] });
    expect(fromSnapshot).toEqual(rollBack(session.state, { ...nothing, turnId: 't4', log: session.log }));
    session.take(fromSnapshot);
    expect(facts(session.state)).toEqual(before);
    session.take(rollBack(session.state, { ...nothing, turnId: 't2', log: session.log }));
    expect(facts(session.state)).toEqual(facts(snapshot));
    expect(sessionOf(session.log)).toEqual(session.state);
  });

  test('is refused while a turn is open, and for unknown turns', () => {
    const session = begun();
    turn(session, 't1');
    const back = (turnId: string) => refusalOf(rollBack(session.state, { ...nothing, turnId, log: session.log }));
    expect(back('t9')).toBe('turn.unknown');
    session.take(receiveMessage(session.state, { messageId: 'm2', text: 'x' }));
    session.take(beginTurn(session.state, 't2'));
    expect(back('t1')).toBe('turn.open');
    session.take(endTurn(session.state, { reply: '', keepGoingRounds: 0, outcome: 'done' }));
    session.take(rollBack(session.state, { ...nothing, turnId: 't1', log: session.log }));
    expect(back('t1')).toBe('turn.unknown');
    expect(back('t2')).toBe('turn.unknown');
  });
});

describe('the history of a session', () => {
  test('contains the difference made by each turn', () => {
    const session = begun();
    turn(session, 't1', 'a');
    turn(session, 't2', 'b');
    const types = turnDiff(session.log, 't2').map(({ event }) => event.type);
    expect(types).toEqual(['turn:start', 'stack:push', 'stack:cover', 'stack:activate', 'message', 'turn:end']);
  });

  test('has a snapshot after a turn in which more than one flow was completed, and every 50 turns', () => {
    const session = begun();
    const due: number[] = [];
    for (let number = 1; number <= 100; number++) {
      session.take(receiveMessage(session.state, { messageId: `m${number}`, text: 'x' }));
      session.take(beginTurn(session.state, `t${number}`));
      for (let done = 0; done < (number === 7 ? 2 : 1); done++) {
        const { flowId } = session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
        session.take(completeFlow(session.state, { flowId, result: null }));
        session.take(popFinished(session.state));
      }
      if (isSnapshotDue(session.state)) due.push(number);
      session.take(endTurn(session.state, { reply: 'ok', keepGoingRounds: 0, outcome: 'done' }));
      expect(isSnapshotDue(session.state)).toBe(false);
    }
    expect(due).toEqual([7, 50, 100]);
  });

  test('does not make the state larger after 1,000 turns than after 100', () => {
    const session = begun();
    let early = 0;
    for (let number = 1; number <= 1000; number++) {
      turn(session, `t${number}`);
      const [top] = session.state.stack;
      session.take(completeFlow(session.state, { flowId: top!.flowId, result: null, entries: [`note ${number}`] }));
      session.take(popFinished(session.state));
      if (number === 100) early = sessionText(session.state).length;
    }
    expect(sessionText(session.state).length).toBeLessThan(early * 1.1);
    expect(session.state.scratchpad).toHaveLength(64);
    expect(session.state.scratchpad[0]?.text).toBe('note 937');
  });

  test('skips events that were already applied, and events of a newer program', () => {
    const session = begun();
    turn(session, 't1');
    const again = session.log.reduce(foldSession, session.state);
    expect(again).toBe(session.state);
    const newer = { seq: session.log.length, event: { type: 'dance' } as never };
    expect(foldSession(session.state, newer)).toEqual({ ...session.state, seq: newer.seq });
    expect(foldSession(session.state, { seq: newer.seq, event: { type: 'toString' } as never }).stack).toBe(
      session.state.stack,
    );
  });

  test('is not read from a snapshot of an unknown version', () => {
    for (const text of ['', '{}', '[]', '{"version":2,"state":{}}', '{"version":1,"state":{"seq":1}}'])
      expect(readSession(text)).toBeUndefined();
  });
});
