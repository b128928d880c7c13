import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ErrorRecord, toErrorRecord } from '../../base/engine-error.ts';
import type { WebRequest, WebResponse } from '../../runtime/kernel/capabilities/web-capability.ts';
import { createWebClient } from './web-client.ts';

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let servers: Server[];
let received: Received[];
let answer: (response: ServerResponse, request: Received) => void;

const listener: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url: path, headers } = request;
    const entry = { method, path, headers, body: Buffer.concat(chunks).toString() };
    received.push(entry);
    answer(response, entry);
  });
};

async function listen(): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let base: string;

beforeEach(async () => {
  servers = [];
  received = [];
  answer = (response) => response.end('fine');
  base = await listen();
});

afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const web = createWebClient({ mayReachPrivate: () => true });

function send(request: Partial<WebRequest> = {}, signal = new AbortController().signal): Promise<WebResponse> {
  return web.send({ url: `${base}/`, method: 'GET', headers: {}, body: undefined, maxBytes: 1000, ...request }, signal);
}

async function failureOf(request: Partial<WebRequest>): Promise<ErrorRecord> {
  return await send(request).then(
    (response) => ({ code: 'none', message: JSON.stringify(response) }),
    (error: unknown) => toErrorRecord(error),
  );
}

describe('sending requests', () => {
  test('sends method, headers and body, and returns status, headers and text', async () => {
    answer = (response) => response.writeHead(201, { 'X-Made': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end('done');
    const response = await send({
      url: `${base}/things?q=1`,
      method: 'PUT',
      headers: { 'X-Key': 'k', 'Content-Type': 'text/plain' },
      body: 'größer',
    });
    expect(received[0]).toMatchObject({ method: 'PUT', path: '/things?q=1', body: 'größer' });
    expect(received[0]?.headers).toMatchObject({ 'x-key': 'k', 'content-type': 'text/plain' });
    expect(response).toMatchObject({ status: 201, text: 'done' });
    expect(response.headers).toMatchObject({ 'x-made': 'yes', 'set-cookie': 'a=1\nb=2' });
  });

  test.each([404, 500])('returns the status %i like any other', async (status) => {
    answer = (response) => response.writeHead(status).end('no');
    expect(await send()).toMatchObject({ status, text: 'no' });
  });

  test.each([
    ['GET', 204],
    ['HEAD', 200],
  ])('%s with status %i has an empty text', async (method, status) => {
    answer = (response) => response.writeHead(status, status === 200 ? { 'content-length': '5000' } : {}).end();
    expect(await send({ method })).toMatchObject({ status, text: '' });
  });
});

describe('reading responses', () => {
  test.each([
    ['text/plain; charset=ISO-8859-1', Buffer.from([0x67, 0x72, 0xfc, 0x6e]), 'grün'],
    ['text/html; charset="shift_jis"', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['text/plain; charset=utf-16le', Buffer.from('\ufeffzwei', 'utf16le'), 'zwei'],
    ['application/json', Buffer.from('"日本"'), '"日本"'],
    ['text/plain; charset=klingon', Buffer.from('grün'), 'grün'],
  ])('decodes %s', async (type, bytes, text) => {
    answer = (response) => response.writeHead(200, { 'content-type': type }).end(bytes);
    expect((await send()).text).toBe(text);
  });

  test('joins a character that arrives in two pieces', async () => {
    const [first, second] = [Buffer.from([0xe6, 0x97]), Buffer.from([0xa5])];
    answer = (response) => response.write(first, () => setImmediate(() => response.end(second)));
    expect((await send()).text).toBe('日');
  });

  test('unpacks gzip', async () => {
    answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('unpacked'));
    expect((await send()).text).toBe('unpacked');
  });

  test('reads up to the size limit and not one byte more, even for compressed data', async () => {
    answer = (response) => response.end('x'.repeat(1000));
    expect((await send()).text).toHaveLength(1000);
    answer = (response) => response.end('x'.repeat(1001));
    expect(await failureOf({})).toMatchObject({ code: 'web.too-large', details: { maxBytes: 1000 } });
    const bomb = gzipSync('x'.repeat(5_000_000));
    answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect((await failureOf({ maxBytes: bomb.length * 2 })).code).toBe('web.too-large');
  });

  test('closes the connection of an endless response as soon as it is too long', async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        const pump = (): void => {
          while (response.write('x'.repeat(4096))) {}
        };
        response.on('drain', pump).on('close', resolve);
        pump();
      };
    });
    expect((await failureOf({})).code).toBe('web.too-large');
    await closed;
  });

  test('reports a truncated or undecodable response as broken', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    };
    expect(await failureOf({})).toMatchObject({ code: 'web.broken', recoverable: true });
    answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip');
    expect(await failureOf({})).toMatchObject({
      code: 'web.broken',
      message: expect.stringContaining('cannot be decompressed'),
    });
  });
});

