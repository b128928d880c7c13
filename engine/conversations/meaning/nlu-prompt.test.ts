import { describe, expect, test } from 'vitest';
import { requestFlow } from '../session/flow-stack.ts';
import { emptySession, type Prediction } from '../session/session-state.ts';
import { desk, refusalOf, TestSession, typeOf } from '../session/testing/test-session.ts';
import {
  ambiguityLevels,
  declareAmbiguity,
  hasRecourse,
  isEscalationDue,
  missingSlotAmbiguity,
  questionOf,
  resolveAmbiguity,
} from './ambiguity.ts';
import { doubtAbout, nluQuestion, predictableFlows, react, readPrediction } from './nlu-prompt.ts';
import { parseNluScript, predictByScript } from './scripted-nlu.ts';

const think = { mode: 'think', text: 'find AB-12' } as const;
const sure: Prediction = {
  ...{ ...think, intent: 'Read', flow: 'find', confidence: 0.9 },
  ...{ candidates: [{ flow: 'find', score: 0.9 }], slots: {} },
};

describe('the prediction of a flow', () => {
  test('is requested with descriptions, examples and slots, and without Internal flows', () => {
    const { messages, schema } = nluQuestion(emptySession, desk, think);
    expect(messages[0]?.content).toContain('- a [Read]: Does a. For example: "do a".');
    expect(messages[0]?.content).toContain('number (order_id, elective)');
    expect(messages[0]?.content).not.toContain('index');
    expect(JSON.stringify(schema)).not.toContain('summary');
    expect(messages[1]?.content).toContain('Last message: find AB-12');
    expect(predictableFlows(desk).map(({ name }) => name)).not.toContain('sort');
  });

  test('is requested again without flows that were tried', () => {
    const again = { mode: 'contemplate', text: 'find AB-12', exclude: ['find'] } as const;
    const { messages, schema } = nluQuestion(emptySession, desk, again);
    expect(messages[0]?.content).toContain('not what the user means: find.');
    expect(messages[0]?.content).not.toContain('- find');
    expect(JSON.stringify(schema)).not.toContain('"find"');
    expect(readPrediction({ flow: 'find', confidence: 1 }, desk, again)).toHaveProperty('problem');
  });

  test('keeps the three best flows, each once, including the chosen one, and the intent of the flow', () => {
    const candidates = [
      { flow: 'a', score: 0.2 },
      { flow: 'find', score: 0.1 },
      { flow: 'b', score: 3 },
      { flow: 'nobody', score: 1 },
      { flow: 'c', score: 0.3 },
    ];
    const read = readPrediction(
      { intent: 'Change', flow: 'find', confidence: 0.8, candidates, slots: { number: 1 } },
      desk,
      think,
    );
    expect(read).toEqual({
      value: {
        ...{ mode: 'think', text: 'find AB-12', intent: 'Read', flow: 'find', confidence: 0.8, slots: { number: 1 } },
        candidates: [
          { flow: 'b', score: 1 },
          { flow: 'find', score: 0.8 },
          { flow: 'c', score: 0.3 },
        ],
      },
    });
  });

  test('is rejected if it is prose or names an unknown or Internal flow', () => {
    for (const answer of ['find', [], { flow: 'index', confidence: 1 }, { flow: 7 }])
      expect(readPrediction(answer, desk, think)).toHaveProperty('problem');
    expect(readPrediction({ flow: 'fnd', confidence: 1 }, desk, think)).toEqual({
      problem: 'Flow "fnd" does not exist. Did you mean "find"?',
    });
  });

  test.each([
    [{}, undefined],
    [{ confidence: 0.64 }, undefined],
    [{ confidence: 0.63 }, 'confirmation'],
    [{ confidence: 0.32 }, 'confirmation'],
    [{ confidence: 0.31 }, 'general'],
    [{ flow: null, confidence: 0 }, 'partial'],
    [{ flow: null, intent: null, confidence: 0 }, 'general'],
  ])('that is %j is unclear as %s', (more, level) => {
    expect(doubtAbout({ ...sure, ...more }, desk)?.level).toBe(level);
  });

  test('needs no model for the data of a form', () => {
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'find', by: 'user' }));
    const of = (action: object) => react(session.state, desk, { text: '', action });
    expect(of({ flow: 'a', slots: { x: 1 } })).toMatchObject({
      mode: 'react',
      flow: 'a',
      intent: 'Read',
      confidence: 1,
      slots: { x: 1 },
    });
    expect(of({ flowId: 'f1' })).toMatchObject({ flow: 'find' });
    expect(of({ flow: 'index' })).toBeUndefined();
    expect(of({})).toBeUndefined();
  });
});

