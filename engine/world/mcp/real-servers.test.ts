import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonMap } from '../../language/json/json-value.ts';
import type { ToolContext } from '../tools/tool-source.ts';
import { TestServers } from './test-servers.ts';

const { resolve } = createRequire(import.meta.url);
const everything = path.join(
  path.dirname(resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
);
const filesystem = path.join(
  path.dirname(resolve('@modelcontextprotocol/server-filesystem/package.json')),
  'dist/index.js',
);

let world: TestServers;
beforeEach(() => {
  world = new TestServers();
});
afterEach(() => world.close());

describe('the reference server `everything`, over stdio', () => {
  beforeEach(() => world.write({ all: { command: process.execPath, args: [everything, 'stdio'] } }));

  test('returns text, structured content, images and links as values', async () => {
    expect(await world.call('all.echo', { message: 'hello' })).toBe('Echo: hello');
    expect(await world.call('all.get-sum', { a: 2, b: 3 })).toContain('5');
    expect(await world.call('all.get-structured-content', { location: 'New York' })).toMatchObject({
      conditions: expect.any(String),
    });
    expect(await world.call('all.get-tiny-image')).toContainEqual({
      ...{ type: 'image', mimeType: 'image/png', bytes: expect.any(Number), data: expect.any(String) },
    });
    const links = await world.call('all.get-resource-links', { count: 1 });
    expect(links).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: expect.any(String) }));
  });

  test('13.10 a resource is read on request, with a tool that passes the same checks', async () => {
    const links = (await world.call('all.get-resource-links', { count: 1 })) as readonly (JsonMap | string)[];
    const link = links.find((one) => typeof one !== 'string');
    const uri = typeof link === 'object' ? (link['uri'] ?? '') : '';
    expect(await world.call('all.read_resource', { uri })).toMatchObject([{ type: 'resource', uri }]);
    await expect(world.call('all.read_resource', { uri: 'demo://nowhere' })).rejects.toThrow();
    const { description } = await world.tool('all.read_resource');
    expect(description).toMatchObject({ effects: 'idempotent', tags: { receivesUntrustedInput: true } });
  });

  test('13.10 offers elicitation, but no sampling', async () => {
    const names = (await world.servers.list('all')).map(({ description }) => description.name);
    expect(names).toContain('all.trigger-long-running-operation');
    expect(names).toContain('all.trigger-elicitation-request');
    expect(names.filter((name) => name.includes('sampling'))).toEqual([]);
  });

  test('13.10 reports the progress of a long call', async () => {
    const tool = await world.tool('all.trigger-long-running-operation');
    const reports: unknown[] = [];
    const context = { signal: new AbortController().signal, progress: (one: unknown) => reports.push(one) };
    await tool.run({ duration: 0.2, steps: 2 }, context as unknown as ToolContext);
    expect(reports).toEqual([
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ]);
  });

  test('a server killed during a call fails that call and is restarted for the next', async () => {
    const pidFile = path.join(world.folder, 'pid');
    const tellsPid = `data:text/javascript,import { writeFileSync } from 'node:fs'; writeFileSync('pid', String(process.pid))`;
    world.write({ all: { command: process.execPath, args: ['--import', tellsPid, everything, 'stdio'] } });
    const tool = await world.tool('all.trigger-long-running-operation');
    const call = tool.run({ duration: 20, steps: 2 }, { signal: new AbortController().signal } as ToolContext);
    const failure = call.catch((error: unknown) => error);
    await new Promise((done) => setTimeout(done, 200));
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
    expect(await failure).toMatchObject({ category: 'server_error' });
    expect((await world.state()).error).toContain('SIGKILL');
    expect(await world.call('all.echo', { message: 'again' })).toBe('Echo: again');
    expect(await world.state()).toMatchObject({ state: 'running', restarts: 1 });
  });
});

describe('the reference server `filesystem`, over stdio', () => {
  test('reads and writes in its folder, with effects determined by its hints', async () => {
    const folder = path.join(world.folder, 'files');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'a.txt'), 'content of a');
    world.write({ files: { command: process.execPath, args: [filesystem, 'files'] } });
    const file = path.join(folder, 'a.txt');
    expect(await world.call('files.read_text_file', { path: file })).toMatchObject({ content: 'content of a' });
    expect((await world.tool('files.read_text_file')).description.effects).toBe('idempotent');
    await world.call('files.write_file', { path: path.join(folder, 'b.txt'), content: 'new' });
    await expect(world.call('files.read_text_file', { path: '/etc/passwd' })).rejects.toThrow('denied');
  });
});

describe('the reference server `everything`, over streamable HTTP', () => {
  let server: ChildProcess;
  let front: Front;

  const start = async (): Promise<void> => {
    const port = await freePort();
    const next = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await new Promise<void>((done) => next.stderr.on('data', (text) => /listening/i.test(String(text)) && done()));
    server = next;
    front.leadsTo = port;
  };

  beforeEach(async () => {
    front = new Front();
    world.write({ all: { type: 'http', url: `http://127.0.0.1:${await front.open()}/mcp` } });
    await start();
  });
  afterEach(async () => {
    server.kill('SIGKILL');
    await front.close();
  });

  test('a server killed during a call fails that call, and the next call opens a new session', async () => {
    expect(await world.call('all.echo', { message: 'hello' })).toBe('Echo: hello');
    const call = world.call('all.trigger-long-running-operation', { duration: 20, steps: 2 });
    const failure = call.catch((error: unknown) => error);
    await new Promise((done) => setTimeout(done, 200));
    server.kill('SIGKILL');
    expect(await failure).toMatchObject({ category: 'server_error' });
    await start();
    expect(await world.call('all.echo', { message: 'again' })).toBe('Echo: again');
  });

  test('12.9 opens a new session if the server lost it, and repeats only idempotent calls', async () => {
    const echo = await world.tool('all.echo');
    expect(echo.description.effects).toBe('idempotent');
    await world.call('all.echo', { message: 'hello' });
    // The replacement starts at once. If the port were unused for a while, the connection would be given up.
    const replace = async (): Promise<void> => {
      const former = server;
      await start();
      former.kill('SIGKILL');
      await front.cut();
    };
    await replace();
    expect(await world.call('all.echo', { message: 'again' })).toBe('Echo: again');
    const acts = (await world.servers.list('all')).find(({ description }) => description.effects === 'external');
    await replace();
    await expect(world.call(acts?.description.name ?? '')).rejects.toThrow('was not repeated');
    expect(await world.call('all.echo', { message: 'still' })).toBe('Echo: still');
  });
});

/** A proxy that can switch to another server. */
class Front {
  /** Port of the server that receives new connections. */
  leadsTo = 0;
  readonly #callers = new Set<Socket>();
  readonly #server = createServer({ allowHalfOpen: true }, (caller) => {
    const behind = connect(this.leadsTo, '127.0.0.1');
    this.#callers.add(caller);
    caller.on('close', () => {
      this.#callers.delete(caller);
      behind.destroy();
    });
    caller.on('error', () => undefined).pipe(behind);
    behind.on('error', () => caller.end()).pipe(caller);
  });

  /** Opens the proxy and returns its port. */
  async open(): Promise<number> {
    return await listen(this.#server);
  }

  /** Ends all connections. Resolves when the clients know, so that none of them sends its next request over one. */
  async cut(): Promise<void> {
    await Promise.all([...this.#callers].map((caller) => new Promise((done) => caller.once('close', done).end())));
  }

  async close(): Promise<void> {
    for (const caller of this.#callers) caller.destroy();
    await new Promise((done) => this.#server.close(done));
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((done) => server.close(done));
  return port;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