describe('redirects', () => {
  function redirect(status: number, location: string): void {
    answer = (response, { path }) => {
      if (path === '/') response.writeHead(status, { location }).end('over there');
      else response.end('here');
    };
  }

  test.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'data'],
    [308, 'POST', 'data'],
  ])('a POST answered with %i continues as %s', async (status, method, body) => {
    redirect(status, 'next?a=1');
    const response = await send({ method: 'POST', body: 'data', headers: { 'content-type': 'text/x', 'x-mine': '1' } });
    expect(response).toMatchObject({ status: 200, text: 'here' });
    expect(received[1]).toMatchObject({ method, body, path: '/next?a=1' });
    expect(received[1]?.headers['x-mine']).toBe('1');
    expect(received[1]?.headers['content-type']).toBe(body === '' ? undefined : 'text/x');
  });

  test('a redirect without a location is a response', async () => {
    answer = (response) => response.writeHead(304).end();
    expect((await send()).status).toBe(304);
    answer = (response) => response.writeHead(302).end('nowhere');
    expect(await send()).toMatchObject({ status: 302, text: 'nowhere' });
  });

  test('sends keys to the same server, but never to another one', async () => {
    const headers = { authorization: 'Bearer secret', cookie: 'session=1', 'x-other': 'stays' };
    redirect(302, '/same');
    await send({ headers });
    expect(received[1]?.headers).toMatchObject(headers);
    redirect(302, `${await listen()}/other`);
    await send({ headers });
    expect(received[3]?.path).toBe('/other');
    expect(received[3]?.headers).toMatchObject({ 'x-other': 'stays' });
    expect(received[3]?.headers).not.toHaveProperty('authorization');
    expect(received[3]?.headers).not.toHaveProperty('cookie');
  });

  test('follows five redirects or the given number, and ends a loop', async () => {
    answer = (response, { path }) => {
      const left = Number(path?.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    expect(await send({ url: `${base}/5` })).toMatchObject({ text: 'arrived', url: `${base}/0` });
    expect((await failureOf({ url: `${base}/2`, maxRedirects: 1 })).message).toContain('more than 1 times');
    received = [];
    expect(await failureOf({ url: `${base}/6` })).toMatchObject({
      code: 'web.unreachable',
      message: expect.stringContaining('more than 5 times'),
    });
    expect(received).toHaveLength(6);
  });

  test.each(['file:///etc/passwd', 'data:text/plain,x', 'ftp://127.0.0.1/'])(
    'never redirects to %s',
    async (location) => {
      redirect(302, location);
      expect(await failureOf({})).toMatchObject({
        code: 'web.bad-url',
        message: expect.stringContaining('neither http nor https'),
      });
    },
  );
});

describe('stopping requests', () => {
  test('an aborted signal sends nothing', async () => {
    const reason = new Error('stop');
    await expect(send({}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(received).toEqual([]);
  });

  test.each(['before', 'inside'])('an abort %s the response closes the connection', async (place) => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on('close', resolve);
        if (place === 'inside') response.write('beginning', () => setImmediate(() => controller.abort(reason)));
        else setImmediate(() => controller.abort(reason));
      };
    });
    await expect(send({}, controller.signal)).rejects.toBe(reason);
    await closed;
  });
});

describe('rejected requests', () => {
  test.each(['', 'example.org', '/path', 'file:///etc/passwd', 'http://', 'javascript:alert(1)'])(
    '%j is not a URL',
    async (url) => {
      expect(await failureOf({ url })).toMatchObject({
        code: 'web.bad-url',
        message: expect.stringContaining('must begin with http:// or https://'),
      });
    },
  );

  test('reports an invalid header by name, without its value', async () => {
    const { code, message } = await failureOf({ headers: { 'x-key': 'top\nsecret' } });
    expect({ code, message }).toMatchObject({ code: 'web.bad-request', message: expect.stringContaining('"x-key"') });
    expect(message).not.toContain('secret');
    expect((await failureOf({ headers: { 'bad name': 'x' } })).code).toBe('web.bad-request');
    expect((await failureOf({ headers: { 'transfer-encoding': 'x' } })).code).toBe('web.bad-request');
  });

  test('reports why a host cannot be reached, without secrets in the URL', async () => {
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    const error = await failureOf({ url: `${base}/path?key=sk-1234` });
    expect(error).toMatchObject({ code: 'web.unreachable', recoverable: true, details: { cause: 'ECONNREFUSED' } });
    expect(error.message).toBe(
      `${base}/path?… could not be reached: the connection was refused, because no program listens on that port (ECONNREFUSED).`,
    );
    const { message } = await failureOf({ url: 'nothttp://me:pw1234@host/?key=sk-1234' });
    expect(message).not.toMatch(/pw1234|sk-1234/);
  });

  test.each([
    ['', 'closed the connection without a response'],
    ['SSH-2.0-something\r\n', 'is not HTTP'],
  ])('a server that responds with %j', async (text, words) => {
    const raw = createSocketServer((socket: Socket) =>
      socket.on('error', () => {}).once('data', () => socket.end(text)),
    );
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`;
    expect(await failureOf({ url })).toMatchObject({
      code: 'web.unreachable',
      message: expect.stringContaining(words),
    });
    expect(await failureOf({ url: url.replace('http', 'https') })).toMatchObject({ code: 'web.unreachable' });
    await new Promise((resolve) => raw.close(resolve));
  });
});
