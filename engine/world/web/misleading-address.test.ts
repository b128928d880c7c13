import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WebRequest } from '../../runtime/kernel/capabilities/web-capability.ts';
import { misleadingSpellings } from '../../testing/host-spellings.ts';
import { createRunSecrets } from '../secrets/run-secrets.ts';
import { createWebClient } from './web-client.ts';

let server: Server;
let location: string | undefined;
let heard: (string | undefined)[];
let port: number;

beforeEach(async () => {
  heard = [];
  location = undefined;
  server = createServer(({ url }, response) => {
    heard.push(url);
    if (url === '/from' && location !== undefined) response.writeHead(302, { location });
    response.end('here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const web = createWebClient({ mayReachPrivate: () => true });

async function send(request: Partial<WebRequest>): Promise<unknown> {
  const whole = { url: `http://127.0.0.1:${port}/from`, method: 'GET', headers: {}, body: undefined, maxBytes: 1000 };
  return await web.send({ ...whole, ...request }, new AbortController().signal).catch((error: unknown) => error);
}

test('13.2 sends no request to a URL that looks like another host', async () => {
  for (const url of misleadingSpellings(port)) {
    expect(await send({ url }), url).toMatchObject({ code: 'web.bad-address' });
  }
  expect(heard).toEqual([]);
});

test('13.2 does not follow a redirect to a URL that looks like another host', async () => {
  const locations = misleadingSpellings(port).filter((text) => !/[^\t -~]/.test(text));
  for (location of locations) {
    expect(await send({}), location).toMatchObject({ code: 'web.bad-address' });
  }
  expect(heard).toEqual(locations.map(() => '/from'));
});

test('13.2 checks a URL with the placeholders of its secrets, which cannot be a user name', async () => {
  const secrets = createRunSecrets({ values: new Map([['A', 'x']]), admit: () => undefined });
  const url = `http://${secrets.placeholders.get('A')}@127.0.0.1:${port}/`;
  expect(await send({ url, secrets })).toMatchObject({ code: 'web.bad-address' });
  expect(heard).toEqual([]);
});