describe('a script', () => {
  const text = `
- { match: "refund", flow: browse, confidence: 0.7 }
- match: "find|search"
  flow: find
  slots: { number: { word: "[A-Z]{2}-\\\\d+" }, source: inbox }
- { match: "read", intent: Read }
`;
  const script = parseNluScript(text).script!;
  const predict = (said: string, exclude: readonly string[] = []) =>
    predictByScript(script, desk, { ...think, text: said, exclude });

  test('predicts with the first matching pattern, and the others are candidates', () => {
    expect(predict('find the refund for "AB-12".')).toEqual({
      ...{
        mode: 'think',
        text: 'find the refund for "AB-12".',
        intent: 'Read',
        flow: 'browse',
        confidence: 0.7,
        slots: {},
      },
      candidates: [
        { flow: 'find', score: 1 },
        { flow: 'browse', score: 0.7 },
      ],
    });
  });

  test('reads words from the message, and returns the intent if it does not know a flow', () => {
    expect(predict('search (AB-12), please')).toMatchObject({
      flow: 'find',
      slots: { number: 'AB-12', source: 'inbox' },
    });
    expect(predict('search please').slots).toEqual({ source: 'inbox' });
    expect(predict('read')).toMatchObject({ flow: null, intent: 'Read', confidence: 0 });
    expect(predict('hello')).toMatchObject({ flow: null, intent: null, candidates: [] });
    expect(predict('find a refund', ['browse'])).toMatchObject({ flow: 'find' });
  });

  test.each([
    ['', 'yaml.empty'],
    ['a: 1', 'The script must be a list, not a map.'],
    ['- { match: "(", flow: a }', 'The pattern "("'],
    ['- { flow: a }', 'match of entry 1 is missing.'],
    ['- { match: a, flwo: a }', 'flwo of entry 1 is not allowed here.'],
    ['- { match: a, flow: a, confidence: 2 }', 'confidence of entry 1 must be at most 1.'],
    ['- { match: a, flow: a, slots: { x: { word: "[" } } }', 'The pattern "["'],
  ])('%# that is invalid is not used, and the reason is reported', (wrong, words) => {
    const parsed = parseNluScript(wrong);
    expect(parsed.script).toBeNull();
    expect(parsed.diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n')).toContain(words);
  });
});

describe('ambiguities', () => {
  test('have one of four levels, replace earlier ones, and are counted', () => {
    const session = new TestSession();
    for (const level of ambiguityLevels) session.take(declareAmbiguity(session.state, { level, flowId: null }));
    session.take(declareAmbiguity(session.state, { level: 'general', flowId: null, observation: 'What?' }));
    expect(session.state.ambiguity).toEqual({ level: 'general', flowId: null, metadata: {}, observation: 'What?' });
    session.take(resolveAmbiguity(session.state, 'person'));
    expect(session.state.ambiguity).toBeNull();
    expect(session.state.ambiguityCounts).toEqual({ general: 2, partial: 1, specific: 1, confirmation: 1 });
    expect(resolveAmbiguity(session.state, 'person')).toEqual({ events: [] });
    expect(refusalOf(declareAmbiguity(session.state, { level: 'vague' as never, flowId: null }))).toBe(
      'ambiguity.bad-level',
    );
  });

  test('are worded by their level', () => {
    const asked = (level: 'general' | 'partial' | 'specific' | 'confirmation', metadata = {}) =>
      questionOf({ level, flowId: null, metadata, observation: '' });
    expect(asked('general')).toBe("I'm not sure what you would like me to do. Could you rephrase that?");
    expect(asked('partial', { missing_entity: 'order' })).toBe('Which order do you mean?');
    expect(asked('specific', { missing_slot: 'order_id', reason: 'none such' })).toBe('Which order id? (none such)');
    expect(asked('confirmation', { candidate: 'find_order' })).toBe('Do you mean find order?');
    expect(questionOf({ level: 'general', flowId: null, metadata: {}, observation: 'Hm?' })).toBe('Hm?');
  });

  test('name the missing slot', () => {
    const flow = typeOf('find');
    const missing = [...flow.slots.values()].slice(0, 2);
    expect(missingSlotAmbiguity('f1', missing)).toEqual({
      ...{ level: 'specific', flowId: 'f1', observation: '' },
      metadata: {
        ...{ missing_slot: 'source', missing_slots: ['source', 'period'], type: 'source' },
        question: 'Which source?',
      },
    });
    expect(missingSlotAmbiguity('f1', [])).toBeUndefined();
  });

  test('are not repeated forever, and an unknown meaning leaves no alternative', () => {
    const session = new TestSession();
    session.take(declareAmbiguity(session.state, { level: 'specific', flowId: null }));
    const due: boolean[] = [];
    for (let turn = 1; turn <= 3; turn++) {
      session.add({ type: 'turn:end', turnId: `t${turn}`, keepGoingRounds: 0, outcome: 'done' });
      due.push(isEscalationDue(session.state, desk));
    }
    expect(due).toEqual([false, false, true]);
    session.take(resolveAmbiguity(session.state, 'person'));
    expect(isEscalationDue(session.state, desk)).toBe(false);
    expect(ambiguityLevels.map((level) => hasRecourse({ level }))).toEqual([false, true, true, true]);
  });
});
