import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endChild } from './child-process.mjs';
import { findPostgres, findRestate } from './durable-servers.mjs';
import { type Server, startPostgres, startRestate } from './start-servers.mjs';

let folder: string;
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-servers-'));
});
afterEach(async () => {
  if (server !== undefined) await endChild(server.child, server.stopSignal);
  server = undefined;
  rmSync(folder, { recursive: true, maxRetries: 10 });
});

/** Resolves if a program listens on the port of this machine; rejects otherwise. */
async function knock(port: number): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

test.skipIf(findRestate() === undefined)(
  'Restate is ready at its URL, and has ended after it was stopped',
  async () => {
    server = await startRestate(folder);
    const url = new URL(server.url);
    expect(url.hostname).toBe('127.0.0.1');
    const ports = [Number(url.port), Number(url.searchParams.get('admin'))];
    await Promise.all(ports.map(knock));
    await endChild(server.child, server.stopSignal);
    for (const port of ports) await expect(knock(port)).rejects.toThrow();
  },
);

test.skipIf((await findPostgres()) === undefined)(
  'PostgreSQL is ready at its URL with a password, and stops although a client is connected',
  async () => {
    server = await startPostgres(folder);
    const { hostname, port, username, password, pathname } = new URL(server.url);
    expect({ hostname, username, pathname }).toEqual({
      hostname: '127.0.0.1',
      username: 'millrace',
      pathname: '/millrace',
    });
    expect(password).toMatch(/^[0-9a-f]{24}$/);
    const client = net.connect(Number(port), '127.0.0.1').on('error', () => undefined);
    await once(client, 'connect');
    await endChild(server.child, server.stopSignal);
    await expect(knock(Number(port))).rejects.toThrow();
    client.destroy();
  },
);
