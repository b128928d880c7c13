import { afterEach, describe, expect, test } from 'vitest';
import { gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const files = (hooks: string, more: Readonly<Record<string, string>>) => ({
  'desk.dialogue.yaml': `
nlu: { script: nlu.yaml }
intents: { Read: { hooks: ${hooks} } }
flows:
  - name: find
    intent: Read
    description: Finds.
    slots: { number: { type: exact, priority: optional } }
    policy: { flow: find.flow.yaml }
`,
  'nlu.yaml': '- { match: "find", flow: find, slots: { number: { word: "[A-Z]-\\\\d" } } }\n',
  'find.flow.yaml': gives('Find', '{ reply: Found }'),
  ...more,
});

describe('hooks of an intent', () => {
  test('run before and after the policy and the reply, and receive the message and the flow', async () => {
    const hooks =
      '{ validate: { script: v.js }, check: { script: c.lua }, verify: { script: y.js }, finish: { script: f.js } }';
    desk = await TestDesk.open(
      files(hooks, {
        'v.js': 'return { seen: input.given.prediction.flow };',
        'c.lua': 'if input.given.slots.number == nil then return { refuse = "No number." } end\nreturn {}',
        'y.js': 'return input.given.outcome === "success" ? {} : { refuse: "Bad." };',
        'f.js': 'return { reply: input.given.reply + " (" + input.given.message + ")" };',
      }),
    );
    expect(await desk.say('find A-1')).toBe('Found (find A-1)');
    const names = (await desk.engine.listRuns({ limit: 9 })).map(({ name }) => name);
    expect([...names].reverse()).toEqual(['Read.validate', 'Read.check', 'Find', 'Read.verify', 'Read.finish']);
  });

  test('of check and verify turn a rejection into a failure; of validate, into a question', async () => {
    desk = await TestDesk.open(files('{ check: { script: c.js } }', { 'c.js': 'return { refuse: "No rights." };' }));
    expect(await desk.say('find A-1')).toBe('find did not work: No rights. What would you like to do instead?');
    expect(await desk.events('flow:run')).toEqual([]);
    await desk.close();
    desk = await TestDesk.open(files('{ validate: { script: v.js } }', { 'v.js': 'return { refuse: "not today" };' }));
    expect(await desk.say('find A-1')).toContain('(not today)');
    expect(await desk.stack()).toEqual([]);
  });

  test('that fail or do not exist reject, with the reason', async () => {
    desk = await TestDesk.open(files('{ check: { script: nowhere.lua } }', {}));
    expect(await desk.say('find A-1')).toContain('nowhere.lua');
  });
});
