/** Tests downloads into files and forms with files against a real server. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Engine } from '../../engine.ts';
import { createEngine } from '../../index.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import type { RunEvent } from '../../runtime/kernel/events/run-event.ts';
import { emptyRunState, type RunState } from '../../runtime/kernel/events/run-state.ts';

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

let folder: string;
let server: Server;
let base: string;
let engine: Engine;
let received: Received[];
let answer: (response: ServerResponse, request: IncomingMessage) => void;

beforeEach(async () => {
  received = [];
  answer = (response) => response.end('fine');
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ method: request.method, headers: request.headers, body: Buffer.concat(chunks) });
      answer(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), 'millrace-http-'));
  mkdirSync(join(folder, 'work'));
  engine = await createEngine({
    workspace: join(folder, 'work'),
    homeFolder: join(folder, 'base'),
    isTrusted: true,
  });
});
afterEach(async () => {
  await engine.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const at = (path: string) => join(folder, 'work', path);

async function start(input: object, config: object = {}): Promise<string> {
  const node = { id: 'get', type: 'http.request', input: { url: `${base}/x`, ...input }, config };
  const text = JSON.stringify({ flow: { name: 'f' }, nodes: [node], edges: [] });
  return (await engine.startRun({ path: 'a.flow.yaml', text, inputs: {} })).runId;
}

async function run(input: object, config: object = {}): Promise<{ state: RunState; events: readonly RunEvent[] }> {
  const runId = (await start(input, config)) as Parameters<Engine['whenEnded']>[0];
  await engine.whenEnded(runId);
  const envelopes = await engine.readEvents(runId, -1, 5000);
  return { state: foldRun(emptyRunState, envelopes), events: envelopes.map(({ event }) => event) };
}

/** Lists all files, including hidden temporary ones, which must be removed. */
const filesIn = (path: string) => readdirSync(at(path)).sort();

describe('BB-59 saveTo', () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));

  test('streams the response into a file unchanged, creates missing folders, and reports the file', async () => {
    answer = (response) => response.writeHead(200, { 'content-type': 'image/png; x=y' }).end(bytes);
    const { state, events } = await run({ saveTo: 'a/b.png' });
    expect(state.error).toBeUndefined();
    expect(readFileSync(at('a/b.png')).equals(bytes)).toBe(true);
    expect(filesIn('a')).toEqual(['b.png']);
    expect(state.nodes.get('get')?.output).toMatchObject({
      status: 200,
      body: null,
      path: 'a/b.png',
      sizeBytes: bytes.byteLength,
      mediaType: 'image/png',
    });
    expect(events.flatMap((event) => (event.type === 'log' ? [event.text] : []))).toContain(
      '293.0 KiB saved to a/b.png',
    );
  });

  test('replaces a file atomically, and leaves it unchanged if the server returns an error', async () => {
    mkdirSync(at('a'));
    writeFileSync(at('a/b'), 'old');
    answer = (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here');
    const refused = await run({ saveTo: 'a/b' });
    expect(refused.state.nodes.get('get')?.output).toMatchObject({ status: 404, body: 'nothing here' });
    expect(refused.state.nodes.get('get')?.output).not.toHaveProperty('path');
    expect(readFileSync(at('a/b'), 'utf8')).toBe('old');
    answer = (response) => response.end('');
    await run({ saveTo: 'a/b' });
    expect(readFileSync(at('a/b'), 'utf8')).toBe('');
    expect(filesIn('a')).toEqual(['b']);
  });

  test('a response that is too long or breaks off leaves no file', async () => {
    mkdirSync(at('a'));
    answer = (response) => response.end(bytes);
    expect((await run({ saveTo: 'a/b' }, { maxBytes: 1000 })).state.error).toMatchObject({ code: 'web.too-large' });
    answer = (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.destroy());
    };
    expect((await run({ saveTo: 'a/b' })).state.error).toMatchObject({ code: 'web.broken' });
    expect(filesIn('a')).toEqual([]);
  });

  test('a canceled download leaves no file', async () => {
    mkdirSync(at('a'));
    answer = (response) => void response.writeHead(200).write(bytes);
    const runId = (await start({ saveTo: 'a/b' })) as Parameters<Engine['whenEnded']>[0];
    await vi.waitFor(() => expect(filesIn('a')).toHaveLength(1), 20_000);
    engine.cancelRun(runId);
    expect((await engine.whenEnded(runId)).status).toBe('cancelled');
    await vi.waitFor(() => expect(filesIn('a')).toEqual([]), 20_000);
  });

  test.each([
    ['../out', 'files.outside'],
    ['/etc/out', 'files.outside'],
    ['.millrace/.env', 'files.outside'],
  ])('rejects the target %j before sending the request', async (saveTo, code) => {
    const { state } = await run({ saveTo });
    expect(state.status).toBe('failed');
    expect([code, 'files.protected', 'files.not-writable']).toContain(state.error?.code);
    expect(received).toEqual([]);
    expect(existsSync(at('.millrace/.env'))).toBe(false);
  });

  test('writes nothing through a linked folder that leads outside', async () => {
    const { symlinkSync } = await import('node:fs');
    mkdirSync(join(folder, 'outside'));
    symlinkSync(join(folder, 'outside'), at('link'), 'junction');
    expect((await run({ saveTo: 'link/b' })).state.status).toBe('failed');
    expect(readdirSync(join(folder, 'outside'))).toEqual([]);
  });
});

