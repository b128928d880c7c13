/** Servers that speak the revision 2026-07-28, written with the official SDK. */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ToolContext } from '../tools/tool-source.ts';
import { TestServers } from './test-servers.ts';

const sdk = (part: string): string =>
  pathToFileURL(path.resolve('node_modules/@modelcontextprotocol/server/dist', part)).href;

/** Builds a server with tools that return what the server knows about a call. */
const factory = `
import { Server } from ${JSON.stringify(sdk('index.mjs'))};
export const waits = { started: 0, aborted: 0 };
let more = false;
export function makeServer() {
  const server = new Server({ name: 'current', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  const inputSchema = { type: 'object' };
  server.setRequestHandler('tools/list', async () => ({
    tools: ['echo', 'wait', 'fail', 'grow', 'count', ...(more ? ['late'] : [])].map((name) => ({ name, inputSchema })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    if (params.name === 'fail') return { isError: true, content: [{ type: 'text', text: 'it broke' }] };
    if (params.name === 'count') {
      const { progressToken } = ctx.mcpReq._meta ?? {};
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2, message: 'half' } });
    }
    if (params.name === 'grow') {
      more = true;
      await server.sendToolListChanged();
    }
    if (params.name === 'wait') {
      waits.started += 1;
      await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve));
      waits.aborted += 1;
    }
    return { content: [], structuredContent: { given: params.arguments, meta: Object.keys(ctx.mcpReq._meta ?? params._meta ?? {}) } };
  });
  return server;
}
`;

let world: TestServers;
beforeEach(() => {
  world = new TestServers();
  writeFileSync(path.join(world.folder, 'factory.mjs'), factory);
});
afterEach(() => world.close());

/** Writes the entry of a program that accepts no `initialize`. */
function writeProgram(legacy: 'serve' | 'reject'): void {
  const program = `import { serveStdio } from ${JSON.stringify(sdk('stdio.mjs'))};\nimport { makeServer } from './factory.mjs';\nserveStdio(makeServer, { legacy: '${legacy}' });\n`;
  writeFileSync(path.join(world.folder, 'server.mjs'), program);
  world.write({ now: { command: process.execPath, args: [path.join(world.folder, 'server.mjs')] } });
}

describe.each(['reject', 'serve'] as const)('over stdio, earlier revisions: %s', (legacy) => {
  beforeEach(() => writeProgram(legacy));

  test('13.10 lists and calls tools, and reports their errors', async () => {
    expect((await world.servers.list('now')).map(({ description }) => description.name)).toContain('now.echo');
    expect(await world.call('now.echo', { text: 'hello' })).toMatchObject({ given: { text: 'hello' } });
    await expect(world.call('now.fail')).rejects.toThrow('it broke');
    expect(await world.state()).toMatchObject({ state: 'running', problems: [] });
  });

  test('13.10 learns of new tools', async () => {
    await world.call('now.grow');
    await vi.waitUntil(async () => (await world.servers.find('now.late')) !== undefined, { timeout: 20_000 });
    expect(await world.call('now.late')).toMatchObject({ given: {} });
  });

  test('13.10 reports the progress of a call', async () => {
    const tool = await world.tool('now.count');
    const reports: unknown[] = [];
    const context = { signal: new AbortController().signal, progress: (one: unknown) => reports.push(one) };
    await tool.run({}, context as unknown as ToolContext);
    expect(reports).toEqual([{ done: 1, total: 2, message: 'half' }]);
  });

  test('13.10 a cancelled call ends with the reason of its signal, and later calls work', async () => {
    const tool = await world.tool('now.wait');
    const abort = new AbortController();
    const call = tool.run({}, { signal: abort.signal } as ToolContext);
    setTimeout(() => abort.abort(new Error('enough')), 50);
    await expect(call).rejects.toThrow('enough');
    expect(await world.call('now.echo', { a: 1 })).toMatchObject({ given: { a: 1 } });
  });
});

test.each(['process.exit(3)', 'return'])(
  '13.10 an earlier server that answers an unknown first message with %s is started',
  async (answer) => {
    const program = `
    let isGreeted = false;
    const send = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      isGreeted ||= method === 'initialize';
      if (!isGreeted) ${answer};
      if (method === 'initialize') send(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } });
      if (method === 'tools/list') send(id, { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] });
      if (method === 'tools/call') send(id, { content: [{ type: 'text', text: 'old' }] });
    });`;
    writeFileSync(path.join(world.folder, 'old.cjs'), program);
    world.write({ old: { command: process.execPath, args: [path.join(world.folder, 'old.cjs')] } });
    expect(await world.call('old.echo')).toBe('old');
    expect(await world.state()).toMatchObject({ state: 'running', restarts: 0 });
  },
);

describe('over HTTP', () => {
  let server: Server;
  let aborted: () => number;
  let methods: string[];

  beforeEach(async () => {
    const { makeServer, waits } = (await import(pathToFileURL(path.join(world.folder, 'factory.mjs')).href)) as {
      readonly makeServer: () => McpServer;
      readonly waits: { readonly aborted: number };
    };
    aborted = () => waits.aborted;
    methods = [];
    const handler = createMcpHandler(makeServer, { legacy: 'reject' });
    server = createServer(async (incoming, outgoing) => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      methods.push(String(incoming.headers['mcp-method']));
      const gone = new AbortController();
      outgoing.on('close', () => gone.abort());
      const { method = 'GET' } = incoming;
      const response = await handler.fetch(
        new Request(`http://127.0.0.1${incoming.url ?? '/'}`, {
          ...{ method, headers: incoming.headers as Record<string, string>, signal: gone.signal },
          ...(method === 'POST' ? { body: Buffer.concat(pieces) } : {}),
        }),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      for await (const piece of response.body ?? []) outgoing.write(piece);
      outgoing.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    world.write({ now: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` } });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('13.10 lists, calls and cancels without a session', async () => {
    expect(await world.call('now.echo', { text: 'hello' })).toMatchObject({ given: { text: 'hello' } });
    await expect(world.call('now.fail')).rejects.toThrow('it broke');
    expect(methods).toEqual(expect.arrayContaining(['server/discover', 'tools/list', 'tools/call']));
    expect(methods).not.toContain('initialize');
    const tool = await world.tool('now.wait');
    const abort = new AbortController();
    const call = tool.run({}, { signal: abort.signal } as ToolContext);
    setTimeout(() => abort.abort(new Error('enough')), 50);
    await expect(call).rejects.toThrow('enough');
    await vi.waitUntil(() => aborted() === 1, { timeout: 20_000 });
  });
});
