import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import { toErrorRecord } from '../../../base/engine-error.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { type ModelServer, type Plan, startModelServer } from '../../../testing/model-server.ts';
import type { ProviderRequest } from '../model-provider.ts';
import type { ProviderConfig } from '../provider-config.ts';
import { RefusedFields } from './optional-fields.ts';
import { createSdkProvider } from './sdk-provider.ts';

let server: ModelServer;
let refused: RefusedFields;

beforeEach(async () => {
  server = await startModelServer('openai-compatible');
  refused = new RefusedFields();
});
afterEach(() => server.close());

const schema: JsonMap = { type: 'object', properties: { name: { type: 'string' } } };
const tools = [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }];

interface Asking extends Partial<ProviderRequest> {
  readonly config?: Partial<ProviderConfig>;
}

async function ask({ config = {}, ...request }: Asking = {}) {
  const before = server.received.length;
  const provider = createSdkProvider({
    ...{ name: 'test', keyOf: () => 'a key', clock: systemClock, refused },
    config: { kind: 'openai-compatible', baseUrl: server.baseUrl, ...config },
  });
  const outcome = await provider
    .ask(
      { model: 'tiny', messages: [{ role: 'user', content: 'Hello?' }], ...request },
      { signal: new AbortController().signal, onText: () => {} },
    )
    .catch(toErrorRecord);
  return { outcome, bodies: server.received.slice(before).map(({ body }) => body) };
}

