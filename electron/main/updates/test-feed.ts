/**
 * Test helper: a local release server with configurable and possibly invalid content.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestKey {
  readonly privateKey: KeyObject;
  /** Public key in PEM format. */
  readonly publicKey: string;
}

export function makeTestKey(): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

export interface TestFeed {
  /** Base URL, ending with `/`. */
  readonly address: string;
  /** Requested paths, in order. */
  readonly asked: string[];
  /** Content by path: bytes or a handler. */
  readonly files: Map<string, Buffer | Handler>;
  /** Publishes a signed release list. */
  publish(name: string, manifest: unknown, key: TestKey): void;
  close(): void;
}

export async function openTestFeed(): Promise<TestFeed> {
  const files: TestFeed['files'] = new Map();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const file = files.get(path);
    if (typeof file === 'function') file(request, response);
    else if (file === undefined) response.writeHead(404).end();
    else response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    files,
    publish(name, manifest, { privateKey }) {
      const bytes = Buffer.from(JSON.stringify(manifest));
      files.set(`/${name}`, bytes);
      files.set(`/${name}.sig`, Buffer.from(sign(null, bytes, privateKey).toString('base64')));
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns a package with these bytes, as an entry of a release list. */
export function packageOf(content: Buffer, more: object = {}) {
  const sha512 = createHash('sha512').update(content).digest('hex');
  return { kind: 'deb', arch: 'x64', url: 'millrace.deb', size: content.byteLength, sha512, ...more };
}

/** Returns a release list. */
export function manifestOf(content: Buffer, more: object = {}) {
  return {
    format: 1,
    version: '1.2.0',
    channel: 'stable',
    date: '2026-11-23T10:00:00.000Z',
    notes: 'https://millrace.example/1.2.0',
    packages: [packageOf(content)],
    ...more,
  };
}
