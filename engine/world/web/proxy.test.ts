/** Tests with real proxies, and a real TLS server with its own certificate authority. */
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { makeCertificates, startTestProxy, type TestProxy } from '../../testing/test-proxy.ts';
import { createWebClient } from './web-client.ts';
import { webFetch } from './web-fetch.ts';

const name = 'models.company.test';
const certificates = makeCertificates(name);
const variables = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];
const before = Object.fromEntries(variables.map((variable) => [variable, process.env[variable]]));

let proxy: TestProxy;
let plain: Server;
let secure: Server;
let heard: string[];

const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  const answer = { key: certificates?.key, cert: certificates?.cert };
  plain = createServer((request, response) => {
    heard.push(`${request.headers.host} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
    response.end('plain');
  });
  secure = createTlsServer(answer, (request, response) => {
    heard.push(`${request.headers.host} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
    response.end('secure');
  });
  for (const server of [plain, secure]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  certificates?.remove();
});
beforeEach(async () => {
  heard = [];
  proxy = await startTestProxy();
});
afterEach(async () => {
  await proxy.close();
  for (const variable of variables) {
    const value = before[variable];
    if (value === undefined) delete process.env[variable];
    else process.env[variable] = value;
  }
});

async function failureOf(work: Promise<unknown>) {
  return await work.then(() => ({ message: 'It has not failed.' }), toErrorRecord);
}

describe('a plain request goes through HTTP_PROXY', () => {
  test('requests the full URL from the proxy, with its password', async () => {
    process.env['HTTP_PROXY'] = `http://me:pw%401234@127.0.0.1:${proxy.port}`;
    const address = `http://127.0.0.1:${portOf(plain)}/a?b=1`;
    expect(await (await webFetch(address)).text()).toBe('plain');
    expect(proxy.asked).toEqual([`GET ${address}`]);
    expect(proxy.authorizations).toEqual([`Basic ${btoa('me:pw@1234')}`]);
    expect(heard[0]).toMatch(new RegExp(`^127.0.0.1:${portOf(plain)} /a\\?b=1`));
  });

  test('sends the request directly if NO_PROXY names its host', async () => {
    process.env['HTTP_PROXY'] = `http://127.0.0.1:${proxy.port}`;
    process.env['NO_PROXY'] = '127.0.0.0/8';
    expect(await (await webFetch(`http://127.0.0.1:${portOf(plain)}/`)).text()).toBe('plain');
    expect(proxy.asked).toEqual([]);
  });
});

describe('a failing proxy is reported without its password', () => {
  const secret = 'pw1234';

  test.each([
    [407, 'requires a user name and a password'],
    [403, 'status 403'],
    [502, 'status 502'],
  ])('reports a proxy that responds with status %i', async (status, words) => {
    const value = `http://me:${secret}@127.0.0.1:${proxy.port}`;
    Object.assign(process.env, { HTTPS_PROXY: value, HTTP_PROXY: value });
    proxy.refusal = status;
    const errors = [await failureOf(client(true, 'https://models.company.test/'))];
    if (status === 407) errors.push(await failureOf(client(true, 'http://models.company.test/')));
    for (const error of errors) {
      expect(error).toMatchObject({ code: 'web.proxy-failed', message: expect.stringContaining(words) });
      expect(error.message).toContain(`127.0.0.1:${proxy.port}`);
      expect(JSON.stringify(error)).not.toContain(secret);
    }
  });

  test('reports a proxy that cannot be reached', async () => {
    const value = `http://me:${secret}@127.0.0.1:${proxy.port}`;
    Object.assign(process.env, { HTTPS_PROXY: value, HTTP_PROXY: value });
    await proxy.close();
    for (const scheme of ['https', 'http']) {
      const error = await failureOf(client(true, `${scheme}://models.company.test/`));
      expect(error).toMatchObject({ code: 'web.proxy-failed', message: expect.stringContaining('ECONNREFUSED') });
      expect(JSON.stringify(error)).not.toContain(secret);
    }
    proxy = await startTestProxy();
  });
});

function client(mayReachPrivate: boolean, url: string): Promise<unknown> {
  const web = createWebClient({ mayReachPrivate: () => mayReachPrivate, isPublic: () => true });
  const request = { url, method: 'GET', headers: {}, body: undefined, maxBytes: 1000 };
  return web.send(request, new AbortController().signal);
}

test('an untrusted request uses no proxy, and reports that if it fails', async () => {
  process.env['HTTP_PROXY'] = `http://me:pw1234@127.0.0.1:${proxy.port}`;
  const gone = await startTestProxy();
  await gone.close();
  const error = await failureOf(client(false, `http://127.0.0.1:${gone.port}/`));
  expect(error).toMatchObject({
    code: 'web.unreachable',
    message: expect.stringContaining('The proxy of HTTP_PROXY was not used, because an untrusted workspace'),
  });
  expect(error.message).not.toContain('pw1234');
  expect(proxy.asked).toEqual([]);
});

// openssl creates the certificates, because Node cannot.
describe.skipIf(certificates === undefined)("a server with a company's certificate", () => {
  test('the server is rejected, and the error explains what helps', async () => {
    const error = await failureOf(client(true, `https://127.0.0.1:${portOf(secure)}/`));
    expect(error).toMatchObject({ code: 'web.unreachable', message: expect.stringContaining('NODE_EXTRA_CA_CERTS') });
  });

  test('the server is accepted once NODE_EXTRA_CA_CERTS names its authority, directly and through a tunnel', async () => {
    process.env['NODE_EXTRA_CA_CERTS'] = certificates?.authorityFile;
    expect(await (await webFetch(`https://127.0.0.1:${portOf(secure)}/`)).text()).toBe('secure');
    process.env['HTTPS_PROXY'] = `http://me:pw1234@127.0.0.1:${proxy.port}`;
    // Only the proxy can resolve this name.
    const address = `https://${name}:${portOf(secure)}/a`;
    expect(await (await webFetch(address)).text()).toBe('secure');
    expect(proxy.asked).toEqual([`CONNECT ${name}:${portOf(secure)}`]);
    expect(proxy.authorizations).toEqual([`Basic ${btoa('me:pw1234')}`]);
    expect(heard.at(-1)).toBe(`${name}:${portOf(secure)} /a `);
  });

  test('the server is verified inside of the tunnel too', async () => {
    process.env['NODE_EXTRA_CA_CERTS'] = certificates?.authorityFile;
    process.env['HTTPS_PROXY'] = `http://127.0.0.1:${proxy.port}`;
    const error = await failureOf(client(true, `https://other.test:${portOf(secure)}/`));
    expect(error).toMatchObject({ code: 'web.unreachable', message: expect.stringContaining('is for another host') });
  });
});
