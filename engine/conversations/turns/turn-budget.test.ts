/**
 * Tests the budget for model calls of a turn, which works like that of a run: every call counts once, even if the turn
 * was interrupted.
 */
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { gives, TestDesk } from './test-desk.ts';

let desk: TestDesk;
afterEach(() => desk?.close());

const catalogue = `
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
`;
const prediction = (slots: string): string =>
  `'{"intent":"Read","flow":"find","confidence":0.9,"candidates":[{"flow":"find","score":0.9}],"slots":${slots}}'`;
const files = {
  'desk.dialogue.yaml': catalogue,
  'find.flow.yaml': gives('Find', '{ reply: A lamp }'),
  'model.yaml': `
replies:
  - { match: "Last message: where", reply: ${prediction('{}')}, usage: { promptTokens: 20, completionTokens: 10 } }
  - { match: "Last message: AB", reply: ${prediction('{"number":"AB-1"}')}, usage: { promptTokens: 20, completionTokens: 10 } }
  - { match: "Last message: hm", reply: "No JSON", usage: { promptTokens: 20, completionTokens: 10 } }
  - { match: "does not match the schema", reply: "Still none", usage: { promptTokens: 20, completionTokens: 10 } }
  - { match: "Open question", reply: Which order is it about?, usage: { promptTokens: 20, completionTokens: 10 } }
  - { match: "Ended in this turn", reply: Your lamp is on its way., usage: { promptTokens: 20, completionTokens: 10 } }
  - { match: "^Conversation", reply: '{"number":null,"note":null}', usage: { promptTokens: 4, completionTokens: 1 } }
`,
};
const withLimit = (tokens: number): Readonly<Record<string, string>> => ({
  ...files,
  'millrace.policy.yaml': `# ours\nmax_tokens_per_run: ${tokens}\n`,
});
const stopped = (used: number, limit: number, place = 'millrace.policy.yaml:2'): string =>
  `I'm stopping here. The turn has used ${used} model tokens, but the limit is ${limit} (rule run_token_budget_exceeded, ${place}).`;
const goesOn = 'All flows in progress are kept. Your next message has a new budget.';
const isNew = 'Your next message has a new budget.';
/** Writes a file and restarts the engine, so that a changed policy applies immediately. */
async function rewrite(path: string, text: string): Promise<void> {
  await desk.engine.close();
  desk.write(path, text);
  await desk.start();
}

const outcomes = async (): Promise<readonly string[]> => (await desk.events('turn:end')).map(({ outcome }) => outcome);

const keys = async (): Promise<readonly string[]> => (await desk.events('step:result')).map(({ key }) => key);

test('all model calls of a turn share a budget; active flows are kept, and the next message has a new budget', async () => {
  desk = await TestDesk.open(withLimit(35));
  // Prediction and slot filling use up the budget, so the question is worded without a model.
  expect(await desk.say('where is it')).toBe(`Which number?\n\n${stopped(35, 35)} ${goesOn}`);
  expect(await desk.stack()).toEqual(['find:Active']);
  expect(await desk.say('AB-1')).toBe(`Your lamp is on its way.\n\n${stopped(60, 35)} ${isNew}`);
  expect(await desk.stack()).toEqual([]);
  expect(await outcomes()).toEqual(['failed', 'failed']);
  const place = 'millrace.policy.yaml:2';
  const told = { type: 'governance:decision', allowed: false, rule: 'run_token_budget_exceeded', place };
  expect(await desk.events('governance:decision')).toMatchObject([
    { ...told, reason: 'The turn has used 35 model tokens, but the limit is 35' },
    { ...told, reason: 'The turn has used 60 model tokens, but the limit is 35' },
  ]);
  // With enough for all three calls, the budget is not mentioned.
  await rewrite('millrace.policy.yaml', 'max_tokens_per_run: 65\n');
  expect(await desk.say('where is it')).toBe('Which order is it about?');
  expect((await outcomes()).at(-1)).toBe('done');
});

test('a response that exceeds the budget ends the turn, and second attempts count as well', async () => {
  desk = await TestDesk.open(withLimit(29));
  expect(await desk.say('where is it')).toBe(`${stopped(30, 29)} ${isNew}`);
  expect(await keys()).toEqual(['think']);
  expect(await desk.stack()).toEqual([]);
  await rewrite('millrace.policy.yaml', '# ours\nmax_tokens_per_run: 59\n');
  expect(await desk.say('hm')).toBe(`${stopped(60, 59)} ${isNew}`);
  const last = (await desk.events('step:result')).at(-1);
  expect(last?.result).toMatchObject({ usage: { promptTokens: 40, completionTokens: 20 } });
});

test('a reply that exceeds the budget is sent anyway', async () => {
  desk = await TestDesk.open(withLimit(64));
  expect(await desk.say('where is it')).toBe(`Which order is it about?\n\n${stopped(65, 64)} ${goesOn}`);
});

