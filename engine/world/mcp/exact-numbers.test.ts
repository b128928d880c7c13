import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestServers } from './test-servers.ts';

const exact = { id: '7615917337495251231', name: 'x' };
const wire = '{"id":7615917337495251231,"name":"x"}';
/** A server over standard streams, with its result for each method. */
const program = `
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 't', version: '1' } },
  'tools/list': { tools: [{ name: 'big', inputSchema: { type: 'object' } }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = JSON.stringify(results[method] ?? { content: [], structuredContent: 0 }).replace(':0', ':${wire}');
  const answer = '{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}\\n';
  process.stdout.write(answer.slice(0, 60));
  setImmediate(() => process.stdout.write(answer.slice(60)));
});`;

let world: TestServers;
beforeEach(() => {
  world = new TestServers();
});
afterEach(() => world.close());

test('over standard streams, a number that would be rounded arrives as text', async () => {
  const file = path.join(world.folder, 'big.cjs');
  writeFileSync(file, program);
  world.write({ test: { command: process.execPath, args: [file] } });
  expect(await world.call('test.big')).toEqual(exact);
});

test.each(['application/json', 'text/event-stream'])(
  'over HTTP as %s, a number that would be rounded arrives as text',
  async (type) => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += String(piece);
      });
      request.on('end', () => {
        const { id, method, params } = body === '' ? { id: undefined, method: '', params: {} } : JSON.parse(body);
        if (request.method !== 'POST') return void response.writeHead(405).end();
        if (id === undefined) return void response.writeHead(202).end();
        const results: Readonly<Record<string, unknown>> = {
          initialize: {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 't', version: '1' },
          },
          'tools/list': { tools: [{ name: 'big', inputSchema: { type: 'object' } }] },
        };
        const result = results[method] ?? { content: [], structuredContent: 'HERE' };
        const text = JSON.stringify({ jsonrpc: '2.0', id, result }).replace('"HERE"', wire);
        response.writeHead(200, { 'content-type': type });
        response.end(type === 'application/json' ? text : `event: message\ndata: ${text}\n\n`);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      world.write({ test: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` } });
      expect(await world.call('test.big')).toEqual(exact);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);
