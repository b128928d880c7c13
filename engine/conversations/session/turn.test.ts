import { describe, expect, test } from 'vitest';
import { declareAmbiguity } from '../meaning/ambiguity.ts';
import { plainReply, replyQuestion, summaryQuestion } from '../meaning/reply-prompt.ts';
import { completeFlow, popFinished, requestFlow } from './flow-stack.ts';
import { mergeNotes, useNotes } from './scratchpad.ts';
import { dialogueState } from './session-state.ts';
import { readSkillResult, skillResultSchema } from './skill-result.ts';
import { desk, refusalOf, TestSession } from './testing/test-session.ts';
import { beginTurn, endTurn, goesOn, policyObstacle, receiveMessage, startSession } from './turn.ts';

const version = { path: 'desk.dialogue.yaml', hash: 'h', name: 'Desk' };

function begun(): TestSession {
  const session = new TestSession();
  session.take(startSession(session.state, version));
  return session;
}

function say(session: TestSession, messageId: string, text = 'hello'): void {
  session.take(receiveMessage(session.state, { messageId, text }));
}

describe('turns', () => {
  test('are taken one at a time, for the oldest message, while others wait', () => {
    const session = begun();
    say(session, 'm1', 'one');
    say(session, 'm2', 'two');
    session.take(beginTurn(session.state, 't1'));
    expect(session.state.turn).toMatchObject({ turnId: 't1', message: { messageId: 'm1' } });
    expect(refusalOf(beginTurn(session.state, 't2'))).toBe('turn.open');
    session.take(endTurn(session.state, { reply: 'yes', keepGoingRounds: 2, outcome: 'done' }));
    expect(session.log.slice(-2).map(({ event }) => event)).toEqual([
      { type: 'message', from: 'assistant', text: 'yes' },
      { type: 'turn:end', turnId: 't1', keepGoingRounds: 2, outcome: 'done' },
    ]);
    session.take(beginTurn(session.state, 't2'));
    session.take(endTurn(session.state, { reply: '', keepGoingRounds: 0, outcome: 'cancelled' }));
    expect(refusalOf(beginTurn(session.state, 't3'))).toBe('turn.nothing-said');
    expect(refusalOf(endTurn(session.state, { reply: '', keepGoingRounds: 0, outcome: 'done' }))).toBe('turn.none');
    expect(session.state.messages.map(({ text }) => text)).toEqual(['one', 'yes', 'two']);
  });

  test('accept no message before the session starts, nor one that is empty, too long, a duplicate, or exceeds the limit', () => {
    const message = { messageId: 'm1', text: 'x' };
    expect(refusalOf(receiveMessage(new TestSession().state, message))).toBe('session.not-started');
    const session = begun();
    const receive = (more: object) => refusalOf(receiveMessage(session.state, { ...message, ...more }));
    expect(receive({ text: ' ' })).toBe('message.empty');
    expect(receive({ text: '', action: { flow: 'a' } })).toBeUndefined();
    expect(receive({ text: 'x'.repeat(100_001) })).toBe('message.too-long');
    for (let count = 1; count <= 100; count++) say(session, `m${count}`);
    expect(receive({})).toBe('message.duplicate');
    expect(receive({ messageId: 'm101' })).toBe('message.too-many');
    session.take(beginTurn(session.state, 't1'));
    expect(receive({})).toBe('message.duplicate');
    expect(refusalOf(startSession(session.state, version))).toBe('session.started');
  });

  test('run more rounds while something continues, up to the guard', () => {
    const session = begun();
    expect(goesOn(session.state, desk, 0)).toBe('no');
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    expect(goesOn(session.state, desk, 0)).toBe('no');
    session.add({ type: 'state:flags', keepGoing: true });
    expect([0, 19, 20].map((rounds) => goesOn(session.state, desk, rounds))).toEqual(['yes', 'yes', 'guard']);
    session.take(completeFlow(session.state, { flowId: 'f1', result: null }));
    session.add({ type: 'state:flags', keepGoing: true });
    expect(goesOn(session.state, desk, 0)).toBe('no');
  });

  test("run no policy without its flow and the flow's required slots", () => {
    const session = begun();
    expect(policyObstacle(session.state, desk)).toEqual({ code: 'no-flow' });
    session.take(requestFlow(session.state, desk, { flowName: 'browse', by: 'user' }));
    expect(policyObstacle(session.state, desk)).toEqual({ code: 'slots-missing' });
    session.take(requestFlow(session.state, desk, { flowName: 'browse', slots: { number: 1 }, by: 'user' }));
    expect(policyObstacle(session.state, desk)).toBeUndefined();
    expect(policyObstacle(session.state, { ...desk, flows: new Map() })).toEqual({ code: 'unknown-type' });
  });

  test('emit events with the standard names of the field', () => {
    const session = begun();
    say(session, 'm1');
    session.take(beginTurn(session.state, 't1'));
    const prediction = { mode: 'think', text: 'hello', intent: 'Read', flow: 'a', confidence: 0.7, slots: {} } as const;
    session.add({ type: 'nlu:predicted', ...prediction, candidates: [{ flow: 'a', score: 0.7 }] });
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    session.add({ type: 'state:flags', hasIssues: true });
    expect(dialogueState(session.state)).toEqual({
      ...{
        pred_intent: 'Read',
        pred_flow: 'a',
        confidence: 0.7,
        pred_flows: [{ flow: 'a', score: 0.7 }],
        turn_count: 1,
      },
      ...{ keep_going: false, has_issues: true, has_plan: false, natural_birth: true },
      flow_stack: [{ flowId: 'f1', flowName: 'a', status: 'Active', planId: null }],
    });
    expect(session.flow('a').turnIds).toEqual(['t1']);
  });
});

