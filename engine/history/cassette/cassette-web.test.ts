import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { WebCapability, WebRequest, WebResponse } from '../../runtime/kernel/capabilities/web-capability.ts';
import { createTestFolder, type TestFolder } from '../../world/files/testing/test-folder.ts';
import { createWebClient } from '../../world/web/web-client.ts';
import { type CassetteMode, openCassette } from './cassette-player.ts';
import { createCassetteWeb } from './cassette-web.ts';

let folder: TestFolder;
let file: string;
let server: Server;
let origin: string;
let heard: IncomingMessage[];
let answer: (response: ServerResponse, request: IncomingMessage) => void;

beforeEach(async () => {
  folder = createTestFolder();
  file = folder.at('web.cassette.yaml');
  heard = [];
  server = createServer((request, response) => {
    heard.push(request);
    request.resume();
    request.on('end', () => answer(response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  folder.remove();
});

async function open(mode: CassetteMode): Promise<WebCapability> {
  const player = await openCassette({ file, mode, secrets: () => [], onMiss: () => {}, onOdd: () => {} });
  return createCassetteWeb(createWebClient({ mayReachPrivate: () => true }), player);
}

const text = (): string => readFileSync(file, 'utf8');

function send(web: WebCapability, request: Partial<WebRequest>): Promise<WebResponse> {
  const whole = { url: `http://${origin}/`, method: 'POST', headers: {}, body: undefined, maxBytes: 1e8, ...request };
  return web.send(whole, new AbortController().signal);
}

async function recordAndReplay(request: Partial<WebRequest>): Promise<{ live: WebResponse; again: WebResponse }> {
  const live = await send(await open('record'), request);
  return { live, again: await send(await open('replay'), request) };
}

describe('a response', () => {
  test.each([
    ['JSON', '{"b":[1,2.50,-0],"a":{}}'],
    ['JSON as a tree', '{"b":[1,{"2":"x"}],"a":"é\\n"}'],
    ['JSON with spaces', '{\n  "a": 1\n}\n'],
    ['text', 'one\r\ntwo\u0000three \n\n'],
    ['nothing', ''],
    ['megabytes', '{"row": "of text"}\n'.repeat(100_000)],
    ['long JSON', JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id })))],
  ])('that is %s is replayed exactly', async (_, body) => {
    answer = (response) => response.writeHead(207, { 'x-a': 'b' }).end(body);
    const { live, again } = await recordAndReplay({});
    expect(live.text).toBe(body);
    expect(again).toEqual(live);
    expect(heard).toHaveLength(1);
  });

  test('that came from another URL contains it again', async () => {
    answer = (response, { url }) => {
      if (url === '/there') response.end('found');
      else response.writeHead(303, { location: '/there' }).end();
    };
    const { live, again } = await recordAndReplay({});
    expect(live.url).toBe(`http://${origin}/there`);
    expect(again).toEqual(live);
  });

  test('that is a network error is replayed as one', async () => {
    answer = (response) => response.destroy();
    const error = await send(await open('record'), {}).catch(toErrorRecord);
    expect(error).toMatchObject({ code: 'web.unreachable' });
    expect(await send(await open('replay'), {}).catch(toErrorRecord)).toEqual(error);
  });

  test('that was edited into an invalid value is rejected', async () => {
    answer = (response) => response.end('fine');
    await send(await open('record'), {});
    folder.write('web.cassette.yaml', text().replace('status: 200', 'status: good'));
    expect(await send(await open('replay'), {}).catch(toErrorRecord)).toMatchObject({ code: 'cassette.unreadable' });
  });
});

describe('a request matches', () => {
  const json = { 'content-type': 'application/json' };
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  test.each<[string, Partial<WebRequest>, Partial<WebRequest>]>([
    ['header names in capitals', { headers: { Accept: 'x', B: 'y' } }, { headers: { b: 'y', accept: 'x' } }],
    [
      'headers that differ between runs',
      { headers: { traceparent: '1', 'X-Request-Id': 'a' } },
      { headers: { traceparent: '2' } },
    ],
    ['other credentials', { headers: { authorization: 'a' } }, { headers: { authorization: 'b' } }],
    ['JSON in another order', { headers: json, body: '{"a":1,"b":2}' }, { headers: json, body: '{ "b": 2, "a": 1 }' }],
    ['a form in another order', { headers: form, body: 'a=1&b=2&b=3' }, { headers: form, body: 'b=2&a=1&b=3' }],
  ])('with %s', async (_, recorded, asked) => {
    answer = (response) => response.end('found');
    await send(await open('record'), recorded);
    expect((await send(await open('replay'), asked)).text).toBe('found');
  });

  test('but not with another long number, and responses keep long numbers', async () => {
    const text = '{"id":9007199254740993}';
    answer = (response) => response.end(text);
    expect((await recordAndReplay({ body: text })).again.text).toBe(text);
    const other = send(await open('replay'), { body: '{"id":9007199254740992}' });
    expect(await other.catch(toErrorRecord)).toMatchObject({ code: 'cassette.miss' });
  });

  test.each<[string, Partial<WebRequest>]>([
    ['method', { method: 'PUT' }],
    ['url', { url: 'http://127.0.0.1:9/other' }],
    ['headers.accept', { headers: { accept: 'text/plain' } }],
    ['json.a', { body: '{"a":2}' }],
    ['maxBytes', { maxBytes: 5 }],
  ])('but not with another %s, which is named', async (field, change) => {
    const request = { headers: { accept: '*/*' }, body: '{"a":1}' };
    answer = (response) => response.end('found');
    await send(await open('record'), request);
    expect(await send(await open('replay'), { ...request, ...change }).catch(toErrorRecord)).toMatchObject({
      code: 'cassette.miss',
      message: expect.stringContaining(`differs in ${field}: `),
    });
  });
});

test('secrets in URL, headers, bodies and cookies are sent, but not recorded', async () => {
  answer = (response, { headers }) => {
    response.setHeader('set-cookie', ['sid=cookie-secret-1; HttpOnly', 'b=cookie-secret-2']);
    response.setHeader('x-auth-token', 'response-secret-3');
    response.end(JSON.stringify({ access_token: 'response-secret-4', echo: headers }));
  };
  const request = {
    url: `http://${origin}/a?key=url-secret-6&q=shown#token=url-secret-7`,
    headers: {
      Authorization: 'Bearer header-secret-8',
      Cookie: 'sid=header-secret-9',
      'X-Api-Key': 'header-secret-10',
    },
    body: JSON.stringify({ user: 'shown', password: 'body-secret-11', note: 'with header-secret-10 in it' }),
  };
  const { live, again } = await recordAndReplay(request);
  expect(heard[0]?.headers.authorization).toBe('Bearer header-secret-8');
  expect(live.text).toContain('response-secret-4');
  expect(text()).not.toMatch(/secret-\d/);
  expect(text()).toContain('q=shown');
  expect(text()).toContain('user: shown');
  expect(again.status).toBe(200);
  expect(again.text).toContain('"access_token":"[secret]"');
});

test('secrets of a form are not recorded', async () => {
  answer = (response) => response.end('fine');
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  await send(await open('record'), { headers, body: 'grant_type=password&client_secret=s3cr%2Bt&password=hidden+one' });
  expect(text()).not.toMatch(/s3cr|hidden/);
  expect(text()).toContain('grant_type: password');
});
