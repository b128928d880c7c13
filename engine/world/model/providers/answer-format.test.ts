import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import { toErrorRecord } from '../../../base/engine-error.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../../language/json/json-value.ts';
import type { JsonSchema } from '../../../language/schema/json-schema.ts';
import { type ModelServer, startModelServer } from '../../../testing/model-server.ts';
import type { ProviderConfig, ProviderKind } from '../provider-config.ts';
import { createSdkProvider } from './sdk-provider.ts';

let server: ModelServer | undefined;
afterEach(() => server?.close());

const strict: JsonMap = {
  type: 'object',
  properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['name', 'tags'],
  additionalProperties: false,
};
const loose: JsonMap = { type: 'object', properties: { name: { type: 'string' } } };
const words = (schema: JsonSchema): string =>
  `Respond with one JSON value that matches this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`;

interface Asked {
  readonly kind: ProviderKind;
  readonly schema: JsonSchema;
  readonly structuredOutput?: NonNullable<ProviderConfig['structuredOutput']>;
  readonly model?: string;
  readonly system?: string;
  /** Statuses of the first responses. */
  readonly statuses?: readonly number[];
}

/** Sends a request and returns the bodies that the provider received. */
async function bodiesOf({ kind, schema, structuredOutput, model = 'tiny', system, statuses = [] }: Asked) {
  server = await startModelServer(kind);
  server.plan(...statuses.map((status) => ({ status, message: 'no such mode' })), { pieces: ['{"name":"Ada"}'] });
  const config = {
    kind,
    baseUrl: server.baseUrl,
    apiKeyEnv: 'A_KEY',
    ...(structuredOutput === undefined ? {} : { structuredOutput }),
  };
  const provider = createSdkProvider({ name: 'test', config, keyOf: () => 'sk-key', clock: systemClock });
  const messages = [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
    { role: 'user' as const, content: 'Who?' },
  ];
  const reply = await provider
    .ask(
      { model, messages, answerSchema: schema },
      { signal: new AbortController().signal, onText: () => {}, onReasoning: () => {} },
    )
    .catch(toErrorRecord);
  return { reply, bodies: server.received.map(({ body }) => body as JsonMap) };
}

function at(value: JsonValue | undefined, ...keys: string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>((found, key) => (isJsonMap(found) ? found[key] : undefined), value);
}

