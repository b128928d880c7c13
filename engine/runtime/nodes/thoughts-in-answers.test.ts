import { describe, expect, test } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../testing/run-single-node.ts';
import type { ModelReply } from '../kernel/models/model-capability.ts';

const trip = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
};
const oslo = '{"city":"Oslo","days":3}';

/** Runs a prompt with a model that returns these responses in order. */
async function ask(answers: readonly (string | Partial<ModelReply>)[], config: JsonMap = {}) {
  const left = [...answers];
  const { capabilities, asked } = createFakeCapabilities({
    reply: () => {
      const next = left.shift() ?? 'nothing more';
      return { text: '', finishReason: 'stop', ...(typeof next === 'string' ? { text: next } : next) };
    },
  });
  const run = await runSingleNode({ type: 'prompt', input: { prompt: 'Go' }, config }, { capabilities });
  const events = run.events.map(({ event }) => event);
  return {
    ...{ output: run.output, error: run.error, asked },
    said: events.flatMap((event) => (event.type === 'agent:text' ? [event.content] : [])).join(''),
    thought: events.flatMap((event) => (event.type === 'agent:thinking' ? [event.content] : [])).join(''),
    responses: events.filter(({ type }) => type === 'model:response'),
    warnings: events.flatMap((event) => (event.type === 'log' && event.level === 'warn' ? [event.text] : [])),
  };
}

const askTrip = (...answers: (string | Partial<ModelReply>)[]) => ask(answers, { output: { schema: trip } });

test('13.4 thinking between tags has its own events and is excluded from the text of the response and the output', async () => {
  const { output, said, thought, responses } = await ask(['<think>I should greet.</think>\n\nHello Ada']);
  expect(output).toMatchObject({ text: 'Hello Ada' });
  expect([said, thought]).toEqual(['Hello Ada', 'I should greet.']);
  expect(responses).toMatchObject([{ text: 'Hello Ada', reasoning: 'I should greet.' }]);
});

test('13.4 keeps both thinking that the provider separates and thinking between tags', async () => {
  const { output, thought, responses } = await ask([{ text: '<think>b</think>Hello', reasoning: 'a' }]);
  expect(output).toMatchObject({ text: 'Hello' });
  expect(responses).toMatchObject([{ text: 'Hello', reasoning: 'a\n\nb' }]);
  expect(thought).toContain('b');
});

describe('13.4 the value of a response', () => {
  test.each<[string, string]>([
    ['is not a draft in thoughts', `<think>Draft: {"city":"x","days":0}, or {"city":"y"}.</think>\n\n${oslo}`],
    ['is not one in thoughts without an opening tag', `Draft: {"city":"x","days":0}.\n</think>\n${oslo}`],
    ['is not hidden by braces in thoughts', `<think>{type: object} wants a map [like this].</think>${oslo}`],
    ['is the last one that fits', `First {"city":"x","days":0}, no: ${oslo}. As in [4] and {"note": 1}.`],
    ['is the last one that fits, before a fenced one that does not', `${oslo}\n\`\`\`json\n{"city": "y"}\n\`\`\``],
    ['is not a part of another value', `[{"city":"x","days":0}] ${oslo} [{"city":"y","days":9}]`],
    ['is found behind a code block with an example', `\`\`\`json\n{"city":"x","days":0}\n\`\`\`\n${oslo}`],
    ['is found behind something that only looks like JSON', `{"city" is a text} [see {below}]: ${oslo}`],
    ['is found before an opening bracket', `${oslo} [`],
  ])('%s', async (_name, text) => {
    const { output, asked } = await askTrip(text);
    expect(output).toMatchObject({ value: { city: 'Oslo', days: 3 } });
    expect(asked).toHaveLength(1);
  });

  test('uses the last value, and sends an invalid response back to the model without its thinking', async () => {
    const { output, asked } = await askTrip(`<think>Hm {"city":1}.</think>{"a":1} {"city":"Oslo"}`, oslo);
    expect(output).toMatchObject({ value: { city: 'Oslo', days: 3 } });
    expect(asked[1]?.messages.at(-2)).toEqual({ role: 'assistant', content: '{"a":1} {"city":"Oslo"}' });
    expect(asked[1]?.messages.at(-1)?.content).toContain('expected the field "days", found {"city":"Oslo"}');
  });
});

describe('a response with an unusual finish reason', () => {
  test('logs that the response was truncated, and by which limit', async () => {
    const cut = await ask([{ text: 'one two', finishReason: 'length' }], { maxTokens: 20 });
    expect(cut.output).toMatchObject({ text: 'one two' });
    expect(cut.warnings).toEqual([
      "The model's response was cut off at its limit of 20 tokens (maxTokens). Raise maxTokens, or request a shorter response.",
    ]);
    const usage = { promptTokens: 5, completionTokens: 4096 };
    const { warnings } = await ask([{ text: '', reasoning: 'long', finishReason: 'length', usage }]);
    expect(warnings).toEqual([
      "The model's response was cut off at the provider's own limit after 4,096 tokens. All of them were thinking. Set maxTokens to a higher number, if the model allows it, or request a shorter response.",
    ]);
  });

  test.each([
    ['length', `{"city":"Oslo","days":3,"items":["a","b"`, 'cut off'],
    ['length', `Draft ${oslo}, better: {"city":"Ber`, 'cut off'],
    ['content-filter', 'I can', 'content filter'],
    ['refusal', 'I cannot help with that.', 'refused'],
  ])('fails at once with a schema and the reason %s: %s', async (finishReason, text, words) => {
    const { error, asked, warnings } = await askTrip({ text, finishReason }, oslo);
    expect(error).toMatchObject({
      code: 'model.output-invalid',
      message: expect.stringContaining(words),
      details: { text },
    });
    expect(asked).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining(words)]);
  });

  test('accepts a truncated response with a schema if its value is complete', async () => {
    const { output, asked } = await askTrip({ text: oslo, finishReason: 'length' });
    expect(output).toMatchObject({ value: { city: 'Oslo', days: 3 } });
    expect(asked).toHaveLength(1);
  });

  test('does not request a response with a truncated tool call again', async () => {
    const call = { id: 'c1', name: 'core__file_read', input: '{"path": "a' };
    const reply = { text: '', finishReason: 'length', toolCalls: [call] };
    const { error, asked } = await ask([reply, 'Done'], { tools: ['core.file_read'], maxTokens: 9 });
    expect(error).toMatchObject({
      message: expect.stringMatching(/core\.file_read is incomplete.*limit of 9 tokens/),
    });
    expect(asked).toHaveLength(1);
  });
});
