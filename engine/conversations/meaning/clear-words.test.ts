import { describe, expect, test } from 'vitest';
import type { SlotDef } from '../catalog/slot-types.ts';
import { fillSlots, requestFlow } from '../session/flow-stack.ts';
import { emptySession, type Prediction, type SessionState } from '../session/session-state.ts';
import { catalogueOf, TestSession } from '../session/testing/test-session.ts';
import { declareAmbiguity, missingSlotAmbiguity } from './ambiguity.ts';
import { clearWords, isQuestion } from './dialogue-act.ts';
import { interpretPrediction } from './meaning.ts';
import { parseNluScript, predictByScript } from './scripted-nlu.ts';
import { slotQuestion, takesYesOrNo } from './slot-question.ts';

describe('13.12 clear words', () => {
  test.each([
    ...[
      'cancel',
      'Cancel that.',
      'never mind',
      'Nevermind!',
      'never mind, cancel that',
      'forget it',
      'Forget about it',
    ],
    ...[
      'no, cancel that',
      'stop',
      'ok, cancel that please',
      'I changed my mind',
      "don't bother",
      'can you cancel it',
      'leave it',
    ],
    ...['please cancel this request', "I don't want it anymore", 'no longer needed', 'undo that'],
  ])('cancel the active task: %s', (text) => {
    expect(clearWords(text)).toMatchObject({ act: 'cancel', what: '', instead: '' });
  });

  test.each([
    'cancel everything',
    'Cancel all of it!',
    'forget everything',
    'start over',
    'no, stop all of this',
    'drop both',
  ])('cancel everything: %s', (text) => expect(clearWords(text)).toMatchObject({ act: 'cancel_all' }));

  test.each([
    ['cancel the refund', 'refund', ''],
    ["I don't want the refund anymore", 'refund', ''],
    ['never mind, find AB-12', '', 'find AB-12'],
    ['cancel that and find AB-12', '', 'find AB-12'],
    ['forget the refund, where is my order?', 'refund', 'where is my order'],
  ])('name what is canceled, and what is wanted instead: %s', (text, what, instead) => {
    expect(clearWords(text)).toEqual({ act: 'cancel', what, instead });
  });

  test.each([
    ...['yes', 'Yes please!', 'ok', 'sure, go ahead', "that's right", 'Yep', 'exactly'].map((text) => [text, 'agree']),
    ...['no', 'Nope, thanks', 'no thanks', "that's wrong", 'rather not', 'oh no', 'not really'].map((text) => [
      text,
      'decline',
    ]),
  ])('mean yes or no: %s', (text, act) => expect(clearWords(text)).toEqual({ act }));

  test.each([
    ['no, make it 20', '20', ''],
    ['No. Make it 20.', '20', ''],
    ['yes, but make it 20', '20', ''],
    ['yes but make it 20', '20', ''],
    ['could you change it to 20?', '20', ''],
    ['change the amount from 30 to 20', '20', 'amount'],
    ['the amount should be 20', '20', 'amount'],
    ['I meant CD-34', 'CD-34', ''],
    ['no, CD-34', 'CD-34', ''],
    ['no wait, CD-34', 'CD-34', ''],
    ['wait, no, 20', '20', ''],
    ['actually, CD-34', 'CD-34', ''],
    ['not AB-12 but CD-34', 'CD-34', ''],
    ['CD-34, not AB-12', 'CD-34', ''],
    ['no, not AB-12, CD-34', 'CD-34', ''],
    ['20, no, 30', '30', ''],
    ['20 instead of 30', '20', ''],
    ['make it 20 instead', '20', ''],
    ["that's not right, it's CD-34", 'CD-34', ''],
    ['hmm, rather 25', '25', ''],
  ])('correct a value: %s', (text, value, slot) => {
    expect(clearWords(text)).toMatchObject({ act: 'correct', value, slot });
  });

  test.each([
    ...[
      'AB-12',
      'refund CD-34',
      'what is the weather?',
      'I want a refund',
      'Yes, 20',
      'the second one',
      '',
      '20',
      'Ann Nope',
    ],
    ...['It was cold, never mind the price', 'my favorite stop is Oslo', `cancel ${'x'.repeat(300)}`],
  ])('are not found in other messages: %s', (text) =>
    expect(clearWords(text)?.act ?? '').not.toMatch(/cancel|agree|decline/),
  );

  test('are recognized in linear time for any message', () => {
    for (const text of ['no, '.repeat(50), 'not '.repeat(50), `${'a '.repeat(99)}`, 'cancel the '.repeat(18)])
      expect(() => clearWords(text)).not.toThrow();
  });

  test.each([
    ['why do you need that?', true],
    ['What is it?', true],
    ['AB-12?', false],
    ['really', false],
  ])('%s is a question: %s', (text, expected) => expect(isQuestion(text)).toBe(expected));
});