describe("BB-01 sends the schema in the provider's own mode", () => {
  test('OpenAI: strict mode if the schema fits its rules, otherwise not strict', async () => {
    const first = await bodiesOf({ kind: 'openai', schema: strict });
    expect(at(first.bodies[0], 'text', 'format')).toMatchObject({ type: 'json_schema', strict: true, schema: strict });
    await server?.close();
    const second = await bodiesOf({ kind: 'openai', schema: loose });
    expect(at(second.bodies[0], 'text', 'format')).toMatchObject({ type: 'json_schema', strict: false });
    expect(second.bodies).toHaveLength(1);
    expect(JSON.stringify(second.bodies)).not.toContain('Respond with one JSON value');
  });

  test.each<[string, JsonMap]>([
    ['a field that is not required', { ...strict, required: ['name'] }],
    ['other fields allowed', { ...strict, additionalProperties: true }],
    ['a keyword that strict mode does not support', { ...strict, minProperties: 1 }],
    ['a nested field that is loose', { ...strict, properties: { name: loose, tags: { type: 'array' } } }],
    ['an item without a type', { ...strict, properties: { name: {}, tags: { type: 'array', items: true } } }],
    ['a field without a type', { ...strict, properties: { name: {}, tags: { type: 'array' } } }],
  ])('OpenAI: %s is not strict', async (_name, schema) => {
    const { bodies } = await bodiesOf({ kind: 'openai', schema });
    expect(at(bodies[0], 'text', 'format')).toMatchObject({ strict: false });
  });

  test('Anthropic: sends the schema', async () => {
    const { bodies } = await bodiesOf({ kind: 'anthropic', schema: strict, model: 'claude-sonnet-4-5' });
    expect(at(bodies[0], 'output_config', 'format')).toMatchObject({ type: 'json_schema', schema: { type: 'object' } });
  });

  test('Gemini: sends the schema if its subset supports it', async () => {
    const { bodies } = await bodiesOf({ kind: 'gemini', schema: loose });
    expect(at(bodies[0], 'generationConfig')).toMatchObject({
      responseMimeType: 'application/json',
      responseSchema: { properties: { name: { type: 'string' } } },
    });
    await server?.close();
    const other = await bodiesOf({ kind: 'gemini', schema: { ...loose, patternProperties: { '^x': {} } } });
    expect(at(other.bodies[0], 'generationConfig', 'responseSchema')).toBeUndefined();
    expect(JSON.stringify(other.bodies[0])).toContain('Respond with one JSON value');
  });

  test('Ollama: sends the schema', async () => {
    const { bodies } = await bodiesOf({ kind: 'ollama', schema: loose });
    expect(at(bodies[0], 'response_format')).toMatchObject({ type: 'json_schema', json_schema: { schema: loose } });
  });

  test('compatible hosts: in the prompt, unless their setting allows more', async () => {
    const plain = await bodiesOf({ kind: 'openai-compatible', schema: loose });
    expect(plain.bodies[0]).not.toHaveProperty('response_format');
    expect(at(plain.bodies[0], 'messages')).toEqual([
      { role: 'system', content: words(loose) },
      { role: 'user', content: 'Who?' },
    ]);
    await server?.close();
    const json = await bodiesOf({ kind: 'openai-compatible', schema: loose, structuredOutput: 'json' });
    expect(at(json.bodies[0], 'response_format')).toEqual({ type: 'json_object' });
    expect(JSON.stringify(json.bodies[0])).toContain('Respond with one JSON value');
    await server?.close();
    const schema = await bodiesOf({ kind: 'openai-compatible', schema: loose, structuredOutput: 'schema' });
    expect(at(schema.bodies[0], 'response_format')).toMatchObject({ type: 'json_schema' });
    expect(JSON.stringify(schema.bodies[0])).not.toContain('Respond with one JSON value');
  });
});

describe('BB-01 otherwise describes the schema at the end of the system message', () => {
  test.each<JsonSchema>([true, { type: 'array', items: {} }, { anyOf: [loose, { type: 'null' }] }])(
    'for the root %j, which is not an object',
    async (schema) => {
      const { bodies } = await bodiesOf({ kind: 'ollama', schema, system: 'Be brief.' });
      expect(bodies[0]).not.toHaveProperty('response_format');
      expect(at(bodies[0], 'messages')).toEqual([
        { role: 'system', content: `Be brief.\n\n${words(schema)}` },
        { role: 'user', content: 'Who?' },
      ]);
    },
  );

  test.each<[ProviderKind, number]>([
    ['openai', 400],
    ['anthropic', 400],
    ['gemini', 400],
    ['ollama', 422],
  ])('when %s refuses the mode with HTTP %i', async (kind, status) => {
    const { reply, bodies } = await bodiesOf({ kind, schema: loose, statuses: [status] });
    expect(reply).toMatchObject({ text: '{"name":"Ada"}' });
    expect(bodies).toHaveLength(2);
    expect(JSON.stringify(bodies[0])).not.toContain('Respond with one JSON value');
    expect(JSON.stringify(bodies[1])).toContain('Respond with one JSON value');
  });

  test('reports a rejected key, and a rejection of the request with the schema in the prompt', async () => {
    const key = await bodiesOf({ kind: 'ollama', schema: loose, statuses: [401] });
    expect([key.bodies.length, key.reply]).toEqual([1, expect.objectContaining({ code: 'model.rejected' })]);
    await server?.close();
    const both = await bodiesOf({ kind: 'ollama', schema: loose, statuses: [400, 400] });
    expect([both.bodies.length, both.reply]).toEqual([2, expect.objectContaining({ code: 'model.rejected' })]);
  });
});
