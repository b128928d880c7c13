import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebRequest, WebResponse } from '../../runtime/kernel/capabilities/web-capability.ts';
import { createWebClient } from './web-client.ts';

const text = Array.from({ length: 200 }, (_, line) => `${line} ${randomBytes(16).toString('hex')}`).join('\n');
const gzip = zlib.gzipSync(text);
const deflate = zlib.deflateSync(text);
const raw = zlib.deflateRawSync(text);
const br = zlib.brotliCompressSync(text);
const hasZstd = 'zstdCompressSync' in zlib;
const zstd = hasZstd ? (zlib as unknown as { zstdCompressSync(text: string): Buffer }).zstdCompressSync(text) : gzip;

let server: Server;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const web = createWebClient({ mayReachPrivate: () => true });

async function ask(more: Partial<WebRequest> = {}): Promise<WebResponse> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const request = { url, method: 'GET', headers: {}, body: undefined, maxBytes: 1_000_000, ...more };
  return await web.send(request, new AbortController().signal);
}

/** Returns the client's result for a body sent as a whole, and for one sent in small pieces. */
async function readAs(encoding: string, body: Uint8Array): Promise<readonly string[]> {
  const read = async (send: (response: ServerResponse) => void): Promise<string> => {
    answer = (response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      send(response);
    };
    return await ask().then(
      (response) => (response.text === text ? 'all' : response.text),
      ({ code, details }) => [code, details?.cause].filter((part) => part !== undefined).join(' '),
    );
  };
  const whole = await read((response) => response.end(body));
  const pieces = await read((response) => {
    const step = Math.max(1, Math.ceil(body.byteLength / 40));
    const end = body.byteLength - 20;
    for (let at = 0; at < end; at += step) response.write(body.subarray(at, Math.min(end, at + step)));
    for (let at = Math.max(0, end); at < body.byteLength; at++) response.write(body.subarray(at, at + 1));
    response.end();
  });
  return [whole, pieces];
}

