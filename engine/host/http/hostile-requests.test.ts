/**
 * Attacks on the addresses of flows with requests that have a valid key or session: on sessions, limits, content and the
 * protocol.
 */
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPageSessions, type PageSession, readServiceKey } from './page-sessions.ts';
import { AddressWorld, askFlow, echoFlow } from './test-addresses.ts';

let world: AddressWorld;
let key: string;
let asking: string;

beforeEach(async () => {
  world = new AddressWorld();
  world.write('echo.flow.yaml', echoFlow);
  world.write('ask.flow.yaml', askFlow);
  await world.open();
  key = await world.publish('echo', { limits: { perHour: 1_000, runsAtOnce: 50, bodyBytes: 100_000 } });
  asking = await world.publish('ask', { limits: { runsAtOnce: 50 } });
});
afterEach(() => world.close());

const wait = { Prefer: 'wait=60' };
const body = { word: 'hi' };

async function startEcho(more: Parameters<AddressWorld['send']>[1] = {}) {
  return await world.send('/flows/echo/runs', { key, body, ...more });
}

async function countRuns(): Promise<number> {
  return (await world.engine.listRuns({ limit: 1_000 })).length;
}

describe('pages', () => {
  async function session(name: string, more: Omit<PageSession, 'id'> = {}): Promise<string> {
    const serviceKey = await readServiceKey(world.home, [world.folder]);
    const sessions = createPageSessions({
      key: serviceKey,
      clock: { now: Date.now, setTimer: () => () => {} },
      origins: () => [],
    });
    return sessions.cookie(name, { ...more, isSecure: false }).split(';')[0] ?? '';
  }

  test('of other sites cannot use the session of a person', async () => {
    await world.serve();
    const cookie = await session('echo');
    const start = (headers: Record<string, string>) =>
      world.send('/flows/echo/runs', { body, headers: { cookie, ...headers } });
    const port = new URL(world.origin).port;
    for (const origin of [
      'https://evil.example',
      'null',
      'http://127.0.0.1',
      `http://127.0.0.1:${port}.evil.example`,
      `https://127.0.0.1:${port}`,
      'file://',
    ])
      expect([origin, (await start({ origin })).status]).toEqual([origin, 403]);
    // A form or an image of another site sends no Origin, or another type.
    expect((await start({})).status).toBe(403);
    expect((await start({ referer: `${world.origin}/f/echo` })).status).toBe(403);
    const simple = { body: 'word=hi', headers: { cookie, origin: world.origin, 'content-type': 'text/plain' } };
    expect((await world.send('/flows/echo/runs', { method: 'POST', ...simple })).status).toBe(415);
    expect(await countRuns()).toBe(0);
    expect((await start({ origin: world.origin })).status).toBe(202);
  });

  test('do not read steps and outputs from the API if they do not show them', async () => {
    await world.serve();
    await world.engine.publishFlow({ flow: 'echo.flow.yaml', by: 'kim', page: { showsProgress: false } });
    const headers = { cookie: await session('echo'), origin: world.origin };
    const { json } = await world.send('/flows/echo/runs', { body, headers: { ...headers, ...wait } });
    expect(json).toMatchObject({ status: 'completed', durationMs: expect.any(Number) });
    const ended = (await world.send(json.links.self, { headers })).json;
    expect(ended).toMatchObject({ status: 'completed' });
    for (const view of [json, ended]) expect(view).not.toHaveProperty('outputs');
    expect(await world.send(json.links.events, { headers })).toMatchObject({ status: 403 });
    expect((await world.send(json.links.self, { key })).json).toMatchObject({ outputs: { word: 'hi' } });
  });

  test('see only the runs that they have started, and only of their flow', async () => {
    await world.serve();
    const [one, two, other] = [await session('echo'), await session('echo'), await session('ask')];
    const own = { cookie: one, origin: world.origin };
    const { json } = await world.send('/flows/echo/runs', { body, headers: { ...own, ...wait } });
    expect((await world.send(json.links.self, { headers: own })).status).toBe(200);
    const byKey = (await startEcho({ headers: wait })).json;
    const seen = [
      [two, json.links.self, 404],
      [two, json.links.events, 404],
      [one, byKey.links.self, 404],
      [other, json.links.self, 401],
      [other.replace('page-ask', 'page-echo'), json.links.self, 401],
      [`${one}x`, json.links.self, 401],
      [
        one.replace(/=.*\./, `=${Buffer.from('{"name":"echo","id":"a","at":9e15}').toString('base64url')}.`),
        json.links.self,
        401,
      ],
    ] as const;
    for (const [cookie, path, status] of seen)
      expect([path, (await world.send(path, { headers: { cookie } })).status]).toEqual([path, status]);
    expect(
      (await world.send(json.links.cancel, { method: 'POST', headers: { cookie: two, origin: world.origin } })).status,
    ).toBe(404);
  });

  test('end with their key, and with the page', async () => {
    await world.serve();
    const [first, second] = await world.engine.listApiKeys();
    const headers = { cookie: await session('echo', { keyId: first?.id ?? '' }), origin: world.origin };
    expect((await world.send('/flows/echo/runs', { body, headers })).status).toBe(202);
    const foreign = { ...headers, cookie: await session('echo', { keyId: second?.id ?? '' }) };
    expect((await world.send('/flows/echo/runs', { body, headers: foreign })).status).toBe(401);
    await world.engine.revokeApiKey(first?.id ?? '');
    expect((await world.send('/flows/echo/runs', { body, headers })).status).toBe(401);
    const open = { ...headers, cookie: await session('echo', { isOpen: true }) };
    expect((await world.send('/flows/echo/runs', { body, headers: open })).status).toBe(401);
    const free = { ...headers, cookie: await session('echo') };
    await world.engine.publishFlow({ flow: 'echo.flow.yaml', by: 'kim', page: { isOn: false } });
    expect((await world.send('/flows/echo/runs', { body, headers: free })).status).toBe(401);
  });
});

