import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import type {
  ModelCapability,
  ModelMessage,
  ModelReply,
  ModelRequest,
} from '../../runtime/kernel/models/model-capability.ts';
import { createFakeCapabilities, type FakeWorld } from '../../testing/fake-capabilities.ts';
import { createCassetteModel } from './cassette-model.ts';
import type { CassetteMode } from './cassette-player.ts';
import { createTestPlayers, type TestPlayers } from './testing/test-players.ts';

const usage = { promptTokens: 5, completionTokens: 2 };

let players: TestPlayers;
let asked: readonly ModelRequest[];

beforeEach(() => {
  players = createTestPlayers([]);
  asked = [];
});
afterEach(() => players.folder.remove());

async function open(mode: CassetteMode, world: FakeWorld & Partial<ModelCapability> = {}): Promise<ModelCapability> {
  const fake = createFakeCapabilities(world);
  asked = fake.asked;
  const { resolve = fake.capabilities.model.resolve } = world;
  return createCassetteModel({ ...fake.capabilities.model, resolve }, await players.open(mode));
}

async function say(
  model: ModelCapability,
  request: Partial<ModelRequest> = {},
): Promise<{ reply: ModelReply; pieces: string[] }> {
  const pieces: string[] = [];
  const reply = await model.ask(
    { model: undefined, messages: [{ role: 'user', content: 'one two three' }], ...request },
    { signal: new AbortController().signal, onText: (piece) => pieces.push(piece) },
  );
  return { reply, pieces };
}

const calling: ModelReply = {
  text: 'I look.',
  finishReason: 'tool-calls',
  toolCalls: [{ id: 'c1', name: 'core__file_read', input: { path: 'a.txt' } }],
  providerState: { signatures: { c1: { google: { thoughtSignature: 'abc' } } } },
};
const tools = [{ name: 'core__file_read', description: 'Reads.', inputSchema: { type: 'object' } }];
const question: ModelMessage = { role: 'user', content: 'one two three' };
const conversation: readonly ModelMessage[] = [
  question,
  { role: 'assistant', content: calling.text, toolCalls: calling.toolCalls ?? [] },
  { role: 'tool', toolCallId: 'c1', toolName: 'core__file_read', content: 'What it says' },
];

describe('tools', () => {
  test('records and replays tool calls and their results, and ignores provider-specific data', async () => {
    const live = await open('record', {
      reply: ({ messages }) => (messages.length === 1 ? calling : { text: 'Done', finishReason: 'stop' }),
    });
    expect((await say(live, { tools })).reply).toEqual(calling);
    await say(live, { tools, messages: conversation });
    const again = await open('replay');
    const { reply } = await say(again, { tools });
    expect(reply).toEqual({ ...calling, fromCassette: true });
    const state = { providerState: 'other' };
    const messages = conversation.map((message) => (message.role === 'assistant' ? { ...message, ...state } : message));
    expect((await say(again, { tools, messages })).reply).toMatchObject({ text: 'Done', fromCassette: true });
  });

  test('the available tools and their results are part of the request; an empty list equals no tools', async () => {
    await say(await open('record', { reply: () => ({ text: 'x', finishReason: 'stop' }) }), { tools: [] });
    const plain = await open('replay');
    expect((await say(plain)).reply.text).toBe('x');
    await expect(say(plain, { tools })).rejects.toMatchObject({ code: 'cassette.miss' });
    await say(await open('record', { reply: () => calling }), { tools, messages: conversation });
    const other = [...conversation.slice(0, 2), { ...conversation[2], content: 'Else' } as ModelMessage];
    await expect(say(await open('replay'), { tools, messages: other })).rejects.toThrow(/messages\[2\]\.content/);
  });
});

const thoughtful = { text: 'Yes', finishReason: 'stop', reasoning: 'Hm.', upstreamModel: 'big-2' };

