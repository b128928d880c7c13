import { afterEach, expect, test } from 'vitest';
import { flowOf, gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const files = {
  'desk.dialogue.yaml': `
model: scripted::model.yaml
nlu: { model: "scripted::model.yaml" }
intents: { Read: {} }
flows:
  - name: find
    intent: Read
    description: Finds an order.
    slots:
      number: { type: exact, priority: required }
      note: { type: exact, priority: optional }
    policy: { flow: find.flow.yaml }
`,
  'find.flow.yaml': gives('Find', '{ item: a lamp }'),
  'model.yaml': `
chunkChars: 4
replies:
  - { match: "Last message: where", reply: '{"intent":"Read","flow":"find","confidence":0.9,"candidates":[{"flow":"find","score":0.9}],"slots":{}}' }
  - { match: "Last message: AB", reply: 'So: {"intent":"Read","flow":"find","confidence":0.8,"slots":{"number":"AB-1"}}' }
  - { match: "Open question", reply: Which order is it about? }
  - { match: "Ended in this turn:(.|\\\\n)*lamp", reply: Your lamp is on its way. }
  - { match: "^Conversation", reply: '{"number":null,"note":null}' }
`,
};

test('a model predicts the meaning, is called once for missing slots, and words question and reply', async () => {
  desk = await TestDesk.open(files);
  const drafts: string[] = [];
  desk.engine.watchConversation(desk.sessionId, (notice) => {
    if (notice.type === 'draft') drafts.push(notice.text);
  });
  expect(await desk.say('where is it')).toBe('Which order is it about?');
  expect((await desk.events('step:result')).map(({ key }) => key)).toEqual(['think', 'slots', 'reply']);
  // Each draft contains the whole text so far.
  expect(drafts.length).toBeGreaterThan(2);
  expect(drafts.at(-1)).toBe('Which order is it about?');
  expect('Which order is it about?'.startsWith(drafts[0] ?? '?')).toBe(true);
  expect(await desk.say('AB-1')).toBe('Your lamp is on its way.');
  expect(await desk.events('slot:filled')).toMatchObject([{ slot: 'number', value: 'AB-1', system: 1 }]);
  expect((await desk.view()).ambiguity).toBeNull();
  // The event contains the prompt, the cost as far as known, and the model.
  const [first] = await desk.events('step:result');
  expect(first?.result).toMatchObject({ model: 'scripted::model.yaml', value: { flow: 'find' } });
});

test('fills only empty slots from earlier messages of the conversation', async () => {
  const model = files['model.yaml'].replace('{"number":null,"note":null}', '{"number":"CD-2","note":null}');
  desk = await TestDesk.open({ ...files, 'model.yaml': model });
  expect(await desk.say('where is it')).toBe('Your lamp is on its way.');
  expect(await desk.events('slot:filled')).toMatchObject([{ slot: 'number', value: 'CD-2', system: 2 }]);
});

const act = (more: string): string => `'{"intent":null,"flow":null,"confidence":0.9,"slots":{},${more}}'`;
const acting = {
  'desk.dialogue.yaml': `
model: scripted::model.yaml
nlu: { model: "scripted::model.yaml" }
intents: { Act: {} }
flows:
  - name: pay
    intent: Act
    description: Pays.
    slots: { amount: { type: level, priority: required } }
    policy: { flow: pay.flow.yaml }
  - { name: fees, intent: Act, description: Tells the fees., aside: true, policy: { flow: fees.flow.yaml } }
`,
  'pay.flow.yaml': flowOf('Pay', '{ id: ok, type: human_approval, input: { title: "Pay {{flow.input.amount}}?" } }'),
  'fees.flow.yaml': gives('Fees', '{ reply: No fees }'),
  'model.yaml': `
replies:
  - { match: "Last message: zahl 30", reply: '{"intent":"Act","flow":"pay","confidence":0.9,"slots":{"amount":30},"act":"request"}' }
  - { match: "amount.:30(.|\\\\n)*waits for approval(.|\\\\n)*Last message: ja, aber 20", reply: ${act('"act":"correct","slots":{"amount":20}')} }
  - { match: "Last message: was kostet", reply: '{"intent":"Act","flow":"fees","confidence":0.9,"slots":{},"act":"aside"}' }
  - { match: "Last message: ja", reply: ${act('"act":"agree"')} }
  - { match: "Last message: lass es", reply: ${act('"act":"cancel"')} }
  - { match: "Last message: vielleicht", reply: '{"intent":null,"flow":null,"confidence":0.2,"slots":{},"act":"cancel"}' }
  - { match: "Last message: never mind", reply: No JSON. }
  - { match: "Understood: Pay \\\\(20\\\\) is canceled", reply: "Gut, keine Zahlung." }
  - { match: "Understood: Pay \\\\(30\\\\) is canceled", reply: "All right, no payment." }
`,
};

test('13.12 a model classifies a message in any language: a correction, an aside, a yes, a cancellation', async () => {
  desk = await TestDesk.open(acting);
  expect(await desk.say('zahl 30')).toContain('Pay 30?');
  expect(await desk.say('ja, aber 20')).toContain('Pay 20?');
  const aside = await desk.say('was kostet das');
  expect(aside).toContain('No fees\nBack to pay (20). Pay waits for an approval: Pay 20?');
  expect(await desk.say('ja')).toContain('A message cannot approve a request.');
  expect((await desk.engine.listWaiting()).map(({ message }) => message)).toEqual(['Pay 20?']);
  // Not confident enough to end an active flow.
  await desk.say('vielleicht');
  expect(await desk.engine.listWaiting()).toHaveLength(1);
  // The model words the reply from the predicted meaning.
  expect(await desk.say('lass es')).toBe('Gut, keine Zahlung.');
  expect(await desk.engine.listWaiting()).toEqual([]);
  const acts = (await desk.events('nlu:predicted')).map((event) => event.act);
  expect(acts).toEqual(['request', 'correct', 'aside', 'agree', 'cancel', 'cancel']);
});

test('13.12 clear words are understood even if the model returns nothing usable', async () => {
  desk = await TestDesk.open(acting);
  await desk.say('zahl 30');
  await desk.say('never mind, cancel that');
  expect(await desk.stack()).toEqual([]);
  expect(await desk.engine.listWaiting()).toEqual([]);
});
