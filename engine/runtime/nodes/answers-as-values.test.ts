import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../language/flow/check-flow.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../testing/run-single-node.ts';
import type { ModelReply } from '../kernel/models/model-capability.ts';
import { builtinNodes } from './builtin-nodes.ts';
import { createNodeRegistry } from './node-registry.ts';
import { promptNode } from './prompt/prompt-node.ts';

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
};

/** Runs a prompt for a person's data with these responses in order. */
async function askPerson(answers: readonly (string | Partial<ModelReply>)[], schema: JsonValue = person) {
  const left = [...answers];
  const { capabilities, asked } = createFakeCapabilities({
    reply: () => {
      const next = left.shift() ?? 'nothing more';
      return { text: '', finishReason: 'stop', ...(typeof next === 'string' ? { text: next } : next) };
    },
  });
  const node = { type: 'prompt', input: { prompt: 'Who?', system: 'Be brief.' }, config: { output: { schema } } };
  return { ...(await runSingleNode(node, { capabilities })), asked };
}

test('BB-01 the request contains the schema for the provider', async () => {
  const { asked } = await askPerson(['{"name":"Ada","age":36}']);
  expect(asked).toHaveLength(1);
  expect(asked[0]?.answerSchema).toEqual(person);
});

test.each([
  '{"name":"Ada","age":36}',
  'Here you are:\n```json\n{"name":"Ada","age":36}\n```\nAnything else?',
  'I think it is {"name":"Ada","age":36}.',
])('BB-02 parses the response %j as the value', async (text) => {
  const { output, asked } = await askPerson([text]);
  expect(output).toEqual({ text, value: { name: 'Ada', age: 36 }, model: 'fake::default' });
  expect(asked).toHaveLength(1);
});

describe('BB-03 a response that does not match', () => {
  const usage = { promptTokens: 10, completionTokens: 5 };

  test('sends an invalid response back once with the problems, and counts and reports both requests', async () => {
    const { output, asked, events } = await askPerson([
      { text: '{"name":5}', usage, costUsd: 1 },
      { text: '{"name":"Ada","age":36}', usage, costUsd: 2 },
    ]);
    expect(asked[1]?.messages).toEqual([
      ...(asked[0]?.messages ?? []),
      { role: 'assistant', content: '{"name":5}' },
      {
        role: 'user',
        content: [
          'The response does not match the schema:',
          '- the whole response: expected the field "age", found {"name":5}',
          '- /name: expected string, found 5',
          'Respond again with the whole JSON value, and nothing else.',
        ].join('\n'),
      },
    ]);
    expect(asked[1]?.answerSchema).toEqual(person);
    expect(output).toEqual({
      text: '{"name":"Ada","age":36}',
      value: { name: 'Ada', age: 36 },
      model: 'fake::default',
      usage: { promptTokens: 20, completionTokens: 10 },
      costUsd: 3,
    });
    const told = events.map(({ event }) => event).filter(({ type }) => type.startsWith('model:'));
    const [system, user] = [{ role: 'system' }, { role: 'user' }];
    const response = { type: 'model:response' };
    expect(told).toMatchObject([
      ...[{ type: 'model:request', messages: [system, user] }, response],
      ...[{ type: 'model:request', messages: [user] }, response],
    ]);
    expect(events.at(-1)?.event).toMatchObject({ usage: { promptTokens: 20, completionTokens: 10 }, costUsd: 3 });
  });

  test('sends a response back even if it is not JSON', async () => {
    const { output, asked } = await askPerson(['I do not know.', '{"name":"Ada","age":36}']);
    expect(asked[1]?.messages.at(-1)?.content).toMatch(
      /^The response does not match the schema:\n- the whole response: expected a JSON value, found "I do not know\."/,
    );
    expect(output).toMatchObject({ value: { name: 'Ada', age: 36 } });
  });

  test('keeps the token counts that only one of the two requests reported', async () => {
    const { output } = await askPerson(['?', { text: '{"name":"Ada","age":36}', usage, costUsd: 2 }]);
    expect(output).toMatchObject({ usage, costUsd: 2 });
    const first = await askPerson([{ text: '?', usage, costUsd: 2 }, '{"name":"Ada","age":36}']);
    expect(first.output).toMatchObject({ usage, costUsd: 2 });
  });
});