describe('a replayed response', () => {
  test('has the text in its chunks, usage and finish reason, no price, and is marked as replayed', async () => {
    const reply = { text: 'Fine, thanks 😀', finishReason: 'length', usage, costUsd: 1 };
    const live = await say(await open('record', { reply: () => reply }));
    expect(live.reply).toEqual(reply);
    const again = await say(await open('replay'));
    expect(again.reply).toEqual({ text: reply.text, finishReason: 'length', usage, fromCassette: true });
    expect(again.pieces).toEqual(['Fine, ', 'thanks ', '😀']);
    expect(again.pieces).toEqual(live.pieces);
    expect(asked).toEqual([]);
  });

  test('has the thinking and the name of the model', async () => {
    const details = { cachedTokens: 1, cacheCreationTokens: 2, reasoningTokens: 3 };
    const reply = { ...thoughtful, usage: { ...usage, ...details } };
    await say(await open('record', { reply: () => reply }));
    const thoughts: string[] = [];
    const again = await (await open('replay')).ask(
      { model: undefined, messages: [{ role: 'user', content: 'one two three' }] },
      { signal: new AbortController().signal, onText: () => {}, onReasoning: (piece) => thoughts.push(piece) },
    );
    expect(again).toEqual({ ...reply, fromCassette: true });
    expect(thoughts).toEqual(['Hm.']);
  });

  test('that was edited by hand arrives in one chunk', async () => {
    await say(await open('record'));
    players.folder.write('a.cassette.yaml', players.text().replace('text: one two three', 'text: four words it is'));
    expect(await say(await open('replay'))).toEqual({
      reply: { text: 'four words it is', finishReason: 'stop', fromCassette: true },
      pieces: ['four words it is'],
    });
    players.folder.write('a.cassette.yaml', players.text().replace('text: four words it is', 'text: 4'));
    expect(await say(await open('replay')).catch(toErrorRecord)).toMatchObject({
      code: 'cassette.unreadable',
      message: expect.stringContaining('text'),
    });
  });

  test('that is empty has no chunks', async () => {
    await say(await open('record', { reply: () => ({ text: '', finishReason: 'stop' }) }));
    players.folder.write('a.cassette.yaml', players.text().replace(/pieces: .*/, 'pieces: [3]'));
    expect(await say(await open('replay'))).toMatchObject({ reply: { text: '' }, pieces: [] });
  });

  test('can be an error', async () => {
    const refusal = new EngineError({ code: 'model.rate-limited', message: 'Slow down', recoverable: true });
    const refuse = (): never => {
      throw refusal;
    };
    await say(await open('record', { reply: refuse })).catch(() => {});
    const error = await say(await open('replay')).catch(toErrorRecord);
    expect(error).toEqual({ code: 'model.rate-limited', message: 'Slow down', recoverable: true });
  });
});

describe('a request', () => {
  test.each<[string, Partial<ModelRequest>]>([
    ['model', { model: 'fake::other' }],
    ['messages[0].content', { messages: [{ role: 'user', content: 'four' }] }],
    ['messages[0].role', { messages: [{ role: 'assistant', content: 'one two three' }] }],
    ['temperature', { temperature: 0.5 }],
    ['topP', { topP: 0.5 }],
  ])('with another %s is another one', async (field, change) => {
    await say(await open('record'));
    const error = await say(await open('replay'), change).catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'cassette.miss', message: expect.stringContaining(`${field}: `) });
    expect(error).toMatchObject({ message: expect.stringContaining(`model call ${change.model ?? 'fake::default'}:`) });
  });
});

describe('without settings', () => {
  const missing = new EngineError({ code: 'model.missing', message: 'No model is set' });
  const resolve = (): never => {
    throw missing;
  };

  test('replays the model that a node names', async () => {
    await say(await open('record'), { model: 'here::org/tiny' });
    const model = await open('replay', { resolve });
    expect(model.resolve('here::org/tiny::4b')).toMatchObject({ provider: 'here', model: 'org/tiny::4b' });
    expect((await say(model, { model: 'here::org/tiny' })).reply.fromCassette).toBe(true);
    expect(() => model.resolve('nothing')).toThrow(missing);
  });

  test('uses the only model of the cassette as the default model', async () => {
    await say(await open('record'));
    expect((await say(await open('replay', { resolve }))).reply.fromCassette).toBe(true);
    expect((await open('auto', { resolve })).resolve(undefined)).toMatchObject({ provider: 'fake', model: 'default' });
  });

  test('has no default model if the cassette has several, or in record mode', async () => {
    const recorder = await open('record');
    await say(recorder);
    await say(recorder, { model: 'fake::other' });
    const model = await open('replay', { resolve });
    expect(() => model.resolve(undefined)).toThrow(missing);
    const again = await open('record', { resolve });
    expect(() => again.resolve('fake::other')).toThrow(missing);
  });
});

test('settings are those of the live model', async () => {
  const model = await open('auto');
  expect(await model.settingsOf('fake::x')).toBe(
    await createFakeCapabilities().capabilities.model.settingsOf('fake::x'),
  );
});

describe('attachments', () => {
  const message = (base64: string) =>
    ({ role: 'user', content: 'See:', attachments: [{ mediaType: 'image/png', fileName: 'a.png', base64 }] }) as const;

  test('are part of the request, although the cassette does not contain them', async () => {
    await say(await open('record'), { messages: [message('QUJDREVG')] });
    expect(players.text()).not.toContain('QUJDREVG');
    expect((await say(await open('replay'), { messages: [message('QUJDREVG')] })).reply.fromCassette).toBe(true);
    const error = await say(await open('replay'), { messages: [message('QUJDREVH')] }).catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'cassette.miss', message: expect.stringContaining('attachments') });
  });

  test('cache options do not affect the match', async () => {
    await say(await open('record'));
    const messages = [{ role: 'user', content: 'one two three', cache: true }] as const;
    expect((await say(await open('replay'), { messages, cacheKey: 'k' })).reply.fromCassette).toBe(true);
  });
});
