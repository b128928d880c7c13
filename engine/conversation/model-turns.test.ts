import { afterEach, expect, test } from 'vitest';
import { gives, TestDesk } from './test-desk.ts';

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

test('a model tells what is meant, is asked once for what is missing, and words question and reply', async () => {
  desk = await TestDesk.open(files);
  const drafts: string[] = [];
  desk.engine.watchConversation(desk.sessionId, (notice) => {
    if (notice.type === 'draft') drafts.push(notice.text);
  });
  expect(await desk.say('where is it')).toBe('Which order is it about?');
  expect((await desk.events('step:result')).map(({ key }) => key)).toEqual(['think', 'slots', 'reply']);
  // Each draft is all that is written so far.
  expect(drafts.length).toBeGreaterThan(2);
  expect(drafts.at(-1)).toBe('Which order is it about?');
  expect('Which order is it about?'.startsWith(drafts[0] ?? '?')).toBe(true);
  expect(await desk.say('AB-1')).toBe('Your lamp is on its way.');
  expect(await desk.events('slot:filled')).toMatchObject([{ slot: 'number', value: 'AB-1', system: 1 }]);
  expect((await desk.view()).ambiguity).toBeNull();
  // What a model was asked is told with what it cost, as far as that is known, and which one it was.
  const [first] = await desk.events('step:result');
  expect(first?.result).toMatchObject({ model: 'scripted::model.yaml', value: { flow: 'find' } });
});

test('what a person has said before is read out of the conversation, for what is empty only', async () => {
  const model = files['model.yaml'].replace('{"number":null,"note":null}', '{"number":"CD-2","note":null}');
  desk = await TestDesk.open({ ...files, 'model.yaml': model });
  expect(await desk.say('where is it')).toBe('Your lamp is on its way.');
  expect(await desk.events('slot:filled')).toMatchObject([{ slot: 'number', value: 'CD-2', system: 2 }]);
});
