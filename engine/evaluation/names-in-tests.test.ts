/** Tests how a case names nodes: in loops, in called flows, and after tolerated failures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExampleWorkspace, failuresOf, openExamples } from '../testing/example-workspace.ts';

let examples: ExampleWorkspace;
beforeAll(async () => {
  examples = await openExamples();
});
afterAll(() => examples.close());

const flow = `
flow: { name: Loop }
nodes:
  - { id: each, type: control.foreach, input: { items: [ann, bo, cy], as: who, body: [greet, nobody] } }
  - { id: greet, type: echo, input: { text: "hello {{who}}", "a[0]": 7 } }
  - { id: nobody, type: echo, when: { equals: { var: who, value: dan } }, input: { text: bye } }
  - { id: broken, type: file.read, policy: { continueOnError: true }, input: { path: gone.txt } }
  - { id: call, type: flow, input: { flow: inner.flow.yaml, input: { text: hi } } }
  - { id: ask, type: prompt, config: { model: "scripted::names.model.yaml" }, input: { prompt: Hello } }
edges: [{ from: greet, to: nobody }]`;

const inner = `
flow: { name: Inner, input: { text: x } }
nodes: [{ id: greet, type: echo, input: { text: "{{flow.input.text}}" } }]
edges: []`;

const model = 'replies: [{ match: ".", reply: Hi, usage: { promptTokens: 5, completionTokens: 2 } }]';

/** Returns what fails in a case with these expectations. */
async function check(expectations: object): Promise<readonly string[]> {
  const cases = { target: 'loop.flow.yaml', cases: [{ name: 'a case', expect: expectations }] };
  const texts = {
    'loop.flow.yaml': flow,
    'inner.flow.yaml': inner,
    'names.model.yaml': model,
    'loop.test.yaml': JSON.stringify(cases),
  };
  await Promise.all(Object.entries(texts).map(([path, text]) => examples.write(path, text)));
  return failuresOf(await examples.test({ files: ['loop.test.yaml'] }));
}

test('values of an item have the item in their name', async () => {
  const outputs = { 'each[1].greet.text': 'hello bo', 'each.2.greet.text': 'hello cy' };
  expect(await check({ outputs, inputs: { 'each[0].greet["a[0]"]': 7 } })).toEqual([]);
  expect(await check({ outputs: { 'each[1].greet.text': 'hello cy' } })).toEqual([
    'loop.test.yaml, a case: each[1].greet.text is "hello bo", not "hello cy".',
  ]);
});

test('a node of a loop is counted by its ID, with the loop, or by item', async () => {
  expect(await check({ ran: { greet: 3, 'each.greet': 3, 'each[0].greet': 1, 'call/greet': 1 } })).toEqual([]);
  expect(await check({ skipped: ['nobody', 'each.nobody', 'each[2].nobody'] })).toEqual([]);
  expect(await check({ skipped: ['nobudy'] })).toEqual([
    'loop.test.yaml, a case: There is no node "nobudy". Did you mean "nobody"?',
  ]);
  expect(await check({ ran: { greet: 4 } })).toEqual([
    'loop.test.yaml, a case: Node "greet" ran 3 times, not 4 times.',
  ]);
});

test('a tolerated failure has the output that later nodes read', async () => {
  const outputs = { 'broken.failed': true, 'broken.error.code': 'files.not-found', 'broken.attempts': 1 };
  expect(await check({ outputs })).toEqual([]);
});

test('tokens of models without a price are counted', async () => {
  expect(await check({ maxTokens: 7 })).toEqual([]);
  expect(await check({ maxTokens: 6 })).toEqual(['loop.test.yaml, a case: The run used 7 tokens, more than 6.']);
});