describe('limits', () => {
  test('hold for all callers together, whatever address they claim', async () => {
    await world.engine.publishFlow({ flow: 'echo.flow.yaml', by: 'kim', limits: { perHour: 3 } });
    await world.serve();
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) {
      const headers = {
        'X-Forwarded-For': `10.0.0.${count}`,
        'X-Real-IP': `10.0.0.${count}`,
        Forwarded: `for=10.0.0.${count}`,
        ...wait,
      };
      statuses.push((await startEcho({ headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const parallel = await Promise.all(Array.from({ length: 10 }, () => startEcho()));
    expect(parallel.every(({ status }) => status === 429)).toBe(true);
    expect(await countRuns()).toBe(3);
  });

  test('hold for requests at the same moment', async () => {
    await world.engine.publishFlow({ flow: 'ask.flow.yaml', by: 'kim', limits: { runsAtOnce: 2, perHour: 1_000 } });
    await world.serve();
    const all = await Promise.all(
      Array.from({ length: 12 }, () => world.send('/flows/ask/runs', { key: asking, body: {} })),
    );
    expect(all.filter(({ status }) => status === 202)).toHaveLength(2);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  test('bound bodies, waiting and event IDs', async () => {
    await world.serve();
    const bombs = [
      '['.repeat(50_000),
      `{"word":${'{"a":'.repeat(9_000)}`,
      `{"word":"${'x'.repeat(100_000)}"}`,
      `${' '.repeat(100_001)}{}`,
    ];
    for (const bomb of bombs) expect([400, 413]).toContain((await startEcho({ body: bomb })).status);
    const { host } = new URL(world.origin);
    const start = `POST /flows/echo/runs HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n`;
    expect(await world.raw(`${start}Content-Length: 9999999999999\r\n\r\n{}`)).toEqual([
      expect.stringMatching(/ 4\d\d$/),
    ]);
    for (const seconds of ['999999999', '1e9', '-1', 'Infinity', '0', ''])
      expect([200, 202]).toContain((await startEcho({ headers: { Prefer: `wait=${seconds}` } })).status);
    const { json } = await startEcho({ headers: wait });
    for (const id of ['9'.repeat(16), '-2', '1;drop', '0x10', '1 2', 'NaN', '\u00e9'])
      expect((await world.send(json.links.events, { key, headers: { 'Last-Event-ID': id } })).status).toBe(400);
  });
});

describe('content', () => {
  test('of inputs adds no keys, headers, events or values of the history', async () => {
    await world.serve();
    for (const text of [
      '{"word":"hi","__proto__":{"isAdmin":true}}',
      '{"word":{"$value":"0","bytes":1,"preview":""}}',
      '{"word":"a","constructor":1}',
    ])
      expect((await startEcho({ body: text })).status).toBe(400);
    expect(({} as { isAdmin?: true }).isAdmin).toBeUndefined();
    const word = 'a\r\nSet-Cookie: x=y\r\n\r\nevent: end\ndata: {}\n\n{{secret.KEY}} {{flow.input.word}}';
    const { json, headers } = await startEcho({ body: { word }, headers: wait });
    expect([json.outputs.word, headers['set-cookie']]).toEqual([word, undefined]);
    const events = (await world.send(json.links.events, { key })).text;
    expect(events.match(/^event: end$/gm)).toHaveLength(1);
    expect(events).not.toMatch(/^Set-Cookie/m);
  });

  test('of an idempotency key of another caller changes nothing', async () => {
    await world.serve();
    const other = (await world.engine.createApiKey({ name: 'B', flows: ['echo'], by: 'kim' })).key;
    const [first] = await world.engine.listApiKeys();
    const own = { 'Idempotency-Key': 'order-1' };
    await world.send('/flows/echo/runs', { key: other, body: { word: 'poison' }, headers: own });
    for (const forged of [`key:${first?.id}`, `../order-1`, `order-1#again1`])
      await world.send('/flows/echo/runs', {
        key: other,
        body: { word: 'poison' },
        headers: { 'Idempotency-Key': forged },
      });
    const { json } = await startEcho({ headers: { ...own, ...wait } });
    expect(json.outputs).toEqual({ word: 'hi' });
  });

  test('of requests names no address that the service would call', async () => {
    let calls = 0;
    const target = createServer((_, response) => {
      calls++;
      response.end();
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(target.address() as { port: number }).port}/`;
    await world.serve();
    const headers = {
      ...wait,
      Callback: url,
      'Webhook-URL': url,
      'X-Callback-Url': url,
      Link: `<${url}>; rel=callback`,
    };
    expect((await startEcho({ headers })).status).toBe(200);
    for (const name of ['callback', 'callbackUrl', 'webhook'])
      expect((await startEcho({ body: { word: url, [name]: url } })).status).toBe(400);
    await new Promise((resolve) => target.close(resolve));
    expect(calls).toBe(0);
  });

  test('of errors has no stack, no path of the machine and no detail of the workspace', async () => {
    world.write(
      'fail.flow.yaml',
      'flow: { name: Fail }\nnodes: [{ id: read, type: file.read, input: { path: none.txt } }]\nedges: []\n',
    );
    const failing = await world.publish('fail');
    await world.serve();
    const { json, text } = await world.send('/flows/fail/runs', { key: failing, body: {}, headers: wait });
    expect([json.status, Object.keys(json.error).sort()]).toEqual(['failed', ['code', 'message', 'nodeId']]);
    const events = (await world.send(json.links.events, { key: failing })).text;
    for (const leak of [world.folder, world.home, '.ts:', 'at '])
      expect([leak, (text + events).includes(leak)]).toEqual([leak, false]);
  });
});

describe('the protocol', () => {
  test('is not used to smuggle a second request', async () => {
    await world.serve();
    const host = new URL(world.origin).host;
    const hidden = `POST /flows/echo/runs HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{"word":"hi"}`;
    const start = `POST /flows/ask/runs HTTP/1.1\r\nHost: ${host}\r\n`;
    const attacks = [
      `${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      `${start}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${hidden}`,
      `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
      `${start}Content-Length: 0\r\nContent-Length: 5\r\n\r\n${hidden}`,
      `${start}Content-Length: -1\r\n\r\n${hidden}`,
      `GET /flows/echo/runs HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`,
      `GET http://evil.example/flows/echo/openapi.json HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    ];
    for (const attack of attacks) for (const line of await world.raw(attack)) expect(line).toMatch(/ 4\d\d$/);
    expect(await countRuns()).toBe(0);
  });

  test('has no other methods, and answers no other name', async () => {
    await world.serve();
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await world.send('/flows/echo/runs', { key, method, body })).status).toBe(404);
    const headers = { host: 'attacker.example' };
    expect((await startEcho({ headers })).status).toBe(403);
    expect(
      (await startEcho({ headers: { 'X-HTTP-Method-Override': 'DELETE', 'X-Original-URL': '/flows/ask/runs' } }))
        .status,
    ).toBe(202);
    expect(await countRuns()).toBe(1);
  });
});