test('the smallest limit of all policies applies, including that of the product', async () => {
  desk = await TestDesk.open({
    ...withLimit(1000),
    'products/shop/policy.yaml': 'max_tokens_per_run: 30\n',
    'products/shop/desk.dialogue.yaml': catalogue,
    'products/shop/find.flow.yaml': files['find.flow.yaml'],
  });
  expect(await desk.say('where is it')).toBe('Which order is it about?');
  const inProduct = 'products/shop/desk.dialogue.yaml';
  ({ sessionId: desk.sessionId } = await desk.engine.startConversation({ path: inProduct }));
  const place = 'products/shop/policy.yaml:1';
  expect(await desk.say('where is it')).toBe(`${stopped(30, 30, place)} ${goesOn}`);
  await rewrite('products/shop/policy.yaml', 'blocked_models: ["scripted::*"]\n');
  // Its rules about models apply too.
  await desk.say('where is it');
  expect((await desk.events('governance:decision')).at(-1)).toMatchObject({ rule: 'model_blocked', place });
});

test.each([
  ['unchanged', 50, 50],
  ['lowered in the meantime', 50, 20],
])(
  'an interrupted turn pays for nothing twice, and counts its earlier usage, with a limit %s',
  async (_, before, after) => {
    desk = await TestDesk.open(withLimit(before));
    const cut = new Promise<void>((resolve, reject) => {
      desk.engine.watchConversation(desk.sessionId, (notice) => {
        const isThought = notice.type === 'events' && notice.events.some(({ event }) => event.type === 'step:result');
        if (isThought) desk.engine.close().then(resolve, reject);
      });
    });
    await desk.engine.sayInConversation({ sessionId: desk.sessionId, text: 'where is it' });
    await cut;
    desk.write('millrace.policy.yaml', `# ours\nmax_tokens_per_run: ${after}\n`);
    await desk.start();
    await desk.engine.openConversation(desk.sessionId);
    await desk.settled('turn:end', 1);
    const used = after === 20 ? 30 : 65;
    const [said] = (await desk.view()).messages.filter(({ from }) => from === 'assistant');
    expect(said?.text).toContain(stopped(used, after));
    expect(await keys()).toEqual(after === 20 ? ['think', 'slots'] : ['think', 'slots', 'reply']);
    expect(await desk.events('governance:decision')).toHaveLength(1);
  },
);

test('responses from a cassette cost nothing', async () => {
  const cassette = (mode: 'record' | 'replay') => ({ cassette: { file: join(desk.folder, 'a.cassette.yaml'), mode } });
  desk = await TestDesk.open(files);
  await desk.engine.close();
  for (const mode of ['record', 'replay'] as const) {
    if (mode === 'replay') desk.write('millrace.policy.yaml', 'max_tokens_per_run: 30\n');
    await desk.start(cassette(mode));
    ({ sessionId: desk.sessionId } = await desk.engine.startConversation({ path: 'desk.dialogue.yaml' }));
    expect(await desk.say('where is it')).toBe('Which order is it about?');
    await desk.engine.close();
  }
  await desk.start();
});

test('a failed flow is not started again if the budget ends its recovery', async () => {
  desk = await TestDesk.open({
    ...withLimit(30),
    'find.flow.yaml': gives('Find', '{ outcome: failure, error_category: x, message: It is broken. }'),
    'desk.dialogue.yaml': catalogue.replace('priority: required', 'priority: optional').replace(/ {6}note.*\n/, ''),
  });
  const reply = await desk.say('AB-1');
  expect(reply).toContain('find did not work: It is broken.');
  expect(reply).toContain(stopped(30, 30));
  expect((await desk.events('stack:invalidate')).map(({ reason }) => reason)).toEqual(['failure']);
  expect(await desk.stack()).toEqual([]);
});

test('the summary of a conversation has a separate budget', async () => {
  const usage = 'usage: { promptTokens: 4, completionTokens: 6 }';
  desk = await TestDesk.open({
    ...withLimit(20),
    'desk.dialogue.yaml': `${catalogue.replace(/ {4}slots:\n.*\n.*\n/, '')}
  - { name: sum, intent: Internal, policy: { builtin: summary }, every: 1 }
`,
    'model.yaml': `
replies:
  - { match: "Last message", reply: ${prediction('{}')}, ${usage} }
  - { match: "Ended in this turn", reply: Your lamp is on its way., ${usage} }
  - { match: "^Conversation", reply: It is about a lamp., usage: { promptTokens: 20, completionTokens: 10 } }
`,
  });
  expect(await desk.say('where is it')).toBe('Your lamp is on its way.');
  expect(await outcomes()).toEqual(['done']);
  expect(await desk.events('governance:decision')).toMatchObject([
    { reason: 'The summary has used 30 model tokens, but the limit is 20', place: 'millrace.policy.yaml:2' },
  ]);
  // The summary was paid for.
  expect(await desk.events('conversation:summary')).toMatchObject([{ text: 'It is about a lamp.' }]);
});