function joined(...parts: readonly (Uint8Array | string)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

function changed(body: Buffer, fromEnd: number): Buffer {
  const copy = Buffer.from(body);
  copy[copy.length - fromEnd] = (copy[copy.length - fromEnd] ?? 0) ^ 1;
  return copy;
}

/** Returns gzip data with a name, a comment, extra fields and a header checksum. */
function gzipWithHeader(): Buffer {
  const head = Buffer.from([0x1f, 0x8b, 8, 2 + 4 + 8 + 16, 0, 0, 0, 0, 0, 3, 3, 0]);
  return joined(head, 'abc', 'name.txt\0', 'a comment\0', 'hh', gzip.subarray(10));
}

const early = 'web.broken Z_BUF_ERROR';
const damaged = 'web.broken Z_DATA_ERROR';

describe('a compressed body', () => {
  test.each<[string, string, Uint8Array]>([
    ['gzip', 'gzip', gzip],
    ['gzip under its old name', 'x-gzip', gzip],
    ['gzip in capitals', 'GZip', gzip],
    ['gzip with all that its header may have', 'gzip', gzipWithHeader()],
    ['gzip of several members', 'gzip', joined(zlib.gzipSync(text.slice(0, 99)), zlib.gzipSync(text.slice(99)))],
    ['gzip with an empty member', 'gzip', joined(zlib.gzipSync(''), gzip)],
    ['gzip with bytes after it', 'gzip', joined(gzip, 'garbage, which browsers ignore')],
    ['gzip with zeros after it', 'gzip', joined(gzip, Buffer.alloc(100))],
    ['gzip with one byte after it', 'gzip', joined(gzip, Buffer.from([0x1f]))],
    ['deflate', 'deflate', deflate],
    ['raw deflate', 'deflate', raw],
    ['deflate with bytes after it', 'deflate', joined(deflate, 'garbage')],
    ['raw deflate with bytes after it', 'deflate', joined(raw, 'garbage')],
    ['br', 'br', br],
    ['br with bytes after it', 'br', joined(br, 'garbage')],
    ['nothing', 'identity', joined(text)],
    ['an empty name', '', joined(text)],
    ['gzip, then br', 'gzip, br', zlib.brotliCompressSync(gzip)],
    ['deflate, then nothing, then gzip', 'deflate,identity , gzip', zlib.gzipSync(deflate)],
    ...(hasZstd ? ([['zstd', 'zstd', zstd]] as [string, string, Uint8Array][]) : []),
  ])('is read whole: %s', async (_name, encoding, body) => {
    expect(await readAs(encoding, body)).toEqual(['all', 'all']);
  });

  test.each<[string, string, Uint8Array, string]>([
    ['half of gzip', 'gzip', gzip.subarray(0, gzip.length >> 1), early],
    ['gzip without the last byte', 'gzip', gzip.subarray(0, -1), early],
    ['gzip without its length', 'gzip', gzip.subarray(0, -4), early],
    ['gzip without its trailer', 'gzip', gzip.subarray(0, -8), early],
    ['gzip without the end of its data', 'gzip', gzip.subarray(0, -9), early],
    ['the header of gzip', 'gzip', gzip.subarray(0, 10), early],
    ['the first byte of gzip', 'gzip', gzip.subarray(0, 1), early],
    ['gzip with a wrong checksum', 'gzip', changed(gzip, 8), damaged],
    ['gzip with a wrong length', 'gzip', changed(gzip, 4), damaged],
    ['gzip with a second member that is cut', 'gzip', joined(gzip, gzip.subarray(0, -3)), early],
    ['text that is called gzip', 'gzip', joined('just text'), damaged],
    ['half of deflate', 'deflate', deflate.subarray(0, deflate.length >> 1), early],
    ['deflate without its checksum', 'deflate', deflate.subarray(0, -4), early],
    ['deflate with a wrong checksum', 'deflate', changed(deflate, 1), damaged],
    ['half of raw deflate', 'deflate', raw.subarray(0, raw.length >> 1), early],
    ['raw deflate without its last byte', 'deflate', raw.subarray(0, -1), early],
    ['half of br', 'br', br.subarray(0, br.length >> 1), early],
    ['br without its last byte', 'br', br.subarray(0, -1), early],
    ['gzip, then half of br', 'gzip, br', zlib.brotliCompressSync(gzip).subarray(0, -20), early],
    ['half of gzip, then br', 'gzip, br', zlib.brotliCompressSync(gzip.subarray(0, -20)), early],
    ['an unknown coding', 'compress', gzip, 'web.unknown-encoding'],
    ['one unknown coding of two', 'gzip, sdch', gzip, 'web.unknown-encoding'],
    ['more codings than anybody needs', 'gzip,gzip,gzip,gzip,gzip,gzip', gzip, 'web.unknown-encoding'],
    ...(hasZstd
      ? ([['half of zstd', 'zstd', zstd.subarray(0, zstd.length >> 1), early]] as [
          string,
          string,
          Uint8Array,
          string,
        ][])
      : []),
  ])('fails: %s', async (_name, encoding, body, code) => {
    expect(await readAs(encoding, body)).toEqual([code, code]);
  });

  test.each(['gzip', 'deflate', 'br', 'gzip, br'])(
    'a body without data is empty, even with the encoding %s',
    async (encoding) => {
      expect(await readAs(encoding, new Uint8Array())).toEqual(['', '']);
    },
  );

  test.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
    ['GET', 205],
  ])('expects no body in a response to %s with status %i', async (method, status) => {
    for (const encoding of ['gzip', 'unknown']) {
      answer = (response) => response.writeHead(status, { 'content-encoding': encoding }).end();
      expect(await ask({ method })).toMatchObject({ status, text: '', headers: { 'content-encoding': encoding } });
    }
  });

  test('a decoded response keeps its status, its headers and its cookies', async () => {
    answer = (response) =>
      response
        .writeHead(299, { 'content-encoding': 'gzip', 'x-a': '1', 'set-cookie': ['a=1, b', 'c=2'] })
        .end(zlib.gzipSync('packed'));
    expect(await ask()).toMatchObject({
      status: 299,
      text: 'packed',
      headers: { 'content-encoding': 'gzip', 'x-a': '1', 'set-cookie': 'a=1, b\nc=2' },
    });
  });

  test('accepts a nonstandard status', async () => {
    answer = (response) => response.writeHead(999, { 'content-encoding': 'gzip' }).end(zlib.gzipSync('packed'));
    expect(await ask()).toMatchObject({ status: 999, text: 'packed' });
  });

  test('decodes a body as it arrives', async () => {
    let sendRest = (): void => undefined;
    const packer = zlib.createGzip();
    answer = (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      packer.pipe(response);
      packer.write('first');
      packer.flush();
      sendRest = () => void packer.end('second');
    };
    const pieces: string[] = [];
    const sink = {
      takes: () => true,
      async write(piece: Uint8Array) {
        pieces.push(Buffer.from(piece).toString());
        sendRest();
      },
    };
    await ask({ sink });
    expect(pieces).toEqual(['first', 'second']);
  });

  test('stops a body that is huge when unpacked', async () => {
    answer = (response) =>
      response
        .writeHead(200, { 'content-encoding': 'gzip, gzip' })
        .end(zlib.gzipSync(zlib.gzipSync(Buffer.alloc(5_000_000))));
    await expect(ask()).rejects.toMatchObject({ code: 'web.too-large' });
  });
});

describe('a connection that breaks', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    [
      'before the announced length',
      (response) =>
        response
          .writeHead(200, { 'content-length': gzip.length, 'content-encoding': 'gzip' })
          .write(gzip.subarray(0, 50), () => response.destroy()),
    ],
    [
      'in a chunk',
      (response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzip.subarray(0, 50), () => response.destroy()),
    ],
    [
      'behind all of the data, before the last chunk',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzip, () => response.destroy()),
    ],
    [
      'behind all of the data of deflate',
      (response) => response.writeHead(200, { 'content-encoding': 'deflate' }).write(deflate, () => response.destroy()),
    ],
    [
      'without a coding',
      (response) => response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy()),
    ],
  ])('%s fails', async (_name, send) => {
    answer = (response) => void send(response);
    await expect(ask()).rejects.toMatchObject({ code: 'web.broken', recoverable: true });
  });
});
