/**
 * Tests which network addresses an untrusted workspace can reach, with real local servers and names that resolve to
 * addresses set by the test.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import { misleadingSpellings, plainSpellings } from '../../testing/host-spellings.ts';
import { isPublicAddress, type Resolve } from './private-address.ts';
import { createWebClient } from './web-client.ts';

describe('public addresses', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '::ffff:8.8.8.8',
    '::FFFF:808:808',
    '64:ff9b::8.8.8.8',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('addresses that are not public', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '239.1.1.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:10.0.0.1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:0.0.0.0',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    '4000::1',
    'localhost',
    '',
    '127.1',
    '1.2.3.4.5',
    '[::1]',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test('all addresses of this machine', () => {
    const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
    expect(own.filter(({ address }) => isPublicAddress(address))).toEqual([]);
  });
});

let server: Server;
let asked: string[];
let port: number;
let redirectTo: string;

beforeEach(async () => {
  asked = [];
  redirectTo = '';
  server = createServer(({ url = '', headers }, response) => {
    asked.push(`${headers.host}${url}`);
    if (url === '/away') response.writeHead(302, { location: redirectTo }).end();
    else response.end('a secret');
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Resolves names with this table; each lookup of a name returns its next result. */
function resolverOf(table: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const lookups: string[] = [];
  const resolve: Resolve = (name, _, done) => {
    const answers = table[name] ?? [];
    const addresses = answers[Math.min(lookups.filter((one) => one === name).length, answers.length - 1)];
    lookups.push(name);
    if (addresses === undefined) return done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    return done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, lookups };
}

type Options = Partial<Parameters<typeof createWebClient>[0]>;

async function ask(url: string, options: Options = {}) {
  const web = createWebClient({ mayReachPrivate: () => false, ...options });
  const request = { url, method: 'GET', headers: {}, body: undefined, maxBytes: 1000 };
  return await web.send(request, new AbortController().signal).then(
    ({ status, text }) => ({ status, text }),
    (error: unknown) => toErrorRecord(error),
  );
}

const denied = {
  code: 'effect.denied',
  message: expect.stringContaining('rule private-address'),
  details: { effect: 'web', rule: 'private-address', trustHelps: true },
};

describe('an untrusted workspace cannot reach', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[fe80::1]',
    '[fd00::1]',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'app.localhost',
    'a.b.localhost.',
  ])('http://%s', async (host) => {
    expect(await ask(`http://${host}:${port}/`)).toMatchObject(denied);
    expect(asked).toEqual([]);
  });

  test.each(plainSpellings(1).filter((text) => !text.includes('@')))('13.2 %j', async (spelling) => {
    expect(await ask(spelling.replace(/:0?1(?=[/?#])/, `:${port}`))).toMatchObject(denied);
    expect(asked).toEqual([]);
  });

  test.each(misleadingSpellings(1))('13.2 %j, because it looks like another host', async (spelling) => {
    expect(await ask(spelling.replace(/:1(?=[/\\])/, `:${port}`))).toMatchObject({ code: 'web.bad-address' });
    expect(asked).toEqual([]);
  });

  test.each(['https://127.0.0.1', 'https://[::1]', 'https://localhost'])('%s', async (origin) => {
    expect(await ask(`${origin}:${port}/`)).toMatchObject(denied);
    expect(asked).toEqual([]);
  });

  test.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['10.1.2.3']],
    [['169.254.169.254']],
    [['8.8.8.8', '127.0.0.1']],
    [['2606:4700:4700::1111', 'fd00::1']],
    [[]],
  ])('a name that resolves to %j', async (addresses) => {
    const { resolve } = resolverOf({ 'innocent.example': [addresses] });
    expect(await ask(`http://innocent.example:${port}/`, { resolve })).toMatchObject({
      ...denied,
      details: { ...denied.details, target: 'innocent.example' },
    });
    expect(asked).toEqual([]);
  });

  test('a name, without revealing its address', async () => {
    const { resolve } = resolverOf({ 'inner.example': [['10.11.12.13']] });
    expect(JSON.stringify(await ask(`http://inner.example:${port}/`, { resolve }))).not.toContain('10.11.12.13');
  });

  // Other loopback addresses represent the public internet; only Linux responds on all of them.
  describe.runIf(process.platform === 'linux')('after a redirect', () => {
    const isPublic = (address: string): boolean => address === '127.0.0.2';
    const { resolve } = resolverOf({ 'outer.example': [['127.0.0.2']], 'inner.example': [['127.0.0.1']] });
    const askOuter = () => ask(`http://outer.example:${port}/away`, { resolve, isPublic });

    test.each(['127.0.0.1', '[::1]', '[::ffff:7f00:1]', '2130706433', 'inner.example', 'localhost'])(
      'a redirect cannot reach %s',
      async (host) => {
        redirectTo = `http://${host}:${port}/secret`;
        expect(await askOuter()).toMatchObject(denied);
        expect(asked).toEqual([`outer.example:${port}/away`]);
      },
    );

    test('a redirect can reach a public address', async () => {
      redirectTo = `http://127.0.0.2:${port}/fine`;
      expect(await askOuter()).toEqual({ status: 200, text: 'a secret' });
    });
  });

  describe.runIf(process.platform === 'linux')('a name that changes its address', () => {
    const isPublic = (address: string): boolean => address === '127.0.0.2';

    test('a name is resolved only once per request, and the checked address is used for the connection', async () => {
      const { resolve, lookups } = resolverOf({ 'changing.example': [['127.0.0.2'], ['127.0.0.1']] });
      expect(await ask(`http://changing.example:${port}/`, { resolve, isPublic })).toMatchObject({ status: 200 });
      expect(lookups).toEqual(['changing.example']);
    });

    test('a name is checked again for the next request', async () => {
      const { resolve } = resolverOf({ 'changing.example': [['127.0.0.2'], ['127.0.0.1']] });
      const web = createWebClient({ mayReachPrivate: () => false, resolve, isPublic });
      const request = { method: 'GET', headers: { connection: 'close' }, body: undefined, maxBytes: 1000 };
      const send = (path: string) =>
        web.send({ ...request, url: `http://changing.example:${port}/${path}` }, new AbortController().signal);
      await send('first').catch(() => undefined);
      server.closeAllConnections();
      await expect(send('second')).rejects.toMatchObject(denied);
    });
  });
});

test('an unknown name is not reported as a denial', async () => {
  const { resolve } = resolverOf({});
  expect(await ask(`http://unknown.example:${port}/`, { resolve })).toMatchObject({
    code: 'web.unreachable',
    details: { cause: 'ENOTFOUND' },
  });
});

test('a trusted workspace can reach this machine, and trust is checked for each request', async () => {
  let isTrusted = true;
  const web = createWebClient({ mayReachPrivate: () => isTrusted });
  const request = { method: 'GET', headers: {}, body: undefined, maxBytes: 1000, url: `http://127.0.0.1:${port}/` };
  expect(await web.send(request, new AbortController().signal)).toMatchObject({ text: 'a secret' });
  isTrusted = false;
  await expect(web.send(request, new AbortController().signal)).rejects.toMatchObject(denied);
});
