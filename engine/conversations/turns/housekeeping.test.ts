import { afterEach, expect, test } from 'vitest';
import { gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const files = {
  'desk.dialogue.yaml': `
nlu: { script: nlu.yaml }
intents: { Read: {} }
flows:
  - { name: greet, intent: Read, description: Greets., policy: { flow: greet.flow.yaml } }
  - { name: index, intent: Internal, policy: { flow: index.flow.yaml }, every: 2 }
  - { name: sort, intent: Internal, policy: { flow: sort.flow.yaml }, dependsOn: [index], every: 2 }
  - { name: broken, intent: Internal, policy: { flow: nowhere.flow.yaml }, every: 2 }
`,
  'nlu.yaml': '- { match: "hello", flow: greet }\n',
  'greet.flow.yaml': gives('Greet', '{ reply: Good day }'),
  'index.flow.yaml': gives('Index', '{ outcome: success, data: 1, scratchpad_entries: [Indexed.] }'),
  'sort.flow.yaml': gives('Sort', '{ outcome: success, data: 2, scratchpad_entries: [Sorted.] }'),
};

test('Internal flows run in parallel with the conversation every n turns, each after those it depends on', async () => {
  desk = await TestDesk.open(files);
  await desk.say('hello');
  expect(await desk.events('internal:schedule')).toEqual([]);
  await desk.say('hello');
  const told = (await desk.log()).flatMap(({ event }) =>
    event.type === 'internal:start' || event.type === 'internal:end' ? [`${event.type} ${event.flowId}`] : [],
  );
  const [index, sort] = (await desk.events('internal:schedule')).map(({ flowId }) => flowId);
  expect(told.indexOf(`internal:end ${index}`)).toBeLessThan(told.indexOf(`internal:start ${sort}`));
  expect((await desk.events('internal:end')).map(({ status }) => status).sort()).toEqual([
    'Completed',
    'Completed',
    'Invalid',
  ]);
  const view = await desk.view();
  expect(view.scratchpad.map(({ text }) => text).sort()).toEqual(['Indexed.', 'Sorted.']);
  expect(view.background).toEqual([]);
  // Events scheduled by a turn contain its id.
  const [, second] = await desk.events('turn:start');
  const scheduled = (await desk.log()).filter(({ event }) => event.type === 'internal:schedule');
  expect(new Set(scheduled.map(({ turnId }) => turnId))).toEqual(new Set([second?.turnId]));
});

test('built-in housekeeping runs every ten turns', async () => {
  desk = await TestDesk.open(files);
  for (let turn = 0; turn < 10; turn++) await desk.say('hello');
  const names = (await desk.events('internal:schedule')).map(({ flowName }) => flowName);
  expect(names).toEqual(expect.arrayContaining(['memory_cleanup', 'state_repair', 'summary']));
  expect((await desk.view()).background).toEqual([]);
});
