import { describe, expect, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { ModelMessage, ModelReply } from '../../runtime/kernel/models/model-capability.ts';
import { createScriptedModel, scriptProblem } from './scripted-model.ts';

interface Asked {
  readonly reply: ModelReply | undefined;
  readonly error: { code: string; message: string } | undefined;
  readonly pieces: readonly string[];
  readonly delays: readonly number[];
}

/** Sends a prompt to a script with a clock that fires timers immediately and records their delays. */
async function ask(script: string, question: string, controller = new AbortController()): Promise<Asked> {
  const pieces: string[] = [];
  const delays: number[] = [];
  const clock: Clock = {
    now: () => 0,
    setTimer(callback, delayMs) {
      delays.push(delayMs);
      queueMicrotask(callback);
      return () => {};
    },
  };
  const files = { readText: async (path: string) => ({ path, text: script }) };
  const model = createScriptedModel({ files, clock });
  const messages = [
    { role: 'system', content: 'You are terse.' },
    { role: 'user', content: 'first' },
    { role: 'assistant', content: 'so?' },
    { role: 'user', content: question },
  ] as const;
  try {
    const reply = await model.ask(
      { model: 'talk.yaml', messages },
      { signal: controller.signal, onText: (piece) => pieces.push(piece) },
    );
    return { reply, error: undefined, pieces, delays };
  } catch (thrown) {
    if (thrown === 'stop') throw thrown;
    return { reply: undefined, error: toErrorRecord(thrown), pieces, delays };
  }
}

describe('replies', () => {
  const script = `
paceMs: 30
chunkChars: 4
replies:
  - { match: "^Title", reply: "A short title", usage: { promptTokens: 12, completionTokens: 3 } }
  - { match: "weather", error: "the forecast is down" }
  - { match: "Title", reply: "second" }
`;

  test('the first pattern that matches the last user message responds, in pieces at the set pace', async () => {
    expect(await ask(script, 'Title of this?')).toEqual({
      reply: { text: 'A short title', finishReason: 'stop', usage: { promptTokens: 12, completionTokens: 3 } },
      error: undefined,
      pieces: ['A sh', 'ort ', 'titl', 'e'],
      delays: [30, 30, 30, 30],
    });
  });

  test('an entry may be an error', async () => {
    const { error, pieces } = await ask(script, 'the weather');
    expect({ error, pieces }).toEqual({
      error: { code: 'model.rejected', message: 'the forecast is down' },
      pieces: [],
    });
  });

  test('fails with the user message if no pattern matches', async () => {
    const { error } = await ask('replies: [{ match: "^a$", reply: b }]', 'q'.repeat(200));
    expect(error?.code).toBe('model.no-reply');
    expect(error?.message).toContain(`"${'q'.repeat(80)}…"`);
  });

  test('lists up to a limit of patterns if none matches, and suggests one that matches everything', async () => {
    const few = await ask('replies: [{ match: "^Judge", reply: b }, { match: "^List", error: c }]', 'Hello');
    expect(few.error?.message).toBe(
      'talk.yaml has no reply that matches "Hello". Its patterns: "^Judge", "^List". Add one that matches, or end the list with match: ".*", which matches everything else.',
    );
    expect(few.error).toMatchObject({ details: { patterns: ['^Judge', '^List'] } });
    const entries = Array.from({ length: 30 }, (_, index) => `{ match: "^${index}${'x'.repeat(99)}", reply: r }`);
    const many = await ask(`replies: [${entries.join(', ')}]`, 'Hello');
    expect(many.error?.message).toContain(' and 22 more. Add one');
    expect(many.error?.message.length).toBeLessThan(1000);
    expect((await ask('replies: []', 'Hello')).error?.message).toContain('It has no replies.');
  });

  test('pieces arrive at once without a pace, and no piece splits a character', async () => {
    const { pieces, delays } = await ask('{ chunkChars: 1, replies: [{ match: "", reply: "a😀b" }] }', 'q');
    expect({ pieces, delays }).toEqual({ pieces: ['a', '😀', 'b'], delays: [] });
  });

  test('an empty reply is a valid response', async () => {
    expect((await ask('replies: [{ match: "", reply: "" }]', 'q')).reply).toEqual({ text: '', finishReason: 'stop' });
  });
});

describe('cancellation', () => {
  test('cancellation stops between two pieces, and no further piece arrives', async () => {
    const controller = new AbortController();
    const timers: (() => void)[] = [];
    const pieces: string[] = [];
    const model = createScriptedModel({
      files: {
        readText: async (path) => ({
          path,
          text: '{ paceMs: 5, chunkChars: 1, replies: [{ match: "", reply: abc }] }',
        }),
      },
      clock: {
        now: () => 0,
        setTimer(callback) {
          timers.push(callback);
          return () => {};
        },
      },
    });
    const asked = model.ask(
      { model: 'talk.yaml', messages: [] },
      { signal: controller.signal, onText: (piece) => pieces.push(piece) },
    );
    const outcome = asked.then(
      () => 'answered',
      (reason: unknown) => reason,
    );
    await new Promise(setImmediate);
    timers[0]?.();
    await new Promise(setImmediate);
    controller.abort('stop');
    expect(await outcome).toBe('stop');
    for (const fire of timers) fire();
    await new Promise(setImmediate);
    expect(pieces).toEqual(['a']);
  });
});

describe('invalid scripts', () => {
  test.each([
    ['not YAML', 'replies: [', /talk\.yaml is not a scripted model: line 1/],
    ['empty', '', /the file/],
    ['an unknown key', 'replies: []\npace: 3', /"pace"/],
    ['a reply without a match', 'replies: [{ reply: x }]', /replies\.0 must be/],
    ['both a reply and an error', 'replies: [{ match: a, reply: x, error: y }]', /replies\.0 must be/],
    ['an invalid pattern', 'replies: [{ match: "(", reply: x }]', /replies\.0\.match must be a regular expression/],
    ['a negative pace', 'paceMs: -1\nreplies: []', /paceMs/],
  ])('rejects %s with its position', async (_what, script, message) => {
    const { error } = await ask(script, 'q');
    expect(error?.code).toBe('model.bad-script');
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain('\n');
  });
});

test.each(['(a+)+$', '(a|aa)+$', '(([a-z])+.)+[A-Z]([a-z])+$'])(
  'the pattern %s takes no longer than others',
  async (match) => {
    const script = JSON.stringify({
      replies: [
        { match, reply: 'no' },
        { match: '', reply: 'yes' },
      ],
    });
    expect((await ask(script, `${'a'.repeat(2000)}!`)).reply?.text).toBe('yes');
  },
);

test.each([
  ['(?=a)', 'uses look-around'],
  ['(a)\\1', 'uses a back reference'],
])('rejects the pattern %s by name, even after one that matches', async (match, words) => {
  const script = JSON.stringify({
    replies: [
      { match: '', reply: 'yes' },
      { match, reply: 'no' },
    ],
  });
  expect((await ask(script, 'a')).error).toEqual({
    code: 'model.bad-script',
    message: expect.stringContaining(`replies.1.match must be a regular expression; this one ${words}`),
  });
});

describe('scriptProblem', () => {
  test.each([
    ['replies: [{ match: "^a", reply: b }]', undefined],
    ['replies: [{ match: "(", reply: b }]', 'a.yaml is not a scripted model: replies.0.match must be'],
    ['replies: [', 'a.yaml is not a scripted model: line 1'],
    ['other: 1', 'a.yaml is not a scripted model: '],
  ])('%s', (text, problem) => {
    const found = scriptProblem('a.yaml', text);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});

describe('tools', () => {
  const script = `
chunkChars: 6
replies:
  - match: weather
    reply: "I shall look."
    calls: [{ tool: core.http_get, input: { url: "https://a.example" } }, { tool: my_tool }]
    usage: { promptTokens: 1, completionTokens: 2 }
  - { afterTool: core.http_get, match: "^sunny", reply: "It is sunny." }
  - { afterTool: my_tool, match: again, calls: [{ tool: my_tool, input: "no JSON" }] }
  - { afterTool: my_tool, error: "that is enough" }
  - { match: "", reply: "Anything else." }
`;
  const pieces: string[] = [];
  const model = createScriptedModel({
    files: { readText: async (path: string) => ({ path, text: script }) },
    clock: { now: () => 0, setTimer: () => () => {} },
  });
  const askAll = (messages: readonly ModelMessage[]) =>
    model.ask(
      { model: 'talk.yaml', messages },
      { signal: new AbortController().signal, onText: (piece) => pieces.push(piece) },
    );
  const question = { role: 'user', content: 'What is the weather?' } as const;
  const called = { role: 'assistant', content: '' } as const;
  const gave = (toolName: string, content: string) => ({ role: 'tool', toolCallId: 'x', toolName, content }) as const;

  test('a reply may call tools after its text, which is streamed', async () => {
    pieces.length = 0;
    const reply = await askAll([question]);
    expect(reply).toEqual({
      text: 'I shall look.',
      finishReason: 'tool-calls',
      usage: { promptTokens: 1, completionTokens: 2 },
      toolCalls: [
        { id: 'call-0', name: 'core__http_get', input: { url: 'https://a.example' } },
        { id: 'call-1', name: 'my_tool', input: {} },
      ],
    });
    expect(pieces).toEqual(['I shal', 'l look', '.']);
    expect(await askAll([question])).toEqual(reply);
  });

  test('a reply with afterTool responds to the last result of this tool, others only to the user', async () => {
    const sunny = [question, called, gave('my_tool', 'x'), gave('core__http_get', 'sunny')];
    expect(await askAll(sunny)).toMatchObject({ text: 'It is sunny.', finishReason: 'stop' });
    expect(await askAll([...sunny, called, gave('my_tool', 'again')])).toEqual({
      text: '',
      finishReason: 'tool-calls',
      toolCalls: [{ id: 'call-3', name: 'my_tool', input: 'no JSON' }],
    });
    expect(await askAll([...sunny, called, { role: 'user', content: 'And?' }])).toMatchObject({
      text: 'Anything else.',
    });
    const failed = await askAll([question, called, gave('my_tool', 'x')]).catch(toErrorRecord);
    expect(failed).toMatchObject({ code: 'model.rejected', message: 'that is enough' });
  });

  test('an unmatched text is reported with its source and a suggestion', async () => {
    const error = await askAll([question, called, gave('core__http_get', 'rain')]).catch(toErrorRecord);
    expect(error).toMatchObject({
      code: 'model.no-reply',
      message: expect.stringMatching(/matches "rain", the result of core\.http_get\..*Add one with afterTool: core/),
    });
  });

  test.each([
    'replies: [{ reply: b }]',
    'replies: [{ match: a, calls: [{ input: {} }] }]',
    'replies: [{ match: a, calls: [{ tool: a }], error: b }]',
    'replies: [{ match: a, afterTool: 1, reply: b }]',
  ])('rejects %s and explains what is expected', (text) => {
    expect(scriptProblem('talk.yaml', text)).toContain('must be { match, reply, usage? }');
  });
});