describe('BB-59 form', () => {
  test('sends text and files with their names, types and total length', async () => {
    const content = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * 7) % 256));
    writeFileSync(at('pic.png'), content);
    writeFileSync(at('Größe "x".md'), '# Größe');
    const form = {
      title: 'Zwölf',
      count: 3,
      tags: ['a', 'b'],
      picture: { file: 'pic.png' },
      notes: [
        { file: 'Größe "x".md', mediaType: 'text/x-notes' },
        { file: 'pic.png', fileName: 'again.png' },
      ],
    };
    const { state } = await run({ method: 'POST', form, headers: { 'x-own': 'y', 'content-type': 'text/plain' } });
    expect(state.error).toBeUndefined();
    const { headers, body } = received[0] as Received;
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(headers['content-length']).toBe(String(body.byteLength));
    expect(headers['x-own']).toBe('y');
    const read = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData();
    expect([read.get('title'), read.get('count'), read.getAll('tags')]).toEqual(['Zwölf', '3', ['a', 'b']]);
    const files = [...read.getAll('picture'), ...read.getAll('notes')] as File[];
    expect(files.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['pic.png', 'image/png', content.byteLength],
      ['Größe "x".md', 'text/x-notes', Buffer.byteLength('# Größe')],
      ['again.png', 'image/png', content.byteLength],
    ]);
    expect(Buffer.from(await (files[0] as File).arrayBuffer()).equals(content)).toBe(true);
  });

  test('is sent again when a redirect requires it', async () => {
    writeFileSync(at('a.txt'), 'hello');
    answer = (response, { url }) =>
      url === '/x' ? response.writeHead(307, { location: '/y' }).end() : response.end('there');
    const { state } = await run({ method: 'POST', form: { file: { file: 'a.txt' } } });
    expect(state.nodes.get('get')?.output).toMatchObject({ body: 'there' });
    expect(received.map(({ body }) => body.includes('hello'))).toEqual([true, true]);
  });

  test('reports a missing file or one outside the workspace before sending anything', async () => {
    for (const file of ['none.txt', '../out.txt']) {
      const { state } = await run({ method: 'POST', form: { a: 'x', b: { file } } });
      expect(state.error?.code).toMatch(/^files\./);
    }
    expect(received).toEqual([]);
  });

  test('the response can be saved to a file', async () => {
    writeFileSync(at('a.txt'), 'hello');
    const { state } = await run({ method: 'POST', form: { file: { file: 'a.txt' } }, saveTo: 'out/b.txt' });
    expect(state.error).toBeUndefined();
    expect(readFileSync(at('out/b.txt'), 'utf8')).toBe('fine');
  });

  test.each([
    [{ method: 'GET', form: { a: 'x' } }],
    [{ method: 'POST', form: { a: 'x' }, body: 'y' }],
    [{ method: 'POST', form: { a: { path: 'x' } } }],
    [{ method: 'POST', form: { a: [null] } }],
    [{ method: 'POST', form: { a: { file: 'x', other: 1 } } }],
    [{ saveTo: '' }],
  ])('rejects %j before the run starts', async (input) => {
    await expect(run(input)).rejects.toMatchObject({ code: expect.stringMatching(/^flow\./) });
    expect(received).toEqual([]);
  });
});