const catalogue = catalogueOf(`
name: Desk
intents: { Act: {} }
flows:
  - name: refund
    intent: Act
    description: Pays back.
    slots:
      number: { type: exact, priority: required }
      amount: { type: level, priority: required }
      gift: { type: base, priority: optional, question: "Is it a gift?" }
    policy: { skill: refund }
  - { name: cancel_booking, intent: Act, description: Cancels a booking., policy: { skill: undo } }
  - { name: find, intent: Act, description: Finds., policy: { skill: find } }
`);

/** Returns a state with a refund of AB-12 that asks for a slot, or waits for an approval if `asked` is null. */
function scene(asked: 'amount' | 'gift' | null): SessionState {
  const session = new TestSession();
  const { flowId } = session.take(
    requestFlow(session.state, catalogue, { flowName: 'refund', slots: { number: 'AB-12' }, by: 'user' }),
  );
  const slot = catalogue.flows.get('refund')?.slots.get(asked ?? '');
  if (slot === undefined) {
    session.take(fillSlots(session.state, catalogue, { flowId, labels: { amount: 30 } }));
    session.add({ type: 'flow:run', flowId, runId: 'r1' });
    session.add({ type: 'flow:waits', flowId, for: 'approval' });
  } else session.take(declareAmbiguity(session.state, missingSlotAmbiguity(flowId, [slot])!));
  return session.state;
}

const script = parseNluScript(`
- { match: "cancel my booking", flow: cancel_booking }
- { match: "[Rr]efund", flow: refund, slots: { number: { word: "[A-Z]{2}-\\\\d+" } } }
- { match: "[Ff]ind", flow: find }
`).script!;

function meant(text: string, state: SessionState) {
  const prediction: Prediction = predictByScript(script, catalogue, { mode: 'think', text });
  const { act, labels } = interpretPrediction(prediction, state, catalogue);
  return Object.keys(labels).length === 0 ? act : [act, labels];
}

