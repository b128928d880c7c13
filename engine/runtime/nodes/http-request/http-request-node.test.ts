import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonMap, JsonValue } from '../../../language/json/json-value.ts';
import { createFakeCapabilities } from '../../../testing/fake-capabilities.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import type { WebResponse } from '../../kernel/capabilities/web-capability.ts';
import { httpRequestNode } from './http-request-node.ts';

const url = 'https://api.example/things';

async function request(input: JsonMap, { config = {}, answer = {} }: { config?: JsonMap; answer?: Answer } = {}) {
  const { capabilities, sent } = createFakeCapabilities({ respond: () => answer });
  const end = await runSingleNode({ type: 'http.request', input: { url, ...input }, config }, { capabilities });
  return { ...end, sent };
}

type Answer = Partial<WebResponse>;

function bodyOf({ output }: { output?: JsonValue }): JsonValue | undefined {
  return (output as { body: JsonValue } | undefined)?.body;
}

describe('sent requests', () => {
  test('sends a GET with a limit of 10 MiB by default', async () => {
    const { sent } = await request({});
    expect(sent).toEqual([{ url, method: 'GET', headers: {}, body: undefined, maxBytes: 10 * 1024 * 1024 }]);
  });

  test.each<[JsonValue, string | undefined, string | undefined]>([
    ['plain text', 'plain text', undefined],
    ['', '', undefined],
    [{ a: [1, null] }, '{"a":[1,null]}', 'application/json'],
    [7, '7', 'application/json'],
    [false, 'false', 'application/json'],
    [null, undefined, undefined],
  ])('of the body %j is %j with the type %s', async (body, text, type) => {
    const { sent } = await request({ method: 'POST', body });
    expect(sent[0]).toMatchObject({ method: 'POST', headers: type === undefined ? {} : { 'content-type': type } });
    expect(sent[0]?.body).toBe(text);
    expect(Object.keys(sent[0]?.headers ?? {})).toHaveLength(type === undefined ? 0 : 1);
  });

  test('keeps an explicit content type in any letter case', async () => {
    const { sent } = await request({ method: 'PUT', headers: { 'Content-TYPE': 'application/geo+json' }, body: {} });
    expect(sent[0]?.headers).toEqual({ 'Content-TYPE': 'application/geo+json' });
  });

  test('accepts a lower size limit', async () => {
    expect((await request({}, { config: { maxBytes: 5 } })).sent[0]?.maxBytes).toBe(5);
  });

  test.each([
    [{ url: 'ftp://example.org' }, 'http:// or https://'],
    [{ url: '/things' }, 'http:// or https://'],
    [{ method: 'FETCH' }, '"GET" or "HEAD"'],
    [{ body: 'x' }, 'cannot be sent with GET or HEAD'],
    [{ method: 'HEAD', body: { a: 1 } }, 'cannot be sent with GET or HEAD'],
  ])('never sends %j', async (input, words) => {
    const { sent, error } = await request(input);
    expect(error).toMatchObject({ code: 'node.bad-input', message: expect.stringContaining(words) });
    expect(sent).toEqual([]);
  });
});

describe('responses', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' };

  test.each([200, 204, 301, 404, 503])('accepts the response status %i', async (status) => {
    const { output } = await request({}, { answer: { status, headers: { 'x-a': '1' }, text: 'words' } });
    expect(output).toEqual({ status, headers: { 'x-a': '1' }, body: 'words' });
  });

  test.each<[string, Answer, JsonValue]>([
    ['auto', { headers: json, text: '{"a":1}' }, { a: 1 }],
    ['auto', { headers: json, text: 'null' }, null],
    ['auto', { headers: json, text: '{"a":' }, '{"a":'],
    ['auto', { headers: json, text: '' }, ''],
    ['auto', { headers: { 'content-type': 'application/problem+json' }, text: '[1]' }, [1]],
    ['auto', { headers: { 'content-type': 'application/jsonl' }, text: '[1]' }, '[1]'],
    ['auto', { headers: { 'content-type': 'text/plain; of=application/json' }, text: '[1]' }, '[1]'],
    ['auto', { text: '[1]' }, '[1]'],
    ['auto', { headers: json, text: '{"id":"9007199254740993"}' }, { id: '9007199254740993' }],
    ['text', { headers: json, text: '[9007199254740993]' }, '[9007199254740993]'],
    ['text', { headers: json, text: '{"a":1}' }, '{"a":1}'],
    ['json', { text: '{"a":1}' }, { a: 1 }],
  ])('read as %s: %j returns %j', async (parse, answer, body) => {
    expect(bodyOf(await request({}, { config: { parse }, answer }))).toEqual(body);
  });

  test.each([['<html>'], ['']])('fails if the response must be JSON and is %j', async (text) => {
    const { error } = await request({}, { config: { parse: 'json' }, answer: { text } });
    expect(error).toMatchObject({ code: 'http.bad-json', details: { status: 200 } });
  });

  test.each<[string, JsonValue, string]>([
    ['{"p_id":7615917337495251231,"name":"x"}', { p_id: '7615917337495251231', name: 'x' }, 'p_id'],
    ['[-9223372036854775808]', ['-9223372036854775808'], '0'],
    ['[1e400]', ['1e400'], '0'],
  ])(
    '%s has a number that cannot be kept: it is text, all else is as usual, and the log names it',
    async (text, body, path) => {
      for (const parse of ['json', 'auto']) {
        const answer = { text, headers: { 'content-type': 'application/json' } };
        const { output, events } = await request({}, { config: { parse }, answer });
        expect(output).toMatchObject({ body });
        expect(events.filter(({ event }) => event.type === 'log').map(({ event }) => event)).toMatchObject([
          { level: 'warn', text: expect.stringContaining(`become text: ${path}.`) },
        ]);
      }
    },
  );

  test('a failed request has the error code of its cause', async () => {
    const { capabilities } = createFakeCapabilities({
      respond: () => {
        throw new EngineError({ code: 'web.unreachable', message: 'Nobody there', recoverable: true });
      },
    });
    const { error } = await runSingleNode({ type: 'http.request', input: { url } }, { capabilities });
    expect(error).toMatchObject({ code: 'web.unreachable', recoverable: true, nodeId: 'node' });
  });
});

test.each([
  ['GET', 'idempotent'],
  ['HEAD', 'idempotent'],
  ['POST', 'external'],
  ['PUT', 'external'],
  ['DELETE', 'external'],
])('a %s request is %s', (method, effects) => {
  // The contract hides the input type from everything except the node.
  expect(httpRequestNode.effectsOf?.({} as never, { method } as never)).toBe(effects);
});

test('its card shows the request', () => {
  expect(httpRequestNode.summary?.({}, { url: '{{flow.input.site}}/a', method: 'PUT' })).toEqual([
    'PUT',
    ' ',
    { chip: 'flow.input.site/a' },
  ]);
  expect(httpRequestNode.summary?.({}, {})).toEqual(['GET', ' ', 'no URL yet']);
});