const no = (error: unknown, status = 400): Plan => ({ status, body: JSON.stringify(error) });
const extra = (...loc: string[]): unknown => ({
  detail: [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' }],
});

describe('omits a rejected field from the next attempt and from later requests', () => {
  test.each<[string, Asking, Plan]>([
    ['stream_options', {}, no(extra('body', 'stream_options'), 422)],
    ['stream_options', {}, no({ error: 'json: unknown field "stream_options"' })],
    ['stream_options', {}, { status: 400, body: "Unrecognized request argument supplied: 'stream_options'" }],
    [
      'temperature',
      { temperature: 0.3 },
      no({
        error: {
          message:
            "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
          param: 'temperature',
        },
      }),
    ],
    ['top_p', { topP: 0.9 }, no({ message: 'top_p is not supported by this model' })],
    [
      'reasoning_effort',
      { effort: 'low' },
      no({ error: { message: 'Unrecognized request argument', param: 'reasoning_effort' } }),
    ],
    [
      'tool_choice',
      { tools },
      no({ object: 'error', message: '"auto" tool_choice requires --enable-auto-tool-choice' }),
    ],
  ])('%s', async (field, asking, refusal) => {
    server.plan(refusal, {});
    const first = await ask(asking);
    expect(first.outcome).toMatchObject({
      text: 'Hello',
      notices: [expect.stringMatching(new RegExp(`does not accept ${field}, .*omit_fields = \\["${field}"\\]`))],
    });
    expect(first.bodies.map((body) => field in body)).toEqual([true, false]);
    const second = await ask(asking);
    expect(second.bodies.map((body) => field in body)).toEqual([false]);
    expect(second.outcome).toMatchObject({ text: 'Hello' });
  });

  test("reports a flow's setting each time it is omitted, and only for the model that rejected it", async () => {
    server.plan(no({ message: 'temperature is not supported' }), {});
    await ask({ temperature: 0 });
    const again = await ask({ temperature: 0 });
    expect(again.outcome).toMatchObject({ notices: [expect.stringContaining('temperature')] });
    const other = await ask({ temperature: 0, model: 'large' });
    expect(other.bodies[0]).toHaveProperty('temperature', 0);
    expect(other.outcome).not.toHaveProperty('notices');
  });

  test('omits several fields, one rejection after the other', async () => {
    server.plan(no(extra('body', 'stream_options')), no({ message: 'Unknown parameter: temperature' }), {});
    const { outcome, bodies } = await ask({ temperature: 0.3 });
    expect(outcome).toMatchObject({ text: 'Hello' });
    expect(bodies).toHaveLength(3);
    expect(bodies[2]).not.toHaveProperty('temperature');
  });

  test('omits strict wherever it occurs', async () => {
    server.plan(no({ message: 'Unknown field: strict' }), {});
    const config = { structuredOutput: 'schema' } as const;
    const { outcome, bodies } = await ask({ config, answerSchema: schema, tools });
    expect(outcome).toMatchObject({ text: 'Hello' });
    expect(bodies.map((body) => JSON.stringify(body).includes('"strict"'))).toEqual([true, false]);
    expect(bodies[1]).toHaveProperty('response_format.json_schema.schema');
  });
});

describe('the limit on the response length', () => {
  test('sends the limit under its other name if the usual one is rejected', async () => {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    server.plan(no({ error: { message, param: 'max_tokens' } }), {});
    const { outcome, bodies } = await ask({ maxTokens: 7 });
    expect(outcome).toMatchObject({ text: 'Hello' });
    expect(bodies).toEqual([
      expect.objectContaining({ max_tokens: 7 }),
      expect.not.objectContaining({ max_tokens: expect.anything() }),
    ]);
    expect(bodies[1]).toHaveProperty('max_completion_tokens', 7);
  });

  test('never omits the limit: a server that accepts neither name causes an error', async () => {
    server.plan(no({ message: 'max_tokens and max_completion_tokens are not supported' }));
    const { outcome, bodies } = await ask({ maxTokens: 7 });
    expect(outcome).toMatchObject({ code: 'model.rejected' });
    expect(bodies.length).toBeLessThanOrEqual(3);
    expect(bodies.every((body) => 'max_tokens' in body || 'max_completion_tokens' in body)).toBe(true);
  });
});

describe('a rejection that names no field', () => {
  test.each([
    ['without words', ''],
    ['in general words', '{"error":"Bad request"}'],
    ['about unknown fields', '{"message":"Additional properties are not allowed"}'],
  ])('%s costs one more attempt without the fields that Millrace adds', async (_name, body) => {
    server.plan({ status: 400, body }, {});
    const { outcome, bodies } = await ask({ temperature: 0.3 });
    expect(outcome).toMatchObject({ text: 'Hello' });
    expect(bodies.map((one) => ['stream_options' in one, 'temperature' in one])).toEqual([
      [true, true],
      [false, true],
    ]);
  });

  test('fails if the next attempt is rejected too, and remembers nothing', async () => {
    server.plan({ status: 422, body: '' });
    const first = await ask();
    expect(first.outcome).toMatchObject({ code: 'model.rejected' });
    expect(first.bodies).toHaveLength(2);
    server.plan({});
    expect((await ask()).bodies[0]).toHaveProperty('stream_options');
  });
});

test.each<[string, Asking, Plan]>([
  ['a value out of range', { temperature: 9 }, no({ message: 'temperature must be between 0 and 2' })],
  ['too long a prompt', {}, no({ message: 'The context length is 8192 tokens.' })],
  ['a key', {}, no({ message: 'Unknown key' }, 401)],
  ['a model', {}, no({ message: 'The model "tiny" does not exist' }, 404)],
  ['the server', {}, no({ message: 'Unexpected field stream_options' }, 500)],
])('a refusal that is about %s is final', async (_name, asking, refusal) => {
  server.plan(refusal);
  const { outcome, bodies } = await ask(asking);
  expect(outcome).toHaveProperty('code', expect.stringMatching(/^model\./));
  expect(bodies).toHaveLength(1);
});

describe('the setting omit_fields', () => {
  test('omits fields without a failed attempt or a notice', async () => {
    const config = { omitFields: ['stream_options', 'temperature', 'max_tokens'] };
    const { outcome, bodies } = await ask({ config, temperature: 0.3, maxTokens: 7 });
    expect(outcome).not.toHaveProperty('notices');
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toHaveProperty('stream_options');
    expect(bodies[0]).not.toHaveProperty('temperature');
    expect(bodies[0]).toMatchObject({ max_completion_tokens: 7 });
  });

  test('requests the schema in the prompt if it contains response_format', async () => {
    const config = { structuredOutput: 'schema', omitFields: ['response_format'] } as const;
    const { bodies } = await ask({ config, answerSchema: schema });
    expect(bodies[0]).not.toHaveProperty('response_format');
    expect(JSON.stringify(bodies[0])).toContain('Respond with one JSON value');
  });
});

test('uses the prompt for the schema once a provider has rejected response_format', async () => {
  server.plan(no({ message: "'response_format' of type json_schema is not supported" }), {});
  const asking: Asking = { config: { structuredOutput: 'schema' }, answerSchema: schema };
  expect((await ask(asking)).bodies.map((body) => 'response_format' in body)).toEqual([true, false]);
  expect((await ask(asking)).bodies.map((body) => 'response_format' in body)).toEqual([false]);
});
