/**
 * Reads from a release feed: only from the same server, with time limits, and never more than the announced size.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, dialedOrigin, EngineError, explainSystemError, findWebAddress } from '../../ipc/engine-base.ts';
import { type Manifest, type ProgramRelease, readManifest } from './manifest.ts';

/** Maximum size of a release list in bytes. A typical list has a few thousand. */
const maxManifestSize = 256 * 1024;
const maxSignatureSize = 1024;
const mostRedirects = 3;

export interface FeedLimits {
  /** Maximum time without data from the server, in milliseconds. */
  readonly idleMs: number;
  /** Maximum time for a whole release list, in milliseconds. */
  readonly manifestMs: number;
}

const usualLimits: FeedLimits = { idleMs: 30_000, manifestMs: 60_000 };

export class UpdateFeed {
  readonly #clock: Clock;
  readonly #limits: FeedLimits;

  constructor(clock: Clock, limits: FeedLimits = usualLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /**
   * Reads a release list and its signature, which has the same name plus `.sig`.
   * @throws EngineError `update.*`, or the signal's reason if it is aborted
   */
  async readManifest(address: URL, keys: readonly string[], signal: AbortSignal): Promise<Manifest> {
    const whole = new AbortController();
    const tooLong = (): void => whole.abort(noAnswer(address));
    const endTimer = this.#clock.setTimer(tooLong, this.#limits.manifestMs);
    try {
      const both = AbortSignal.any([signal, whole.signal]);
      const bytes = await this.#readAll(address, maxManifestSize, both);
      const signature = new URL(address);
      signature.pathname += '.sig';
      const signed = await this.#readAll(signature, maxSignatureSize, both);
      return readManifest(bytes, signed.toString('utf8'), keys);
    } finally {
      endTimer();
    }
  }

  /**
   * Downloads a package. The file does not exist until it is complete and verified. An existing valid file is kept.
   * @param file absolute path
   * @param onProgress receives the number of bytes so far
   * @throws EngineError `update.*`, or the signal's reason if it is aborted; the file does not exist then
   */
  async download(release: ProgramRelease, file: string, signal: AbortSignal, onProgress: (bytes: number) => void) {
    if (await isPackageIntact(file, release)) return;
    const part = `${file}.part`;
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await this.#write(release, part, signal, onProgress);
      await rename(part, file);
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      throw asUpdateError(error, release.url, signal);
    }
  }

  async #write(
    { url, size, sha512 }: ProgramRelease,
    part: string,
    signal: AbortSignal,
    onProgress: (bytes: number) => void,
  ) {
    const hash = createHash('sha512');
    const handle = await open(part, 'w', 0o600);
    let received = 0;
    try {
      for await (const chunk of this.#read(url, size, signal)) {
        hash.update(chunk);
        await handle.writeFile(chunk);
        received += chunk.byteLength;
        onProgress(received);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (received < size) throw cutShort(url, received, size);
    if (hash.digest('hex') !== sha512) throw damaged('The package that came is not the one that was signed.');
  }

  async #readAll(address: URL, limit: number, signal: AbortSignal): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of this.#read(address, limit, signal)) chunks.push(chunk);
    } catch (error) {
      throw asUpdateError(error, address, signal);
    }
    return Buffer.concat(chunks);
  }

  /** Yields chunks of the response. Throws as soon as it exceeds `limit` bytes. */
  async *#read(address: URL, limit: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const silent = new AbortController();
    const watch = (): (() => void) => this.#clock.setTimer(() => silent.abort(noAnswer(address)), this.#limits.idleMs);
    let endTimer = watch();
    try {
      const { body, headers } = await request(address, AbortSignal.any([signal, silent.signal]));
      if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge(address, limit);
      let received = 0;
      for await (const chunk of body) {
        endTimer();
        received += chunk.byteLength;
        if (received > limit) throw tooLarge(address, limit);
        yield chunk;
        endTimer = watch();
      }
    } finally {
      endTimer();
      silent.abort();
    }
  }
}

interface FeedResponse {
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Follows redirects on the same server only, because another server is not trusted. */
async function request(address: URL, signal: AbortSignal, redirects = 0): Promise<FeedResponse> {
  // Loaded with the first request, so that startup does not wait for it.
  const { webFetch } = await import('../../../engine/world/web/web-fetch.ts');
  const response = await webFetch(address, {
    redirect: 'manual',
    signal,
    headers: { 'accept-encoding': 'identity', 'user-agent': 'Millrace' },
  });
  const { status, headers, body } = response;
  if (status >= 300 && status < 400) {
    const target = headers.get('location') ?? '';
    const next = findWebAddress(target, address);
    if (next === undefined || dialedOrigin(next) !== dialedOrigin(address) || redirects >= mostRedirects) {
      throw feedError('redirected', `${address.host} sends elsewhere for ${nameOf(address)}, which is not followed.`);
    }
    return request(next, signal, redirects + 1);
  }
  if (status !== 200) throw feedError('http', `${address.host} answers ${status} for ${nameOf(address)}.`);
  return { headers, body: body ?? [][Symbol.iterator]() } as FeedResponse;
}

/** Returns whether the file has the expected size and hash. */
export async function isPackageIntact(
  file: string,
  { size, sha512 }: Pick<ProgramRelease, 'size' | 'sha512'>,
): Promise<boolean> {
  try {
    if ((await stat(file)).size !== size) return false;
    const hash = createHash('sha512');
    for await (const chunk of createReadStream(file)) hash.update(chunk);
    return hash.digest('hex') === sha512;
  } catch {
    return false;
  }
}

function nameOf({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1) || pathname;
}

/** File system errors name their cause. All other errors come from the connection. */
function asUpdateError(error: unknown, { host }: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (EngineError.is(error)) return error;
  const trouble = explainSystemError(error);
  if (trouble !== undefined) return feedError('not-written', `The package cannot be kept. ${trouble}`);
  const { code } = ((error as Error).cause ?? error) as { readonly code?: unknown };
  const why = typeof code === 'string' ? ` (${code})` : '';
  return feedError('unreachable', `There is no connection to ${host}, or it broke${why}.`);
}

function feedError(kind: string, message: string): EngineError {
  return new EngineError({ code: `update.${kind}`, message, recoverable: true });
}

function noAnswer(address: URL): EngineError {
  return feedError('no-answer', `${address.host} does not send ${nameOf(address)}: nothing came for too long.`);
}

function tooLarge(address: URL, limit: number): EngineError {
  return feedError(
    'too-large',
    `${nameOf(address)} at ${address.host} is larger than the ${limit} bytes that it may have.`,
  );
}

function cutShort(address: URL, received: number, size: number): EngineError {
  return feedError('cut', `Of ${nameOf(address)} only ${received} of ${size} bytes came.`);
}

function damaged(message: string): EngineError {
  return feedError('bad-hash', message);
}
