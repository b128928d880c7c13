import { afterEach, describe, expect, test } from 'vitest';
import { asRunId } from '../../base/ids.ts';
import { flowOf, gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const files = {
  'desk.dialogue.yaml': `
nlu: { script: nlu.yaml }
intents: { Act: {} }
thresholds: { escalationTurns: 2 }
flows:
  - name: pay
    intent: Act
    description: Pays.
    slots: { amount: { type: level, priority: required } }
    policy: { flow: pay.flow.yaml }
  - name: note
    intent: Act
    description: Notes, then asks.
    slots: { amount: { type: level, priority: required } }
    policy: { flow: note.flow.yaml }
  - name: stubborn
    intent: Act
    description: Asks for a yes.
    policy: { flow: stubborn.flow.yaml }
`,
  'nlu.yaml': `
- { match: "pay", flow: pay, slots: { amount: { word: "\\\\d+" } } }
- { match: "note", flow: note, slots: { amount: { word: "\\\\d+" } } }
- { match: "stubborn", flow: stubborn }
`,
  'pay.flow.yaml': flowOf('Pay', '{ id: ok, type: human_approval, input: { title: "Pay {{flow.input.amount}}?" } }'),
  'note.flow.yaml': `flow: { name: Note }
nodes:
  - { id: write, type: file.write, input: { path: book.txt, text: "{{flow.input.amount}}" }, config: { mode: append } }
  - { id: ok, type: human_approval, input: { title: "Pay {{flow.input.amount}}?" } }
edges: [{ from: write, to: ok }]
`,
  'stubborn.flow.yaml': gives('Stubborn', '{ outcome: uncertain, reason: Two., context: { candidate: Ada } }'),
};

const asks = async (): Promise<readonly string[]> => (await desk.engine.listWaiting()).map(({ message }) => message);

describe('13.12 a correction of a value used by a waiting policy', () => {
  test('ends that run with the reason corrected and starts it again with the new value', async () => {
    desk = await TestDesk.open(files);
    await desk.say('pay 30');
    const reply = await desk.say('no, make it 20');
    expect(reply).toBe('Amount is now 20 instead of 30. Pay starts again.\nPay waits for an approval: Pay 20?');
    expect(await asks()).toEqual(['Pay 20?']);
    const [first, second] = await desk.events('flow:run');
    expect(await desk.events('flow:stopped')).toEqual([
      { type: 'flow:stopped', flowId: 'f1', runId: first?.runId, reason: 'corrected' },
    ]);
    const ended = asRunId(first?.runId ?? '');
    expect((await desk.engine.whenEnded(ended)).status).toBe('cancelled');
    expect((await desk.engine.readEvents(ended, -1, 5000)).at(-1)?.event).toMatchObject({
      type: 'run:end',
      reason: 'corrected',
    });
    expect(await desk.engine.getRun(ended)).toMatchObject({ status: 'cancelled', endReason: 'corrected' });
    expect(second?.flowId).toBe('f1');
    // Nothing from the old run reaches the conversation.
    await desk.rest();
    expect(await desk.events('turn:end')).toHaveLength(2);
  });

  test('works the same from a form and from a message', async () => {
    desk = await TestDesk.open(files);
    await desk.say('pay 30');
    const [{ flowId = '' } = {}] = (await desk.view()).stack;
    expect(await desk.say('', { flowId, slots: { amount: 25 } })).toContain('Pay 25?');
    expect(await desk.say('', { flow: 'pay', slots: { amount: 30 } })).toContain('Pay 25?');
    expect(await asks()).toEqual(['Pay 25?']);
    expect(await desk.stack()).toEqual(['pay:Active', 'pay:Pending']);
  });

  test('lists effects that cannot be undone and asks first: yes starts again, no keeps the value', async () => {
    desk = await TestDesk.open(files);
    await desk.say('note 30');
    const question = await desk.say('no, make it 20');
    expect(question).toBe(
      'Note (30) has already done this, and it is not undone: file.write (write). Amount is now 20: start note (30) again with that?',
    );
    expect(await asks()).toEqual(['Pay 30?']);
    expect(await desk.say('no')).toBe('All right, note (30) stays unchanged.\nNote waits for an approval: Pay 30?');
    await desk.say('make it 20');
    expect(await asks()).toEqual(['Pay 30?']);
    expect(await desk.say('yes')).toContain('Pay 20?');
    expect(await asks()).toEqual(['Pay 20?']);
  });

  test('is discarded with its question if the run has continued in the meantime', async () => {
    desk = await TestDesk.open(files);
    await desk.say('note 30');
    await desk.say('make it 20');
    const [{ runId } = {}] = await desk.engine.listWaiting();
    if (runId === undefined) throw new Error('nothing waits');
    await desk.engine.resumeRun({ runId, decision: 'approve' });
    await desk.engine.whenEnded(runId);
    await desk.settled('stack:pop', 1);
    expect((await desk.view()).ambiguity).toBeNull();
    expect(await desk.stack()).toEqual([]);
  });

  test('reports the effects of a canceled flow', async () => {
    desk = await TestDesk.open(files);
    await desk.say('note 30');
    expect(await desk.say('never mind')).toBe(
      'Note (30) is canceled. Already done and not undone: file.write (write).',
    );
    expect(await asks()).toEqual([]);
  });
});

describe('13.12 a confirmation requested by a policy', () => {
  test('fails if the policy asks again for what was confirmed', async () => {
    desk = await TestDesk.open(files);
    expect(await desk.say('stubborn')).toBe('Do you mean Ada?');
    expect(await desk.say('yes')).toContain('requests a value that was already confirmed');
    expect(await desk.stack()).toEqual([]);
  });

  test('is repeated as often as any question, then the flow is given up', async () => {
    desk = await TestDesk.open(files);
    await desk.say('stubborn');
    expect(await desk.say('blue')).toContain('Do you mean Ada?');
    expect(await desk.say('green')).toContain('stubborn is canceled');
    expect(await desk.stack()).toEqual([]);
  });
});

test('13.12 repeated misunderstandings are answered with a list of available flows', async () => {
  desk = await TestDesk.open(files);
  expect(await desk.say('blue')).toContain("I'm not sure");
  expect(await desk.say('green')).toContain("I'm not sure");
  expect(await desk.say('red')).toContain('You can ask for: pay, note, stubborn.');
  expect((await desk.view()).ambiguity).toBeNull();
});
