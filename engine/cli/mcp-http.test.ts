/** Tests `millrace mcp --http`: clients of all revisions, and callers that must not get in. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { builtPart } from '../testing/built-program.ts';
import { helloFlow, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();
let child: ChildProcess | undefined;
let printed = '';
const clients: Client[] = [];

beforeAll(() => builtPart('cli'), 60_000);
beforeEach(() => cli.write('hello.flow.yaml', helloFlow));
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close().catch(() => undefined)));
  await stop('SIGKILL');
});

async function stop(signal: NodeJS.Signals): Promise<number | null> {
  const running = child;
  child = undefined;
  if (running === undefined || running.exitCode !== null || running.signalCode !== null)
    return running?.exitCode ?? null;
  const ended = new Promise<number | null>((resolve) => running.once('exit', resolve));
  running.kill(signal);
  return await ended;
}

/** Starts the program, and waits for its address. */
async function start(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []): Promise<URL> {
  printed = '';
  const program = path.join(await builtPart('cli'), 'cli.cjs');
  const { MILLRACE_MCP_TOKEN: _, ...rest } = process.env;
  child = spawn(process.execPath, [program, 'mcp', '--http', '0', ...args, '--workspace', cli.folder], {
    env: { ...rest, MILLRACE_HOME: path.join(cli.folder, 'home'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr?.on('data', (piece) => {
    printed += String(piece);
  });
  await vi.waitUntil(() => /Serving \S+\n/.test(printed) || child?.exitCode !== null);
  return new URL(/Serving (\S+)/.exec(printed)?.[1] ?? 'http://not.started');
}

const tokenIn = (): string => /Token: (\S+)/.exec(printed)?.[1] ?? '';

async function connect(url: URL, token: string, options = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  clients.push(client);
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

interface Answered {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with any headers, also those that `fetch` would set itself. */
function send(url: URL, { method = 'POST', path: to = '/mcp', headers = {}, body = list }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const options = { host: url.hostname, port: url.port, method, path: to, headers: { ...type, ...headers } };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

describe.each([
  ['2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ['earlier ones', {}],
])('a client of %s', (_, options) => {
  test('13.9 lists and calls flows with the token that was printed', async () => {
    const url = await start();
    const client = await connect(url, tokenIn(), options);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('hello');
    expect(await client.callTool({ name: 'hello', arguments: { who: 'you' } })).toMatchObject({
      structuredContent: { status: 'completed' },
    });
    const other = await connect(url, tokenIn(), options);
    expect(await other.callTool({ name: 'read_run', arguments: { run: '1' } })).toMatchObject({
      structuredContent: { status: 'completed' },
    });
  });
});

test('13.9 a call that its client gives up cancels its run', async () => {
  const slow = 'flow: { name: Slow }\nnodes: [{ id: w, type: control.wait, input: { ms: 600000 } }]\nedges: []\n';
  cli.write('slow.flow.yaml', slow);
  const url = await start();
  const client = await connect(url, tokenIn(), { versionNegotiation: { mode: 'auto' } });
  const abort = new AbortController();
  const call = client
    .callTool({ name: 'slow', arguments: {} }, { signal: abort.signal })
    .catch((error: unknown) => error);
  const status = async (): Promise<unknown> => {
    const result = (await client.callTool({ name: 'read_run', arguments: {} })) as {
      structuredContent?: { runs: { status: string }[] };
    };
    return result.structuredContent?.runs[0]?.status;
  };
  await vi.waitUntil(async () => (await status()) === 'running');
  abort.abort();
  await call;
  await vi.waitUntil(async () => (await status()) === 'cancelled');
});

test('13.9 only requests with the token, from known origins and to a known name, reach a flow', async () => {
  const url = await start({}, ['--allow-origin', 'https://app.example.com']);
  const token = tokenIn();
  const own = { authorization: `Bearer ${token}` };
  const refused: readonly (readonly [string, Sent, number])[] = [
    ['no token', {}, 401],
    ['an empty token', { headers: { authorization: 'Bearer ' } }, 401],
    ['another token', { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }, 401],
    ['the start of the token', { headers: { authorization: `Bearer ${token.slice(0, -1)}` } }, 401],
    ['more than the token', { headers: { authorization: `Bearer ${token}x` } }, 401],
    ['two tokens', { headers: { authorization: `Bearer x ${token}` } }, 401],
    ['another scheme', { headers: { authorization: `Basic ${token}` } }, 401],
    ['the token in the address', { path: `/mcp?token=${token}` }, 401],
    ['the token in a cookie', { headers: { cookie: `token=${token}` } }, 401],
    ['another name', { headers: { ...own, host: 'evil.example' } }, 403],
    ['another port in the name', { headers: { ...own, host: '127.0.0.1:1' } }, 403],
    ['a page of another site', { headers: { ...own, origin: 'https://evil.example' } }, 403],
    ['a page of a similar site', { headers: { ...own, origin: 'https://app.example.com.evil.example' } }, 403],
    ['a page without a site', { headers: { ...own, origin: 'null' } }, 403],
    ['another path', { headers: own, path: '/mcp/../runs' }, 404],
    ['the addresses of flows', { headers: own, path: '/flows/hello' }, 404],
    ['a stream without a session', { headers: own, method: 'GET' }, 405],
    ['the end of a session', { headers: own, method: 'DELETE' }, 405],
    ['text', { headers: own, body: 'hello' }, 400],
    ['a huge request', { headers: own, body: JSON.stringify({ x: 'x'.repeat(5 * 1024 * 1024) }) }, 413],
  ];
  for (const [what, sent, status] of refused) {
    const { status: got, body } = await send(url, sent);
    expect(got, `${what}: ${body.slice(0, 200)}`).toBe(status);
    expect(body).not.toContain(token);
  }
  const client = await connect(url, token);
  expect(await client.callTool({ name: 'read_run', arguments: {} })).toMatchObject({ structuredContent: { runs: [] } });
  expect((await send(url, { headers: { ...own, origin: 'https://app.example.com' } })).status).toBe(200);
  expect((await send(url, {})).headers['www-authenticate']).toBe('Bearer');
});

test('13.9 a token from the environment is not printed, and no token is stored', async () => {
  const token = 'from-the-environment-1234567890';
  const url = await start({ MILLRACE_MCP_TOKEN: token });
  expect(printed).not.toContain(token);
  await (await connect(url, token)).callTool({ name: 'hello', arguments: {} });
  expect(await stop('SIGTERM')).toBe(0);
  const files = readdirSync(cli.folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    path.join(cli.folder, file),
  );
  const stored = files.filter((file) => statSync(file).isFile() && readFileSync(file).includes(token));
  expect(stored).toEqual([]);
});

test('13.9 a token that could be guessed is refused', async () => {
  await start({ MILLRACE_MCP_TOKEN: 'secret' });
  expect(printed).toContain('at least 24 characters');
  expect(child?.exitCode).toBe(2);
});