describe('the reply', () => {
  function answered(result: Parameters<typeof readSkillResult>[0]): TestSession {
    const session = begun();
    say(session, 'm1');
    session.take(beginTurn(session.state, 't1'));
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    session.take(completeFlow(session.state, { flowId: 'f1', result, entries: ['Found two.'] }));
    session.take(popFinished(session.state));
    return session;
  }

  test('is made from what has ended, and contains the same without a model', () => {
    const session = answered({ summary: 'Two orders.' });
    expect(plainReply(session.state)).toBe('Two orders.');
    expect(plainReply(answered(null).state)).toBe('A: done.');
    expect(plainReply(answered({ count: 2 }).state)).toBe('A: {"count":2}');
    const { messages } = replyQuestion(session.state, desk);
    expect(messages[1]?.content).toContain('- a (Completed): {"summary":"Two orders."}');
    expect(messages[1]?.content).toContain('- a: Found two.');
    expect(summaryQuestion(session.state).messages[1]?.content).toContain('Person: hello');
  });

  test('asks the open question after what has ended, and reports failures', () => {
    const session = answered('ok');
    session.take(
      declareAmbiguity(session.state, { level: 'partial', flowId: null, metadata: { missing_entity: 'order' } }),
    );
    expect(plainReply(session.state)).toBe('ok\nWhich order do you mean?');
    expect(replyQuestion(session.state, desk).messages[1]?.content).toContain(
      'Open question: Which order do you mean?',
    );
    const failed = begun();
    failed.add({ type: 'state:flags', hasIssues: true });
    expect(plainReply(failed.state)).toContain('did not work');
    expect(plainReply(begun().state)).toBe('Done.');
  });
});

describe('the output of a policy', () => {
  test.each([
    [
      { outcome: 'success', data: 1, scratchpad_entries: ['a', 2] },
      { outcome: 'success', data: 1, entries: ['a'] },
    ],
    [
      { outcome: 'failure', error_category: 'timeout', message: 'm' },
      { outcome: 'failure', category: 'timeout', message: 'm', partialData: null },
    ],
    [
      { outcome: 'uncertain', reason: 'r', context: { a: 1 } },
      { outcome: 'uncertain', reason: 'r', context: { a: 1 } },
    ],
    [
      { outcome: 'uncertain', stack_on: { flow: 'a', slots: { x: 1 } } },
      {
        outcome: 'uncertain',
        reason: 'The next step is not clear.',
        context: {},
        stackOn: { flowName: 'a', slots: { x: 1 } },
      },
    ],
    ['text', { outcome: 'success', data: 'text', entries: [] }],
    [{ outcome: 'failure' }, { outcome: 'success', data: { outcome: 'failure' }, entries: [] }],
    [{ outcome: 'success' }, { outcome: 'success', data: { outcome: 'success' }, entries: [] }],
  ])('%j is parsed as an outcome', (output, expected) => {
    expect(readSkillResult(output)).toEqual(expected);
  });

  test('is requested with the schema of the flow', () => {
    expect(skillResultSchema({ type: 'string' })).toMatchObject({ properties: { data: { type: 'string' } } });
  });
});

describe('the scratchpad', () => {
  test('keeps 64 notes, and removes the least recently used one first', () => {
    const session = begun();
    const write = (text: string, flowId: string) =>
      session.add({ type: 'scratchpad:write', flowId, flowName: 'a', entries: [{ id: text, text }], replaces: [] });
    for (let count = 1; count <= 64; count++) write(`n${count}`, `f${count}`);
    session.take(useNotes(session.state, ['n1', 'nobody']));
    write('n65', 'f65');
    write('n3', 'f66');
    write('n66', 'f67');
    const texts = session.state.scratchpad.map(({ text }) => text);
    expect(texts).toHaveLength(64);
    expect(texts).not.toContain('n2');
    expect(texts.slice(-4)).toEqual(['n1', 'n65', 'n3', 'n66']);
    expect(texts[0]).toBe('n5');
    expect(useNotes(session.state, ['nobody'])).toEqual({ events: [] });
  });

  test('accepts five sentences of a flow, without duplicates, each on one line', () => {
    const session = begun();
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    const entries = ['one', ' one ', '', 'two\nlines', '3', '4', '5', '6'];
    session.take(completeFlow(session.state, { flowId: 'f1', result: null, entries }));
    expect(session.state.scratchpad.map(({ text }) => text)).toEqual(['one', 'two lines', '3', '4', '5']);
    expect(session.state.scratchpad.map(({ id }) => id)).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
  });

  test('can only be condensed with an up-to-date view', () => {
    const session = begun();
    session.add({
      type: 'scratchpad:write',
      flowId: 'f1',
      flowName: 'a',
      entries: [{ id: 'n1', text: 'x' }],
      replaces: [],
    });
    const flow = { flowId: 'f2', flowName: 'b' };
    const merge = () => mergeNotes(session.state, { flow, replaces: ['n1'], texts: ['y'] });
    session.take(merge());
    expect(session.state.scratchpad).toEqual([{ id: 'n2', text: 'y', ...flow }]);
    expect(refusalOf(merge())).toBe('scratchpad.stale');
  });
});
