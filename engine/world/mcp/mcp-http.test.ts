/** Tests of HTTP servers with behavior that no real server has. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { TestServers } from './test-servers.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** JSON-RPC method of the message that was sent. */
  readonly rpc?: string;
  readonly id?: unknown;
  readonly params?: unknown;
}

type Reply = (asked: Asked, response: ServerResponse) => boolean;

/** An HTTP server that speaks the protocol unless a test handles the request. */
class Address {
  readonly asked: Asked[] = [];
  /** Returns true if it handled the request. */
  reply: Reply = () => false;
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async open(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  count(method: string): number {
    return this.asked.filter((one) => one.method === method).length;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    let body = '';
    for await (const piece of request) body += String(piece);
    const { method: rpc, id, params } = body === '' ? {} : JSON.parse(body);
    const asked = { method, path, headers, ...(rpc === undefined ? {} : { rpc, id, params }) };
    this.asked.push(asked);
    if (this.reply(asked, response)) return;
    if (method !== 'POST') response.writeHead(405).end();
    else if (id === undefined) response.writeHead(202).end();
    else sendJson(response, resultOf(asked), id);
  }
}

function resultOf({ rpc, params, headers }: Asked): unknown {
  if (rpc === 'initialize') {
    const { protocolVersion } = params as { protocolVersion: string };
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } };
  }
  const tool = { name: 'key', inputSchema: { type: 'object' } };
  if (rpc === 'tools/list') return { tools: [tool] };
  return { content: [{ type: 'text', text: `key ${headers['x-api-key']}` }] };
}

function sendJson(response: ServerResponse, result: unknown, id: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

let world: TestServers;
let address: Address;
beforeEach(async () => {
  world = new TestServers();
  address = await new Address().open();
  world.secrets.set('API_TOKEN', 'a-very-secret-token');
  name(world);
});
afterEach(async () => {
  await world.close();
  address.close();
});

function name(where: TestServers, path = '/mcp'): void {
  where.write({ test: { url: `${address.origin}${path}`, headers: { 'X-Api-Key': `\${API_TOKEN}` } } });
}

test('secrets are sent in headers and masked in results', async () => {
  expect(await world.call('test.key')).toBe('key •••API_TOKEN•••');
  expect(address.asked.every(({ headers }) => headers['x-api-key'] === 'a-very-secret-token')).toBe(true);
});

describe('redirects', () => {
  const leadTo =
    (where: string, status: number): Reply =>
    ({ path }, response) => {
      if (path !== '/mcp') return false;
      response.writeHead(status, { location: where }).end();
      return true;
    };

  test('a redirect to another server is not followed, so that it receives no secret', async () => {
    const other = await new Address().open();
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        address.reply = leadTo(`${other.origin}/mcp`, status);
        await world.servers.restart('test').catch(() => undefined);
        expect((await world.state()).error).toContain(`it redirects to ${other.origin}/mcp`);
      }
      expect(other.asked).toEqual([]);
    } finally {
      other.close();
    }
  });

  test('a redirect to another path of the same server is followed with the same request', async () => {
    address.reply = leadTo('/mcp/', 307);
    expect(await world.call('test.key')).toBe('key •••API_TOKEN•••');
    expect(address.asked.filter(({ path, rpc }) => path === '/mcp/' && rpc === 'tools/call')).toHaveLength(1);
  });

  test('a redirect loop is given up', async () => {
    address.reply = leadTo('/mcp', 308);
    await expect(world.call('test.key')).rejects.toThrow('it redirects to');
    expect(address.asked.length).toBeLessThan(10);
  });
});

describe('responses of a server', () => {
  test.each([
    ['no JSON', 'application/json', '{{{'],
    ['a page', 'text/html', '<h1>Welcome</h1>'],
    ['JSON of another shape', 'application/json', '[1]'],
    ['events that are not messages', 'text/event-stream', 'data: {{{\n\n'],
  ])('a server that responds with %s does not start, and the error says why', async (_, type, body) => {
    address.reply = (_asked, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
      return true;
    };
    await expect(world.call('test.key')).rejects.toMatchObject({ code: 'mcp.not-started' });
    const { state, error = '' } = await world.state();
    expect(state).toBe('failed');
    expect(error).toMatch(/^The MCP server test \(address http.*\) could not be started: .+/);
  });

  test('a server that rejects the credentials is reported as such', async () => {
    address.reply = (_asked, response) => {
      response.writeHead(401).end('who are you, a-very-secret-token?');
      return true;
    };
    await expect(world.call('test.key')).rejects.toThrow(/could not be started: .*\(HTTP 401\)/);
    expect((await world.state()).error).not.toContain('a-very-secret-token');
  });

  test('a caller can stop waiting for a server that never responds', async () => {
    await world.tool('test.key');
    address.reply = ({ rpc }) => rpc === 'tools/call';
    const stop = new AbortController();
    const call = world.call('test.key', {}, stop.signal);
    await vi.waitUntil(() => address.asked.some(({ rpc }) => rpc === 'tools/call'));
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await vi.waitUntil(() => address.asked.some(({ rpc }) => rpc === 'notifications/cancelled'));
  });

  test('an endless response is not read to its end', async () => {
    await world.tool('test.key');
    let sent = 0;
    address.reply = ({ rpc }, response) => {
      if (rpc !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const piece = 'x'.repeat(1024 * 1024);
      const send = (): void => {
        while (!response.destroyed && sent < 500) {
          sent++;
          if (!response.write(piece)) break;
        }
      };
      response.on('drain', send);
      send();
      return true;
    };
    await expect(world.call('test.key')).rejects.toMatchObject({ category: 'server_error' });
    // 16 MiB, plus data in transit.
    expect(sent).toBeLessThan(100);
  });

  test('a stream that ends before the response fails the call', async () => {
    await world.tool('test.key');
    address.reply = ({ rpc }, response) => {
      if (rpc !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing yet\n\n');
      return true;
    };
    await expect(world.call('test.key')).rejects.toThrow('ended before the response');
  });
});

test('12.9 an idle stream that ends repeatedly is reopened with growing pauses and then given up', async () => {
  await world.close();
  const delays: number[] = [];
  world = new TestServers({
    clock: {
      now: () => systemClock.now(),
      setTimer(callback, delayMs) {
        delays.push(delayMs);
        return systemClock.setTimer(callback, 0);
      },
    },
  });
  world.secrets.set('API_TOKEN', 'a-very-secret-token');
  name(world);
  address.reply = ({ method }, response) => {
    if (method !== 'GET') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\ndata: \n\n');
    return true;
  };
  expect(await world.call('test.key')).toBe('key •••API_TOKEN•••');
  await vi.waitUntil(() => address.count('GET') >= 6, { timeout: 20_000 });
  const pauses = delays.filter((ms) => ms >= 1_000 && ms % 1_000 === 0);
  expect(pauses.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  await new Promise((done) => setTimeout(done, 1_500));
  expect(address.count('GET')).toBe(6);
});
