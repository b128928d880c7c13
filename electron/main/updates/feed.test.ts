import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../ipc/engine-base.ts';
import { UpdateFeed } from './feed.ts';
import type { ProgramRelease } from './manifest.ts';
import { type Handler, makeTestKey, manifestOf, openTestFeed, packageOf, type TestFeed } from './test-feed.ts';

const key = makeTestKey();
const content = Buffer.alloc(300_000, 'package ');
/** Short timeouts for tests of requests that never end. Other tests need more time on a busy machine. */
const quick = new UpdateFeed(systemClock, { idleMs: 150, manifestMs: 400 });
const patient = new UpdateFeed(systemClock, { idleMs: 20_000, manifestMs: 20_000 });
let feed: UpdateFeed;
let server: TestFeed;
let folder: string;

beforeEach(async () => {
  feed = patient;
  server = await openTestFeed();
  folder = mkdtempSync(path.join(tmpdir(), 'millrace-feed-'));
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const untouched = new AbortController().signal;

function readLatest(): Promise<unknown> {
  return feed.readManifest(new URL('latest.json', server.address), [key.publicKey], untouched);
}

function releaseOf(more: Partial<ProgramRelease> = {}): ProgramRelease {
  const { size, sha512 } = packageOf(content);
  const url = new URL('millrace.deb', server.address);
  return { version: '1.2.0', date: '', notes: '', kind: 'deb', size, sha512, url, ...more };
}

function download(release: ProgramRelease, signal = untouched, onProgress: (bytes: number) => void = () => undefined) {
  return feed.download(release, path.join(folder, 'millrace.deb'), signal, onProgress);
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  );

test('reads a list with its signature', async () => {
  server.publish('latest.json', manifestOf(content), key);
  expect(await readLatest()).toMatchObject({ version: '1.2.0' });
  expect(server.asked).toEqual(['/latest.json', '/latest.json.sig']);
});

const packedBlanks = gzipSync(Buffer.alloc(5_000_000, ' '));

const bad: Readonly<Record<string, readonly [code: string, handler: Handler]>> = {
  'is not there': ['update.http', (_, response) => response.writeHead(404).end()],
  'fails on the server': ['update.http', (_, response) => response.writeHead(500).end('oops')],
  'redirects to another server': [
    'update.redirected',
    (_, response) => response.writeHead(302, { location: 'https://elsewhere.example/latest.json' }).end(),
  ],
  'redirects to another port': [
    'update.redirected',
    (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/latest.json' }).end(),
  ],
  'redirects to nowhere': ['update.redirected', (_, response) => response.writeHead(301).end()],
  'redirects for ever': [
    'update.redirected',
    ({ url }, response) => response.writeHead(302, { location: url ?? '' }).end(),
  ],
  'never answers': ['update.no-answer', () => undefined],
  'stops in the middle': ['update.no-answer', (_, response) => response.writeHead(200).write('{')],
  'comes a letter at a time, for ever': [
    'update.no-answer',
    (_, response) => {
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
  ],
  'says that it is huge': [
    'update.too-large',
    (_, response) => response.writeHead(200, { 'content-length': '10000000' }).write('{'),
  ],
  'is huge': [
    'update.too-large',
    (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
      };
      response.on('drain', more);
      more();
    },
  ],
  'is huge when it is unpacked': [
    'update.too-large',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packedBlanks),
  ],
  'breaks off': [
    'update.unreachable',
    (_, response) => response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
  ],
};

test.each(Object.entries(bad))('rejects a list that %s', async (_, [code, handler]) => {
  if (code === 'update.no-answer') feed = quick;
  server.files.set('/latest.json', handler);
  expect(await codeOf(readLatest())).toBe(code);
});

test('rejects a list with a truncated, missing or foreign signature', async () => {
  server.publish('latest.json', manifestOf(content), key);
  const signature = server.files.get('/latest.json.sig') as Buffer;
  server.files.set('/latest.json.sig', signature.subarray(0, 50));
  expect(await codeOf(readLatest())).toBe('update.bad-signature');
  server.files.delete('/latest.json.sig');
  expect(await codeOf(readLatest())).toBe('update.http');
  server.publish('latest.json', manifestOf(content, { version: '1.3.0' }), key);
  server.files.set('/latest.json.sig', signature);
  expect(await codeOf(readLatest())).toBe('update.bad-signature');
});

test('reports an unreachable server in a sentence, without a list', async () => {
  server.close();
  expect(await codeOf(readLatest())).toBe('update.unreachable');
});

test('follows a redirect on the same server', async () => {
  server.publish('new/latest.json', manifestOf(content), key);
  for (const name of ['latest.json', 'latest.json.sig']) {
    server.files.set(`/${name}`, (_, response) => response.writeHead(302, { location: `/new/${name}` }).end());
  }
  expect(await readLatest()).toMatchObject({ version: '1.2.0' });
});

test('stores a package when it is complete, and does not download it again', async () => {
  server.files.set('/millrace.deb', content);
  const told: number[] = [];
  await download(releaseOf(), untouched, (bytes) => told.push(bytes));
  expect(readFileSync(path.join(folder, 'millrace.deb'))).toEqual(content);
  expect(told.at(-1)).toBe(content.byteLength);
  await download(releaseOf());
  expect(server.asked).toEqual(['/millrace.deb']);
  writeFileSync(path.join(folder, 'millrace.deb'), Buffer.alloc(content.byteLength));
  await download(releaseOf());
  expect(readFileSync(path.join(folder, 'millrace.deb'))).toEqual(content);
});

const badPackages: Readonly<Record<string, readonly [code: string, handler: Handler | Buffer]>> = {
  'has other bytes': ['update.bad-hash', Buffer.alloc(content.byteLength, 'x')],
  'is cut': ['update.cut', content.subarray(1)],
  'breaks off': [
    'update.unreachable',
    (_, response) =>
      response
        .writeHead(200, { 'content-length': String(content.byteLength) })
        .write(content.subarray(9), () => response.destroy()),
  ],
  'has more': ['update.too-large', Buffer.concat([content, Buffer.from('!')])],
  stops: ['update.no-answer', (_, response) => response.writeHead(200).write(content.subarray(0, 9))],
  'is elsewhere': [
    'update.redirected',
    (_, response) => response.writeHead(307, { location: 'https://a.example/' }).end(),
  ],
  'is gone': ['update.http', (_, response) => response.writeHead(410).end()],
};

test.each(Object.entries(badPackages))('leaves nothing behind of a package that %s', async (_, [code, file]) => {
  if (code === 'update.no-answer') feed = quick;
  server.files.set('/millrace.deb', file);
  expect(await codeOf(download(releaseOf()))).toBe(code);
  expect(readdirSync(folder)).toEqual([]);
});

test('leaves nothing behind of a canceled download', async () => {
  server.files.set('/millrace.deb', (_, response) => response.writeHead(200).write(content.subarray(0, 9)));
  const controller = new AbortController();
  const end = controller.abort.bind(controller, 'ended');
  expect(await codeOf(download(releaseOf(), controller.signal, () => end()))).toBe('ended');
  expect(readdirSync(folder)).toEqual([]);
});

test('reports a folder that is not writable', async () => {
  server.files.set('/millrace.deb', content);
  writeFileSync(path.join(folder, 'file'), '');
  expect(await codeOf(feed.download(releaseOf(), path.join(folder, 'file', 'a.deb'), untouched, () => undefined))).toBe(
    'update.not-written',
  );
});