describe('13.12 the meaning of a message without a model', () => {
  test.each<[text: string, asked: 'amount' | 'gift' | null, expected: unknown]>([
    ['20', 'amount', ['fill', { amount: '20' }]],
    ['no, 20', 'amount', ['fill', { amount: '20' }]],
    ['actually, CD-34', 'amount', ['correct', { number: 'CD-34' }]],
    ['the number is CD-34', 'amount', ['correct', { number: 'CD-34' }]],
    ['never mind, cancel that', 'amount', 'cancel'],
    ['cancel the refund', 'amount', 'cancel'],
    ['cancel my booking', 'amount', 'request'],
    ['yes', 'amount', 'agree'],
    ['no', 'amount', 'decline'],
    ['why do you need that?', 'amount', 'none'],
    ['yes', 'gift', ['fill', { gift: 'yes' }]],
    ['no', 'gift', ['fill', { gift: 'no' }]],
    ['cancel', 'gift', 'cancel'],
    ['no, make it 20', null, ['correct', { amount: '20' }]],
    ['yes, but make it 20', null, ['correct', { amount: '20' }]],
    ['make it 20 dollars', null, ['correct', { amount: '20' }]],
    ['I meant CD-34', null, ['correct', { number: 'CD-34' }]],
    ['change the number to X9', null, ['correct', { number: 'X9' }]],
    ['no, refund CD-34', null, ['correct', { number: 'CD-34' }]],
    ['refund CD-34', null, ['request', { number: 'CD-34' }]],
    ['yes', null, 'agree'],
    ['no', null, 'decline'],
    ['find it', null, 'request'],
    ['no, find it instead', null, 'request'],
    ['never mind, find it', null, 'request'],
    ['cancel everything', null, 'cancel_all'],
    ['blue', null, 'none'],
    ['no, I have told you that five times already', 'amount', 'none'],
  ])('%s, while %s is asked for: %j', (text, asked, expected) => {
    expect(meant(text, scene(asked))).toEqual(expected);
  });

  test('cancels nothing if nothing is active, and starts no flow because of the words', () => {
    expect(meant('cancel the refund', emptySession)).toBe('cancel');
    expect(meant('cancel my booking', emptySession)).toBe('request');
  });

  test('uses the act of a model, and corrected values override a yes', () => {
    const base: Prediction = {
      ...{ mode: 'think', text: 'ja, aber 20', intent: null, flow: null, confidence: 0.9, candidates: [], slots: {} },
    };
    const of = (more: Partial<Prediction>) => interpretPrediction({ ...base, ...more }, scene(null), catalogue).act;
    expect(of({ act: 'agree' })).toBe('agree');
    expect(of({ act: 'agree', slots: { amount: 20 } })).toBe('correct');
    expect(of({ act: 'none', flow: 'find' })).toBe('request');
    expect(of({ act: 'none', flow: 'refund' })).toBe('none');
    expect(of({ act: 'cancel', flow: 'refund' })).toBe('cancel');
  });
});

describe('13.12 the question for a slot', () => {
  const slot = (more: Partial<SlotDef>): SlotDef => ({
    ...{ name: 'order_no', typeName: 'exact', type: 'exact', params: {}, priority: 'required' },
    ...{ description: '', question: '', fallbackValue: undefined },
    ...more,
  });
  test.each<[Partial<SlotDef>, string]>([
    [{}, 'Which order number?'],
    [{ question: 'Which one?' }, 'Which one?'],
    [
      { description: 'Two letters and a number, such as AB-12.' },
      'Which order number? (Two letters and a number, such as AB-12)',
    ],
    [
      { name: 'amount', type: 'level', typeName: 'level', description: 'How much to pay back' },
      'How much to pay back?',
    ],
    [{ description: 'What is the number on the bill?' }, 'What is the number on the bill?'],
    [{ name: 'number', typeName: 'order_number' }, 'Which order number?'],
    [{ name: 'customerId' }, 'Which customer ID?'],
    [{ name: 'quarter', type: 'category', params: { options: ['Q1', 'Q2', 'Q3'] } }, 'Which quarter: Q1, Q2 or Q3?'],
    [{ name: 'guests', type: 'level' }, 'How many guests?'],
    [{ name: 'size', type: 'level' }, 'What size?'],
    [{ name: 'note', type: 'free_text' }, 'What should the note say?'],
    [{ name: 'period', type: 'range' }, 'Which period: from when to when, or for how long?'],
    [{ name: 'who' }, 'Who?'],
    [{ description: 'x'.repeat(500) }, 'Which order number?'],
  ])('%j is: %s', (more, question) => expect(slotQuestion(slot(more))).toBe(question));

  test('determines whether a plain yes or no can be the value', () => {
    const takes = (more: Partial<SlotDef>) => takesYesOrNo(slot(more));
    expect(takes({})).toBe(false);
    expect(takes({ question: 'Do you want gift wrap?' })).toBe(true);
    expect(takes({ type: 'category', params: { options: ['yes', 'no'] } })).toBe(true);
    expect(takes({ type: 'category', params: { options: ['red', 'blue'] } })).toBe(false);
  });
});