describe('BB-04 a response that does not match the second time', () => {
  test('a second invalid response fails the attempt with the problems and the text', async () => {
    const { error, asked } = await askPerson(['{"name":5}', '{"name":"Ada","age":-1}']);
    expect(asked).toHaveLength(2);
    expect(error).toMatchObject({
      code: 'model.output-invalid',
      message: expect.stringContaining('/age: expected at least 0, found -1'),
      details: {
        problems: [{ pointer: '/age', expected: 'at least 0', found: '-1' }],
        text: '{"name":"Ada","age":-1}',
      },
    });
  });

  test('a second invalid response is retried like any failure, and each attempt may correct its response once', async () => {
    const { capabilities, asked } = createFakeCapabilities({
      reply: () => ({ text: asked.length < 4 ? 'no' : '{"name":"Ada","age":36}', finishReason: 'stop' }),
    });
    const { output } = await runSingleNode(
      {
        type: 'prompt',
        input: { prompt: 'Who?' },
        config: { output: { schema: person } },
        maxAttempts: 2,
      },
      { capabilities },
    );
    expect(output).toMatchObject({ value: { name: 'Ada', age: 36 } });
    expect(asked.map(({ messages }) => messages.length)).toEqual([1, 3, 1, 3]);
  });

  test('truncates a very long response to the size limit of an event', async () => {
    const { error } = await askPerson(['x', `no ${'x'.repeat(100_000)}`]);
    expect(error?.details).toMatchObject({ text: `no ${'x'.repeat(31_997)}` });
  });
});

test('a schema that allows nothing fails, and one that allows everything accepts any value', async () => {
  expect((await askPerson(['{}', '{}'], false)).error).toMatchObject({ code: 'model.output-invalid' });
  expect((await askPerson(['[1, null]'], true)).output).toMatchObject({ value: [1, null] });
  expect((await askPerson(['null'], { type: 'null' })).output).toMatchObject({ value: null });
});

const registry = createNodeRegistry(builtinNodes);

/** Returns the problems of a prompt and of a node bound to `bound`. */
function problemsOf(config: JsonMap, bound = '{{ask.value.tags}}'): string[] {
  const text = JSON.stringify({
    flow: { name: 'test' },
    nodes: [
      { id: 'ask', type: 'prompt', input: { prompt: 'Who?' }, config },
      { id: 'use', type: 'list.map', input: { items: bound }, config: { template: '{{item}}' } },
    ],
    edges: [{ from: 'ask', to: 'use' }],
  });
  return checkFlow(text, registry).diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

const tagged = {
  type: 'object',
  properties: { name: { type: 'string' }, tags: { type: 'array' } },
  required: ['tags'],
};

test('BB-05 reports an invalid schema at its position before anything starts', () => {
  expect(problemsOf({ output: { schema: tagged } })).toEqual([]);
  expect(problemsOf({ output: { schema: { type: 'objekt' } } })).toEqual([
    expect.stringMatching(/^node\.bad-config: .*output\.schema\.type.*type must be one of/),
  ]);
  expect(problemsOf({ output: { schema: { $ref: 'https://example.com/a.json' } } })).toEqual([
    expect.stringContaining('Other schemas are not loaded'),
  ]);
  expect(problemsOf({ output: {} })).toEqual([expect.stringContaining('output')]);
});

test('BB-06 later nodes know the fields of the value', () => {
  const given = (config: JsonMap) => promptNode.givenSchemas?.({ input: {}, config }, () => ({}));
  expect(given({ output: { schema: tagged } })).toEqual({ value: tagged });
  expect(given({ output: { schema: true } })).toEqual({ value: {} });
  expect(given({})).toEqual({ value: false });
});
