/**
 * Downloads files and text from the web.
 */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import { readWebAddress, shownAddress } from '../../../base/web-address.ts';
import { shownSize } from '../../../world/archive/pack-limits.ts';
import { brokenBody, toSendError } from '../../../world/web/web-error.ts';
import { webFetch } from '../../../world/web/web-fetch.ts';

export interface DownloadOptions {
  readonly maxBytes: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Maximum time without data from the server, in milliseconds. */
  readonly stallMs?: number;
  /** Called as bytes arrive; `total` is the size that the server announced. */
  readonly onBytes?: (received: number, total: number | undefined) => void;
}

const maxRedirects = 5;
const defaultStallMs = 30_000;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads a file.
 * @param target absolute path of a new file
 * @throws EngineError `pack.download-failed` (`details.status` of the response) | `pack.timeout` | `pack.too-large` |
 * `pack.not-an-archive` for a web page | `web.bad-url` | `web.bad-address` | `web.unreachable` | `web.broken`; the
 * signal's reason
 */
export async function downloadFile(url: string, target: string, options: DownloadOptions): Promise<void> {
  await request(url, options, async (answer, watch) => {
    refusePage(answer, watch.url);
    await pipeline(bodyOf(answer, watch), createWriteStream(target, { flags: 'wx' }));
  });
}

/** Downloads a short text. Throws the same errors as `downloadFile`. */
export async function downloadText(url: string, options: DownloadOptions): Promise<string> {
  const chunks: Uint8Array[] = [];
  await request(url, options, async (answer, watch) => {
    refusePage(answer, watch.url);
    for await (const chunk of bodyOf(answer, watch)) chunks.push(chunk);
  });
  return Buffer.concat(chunks).toString('utf8');
}

interface DownloadWatch {
  readonly url: URL;
  readonly options: DownloadOptions;
  /** Restarts the stall timer after data has arrived. */
  alive(): void;
}

async function request(
  text: string,
  options: DownloadOptions,
  use: (answer: Response, watch: DownloadWatch) => Promise<void>,
): Promise<void> {
  const { clock, signal, stallMs = defaultStallMs } = options;
  const url = readWebAddress(text);
  const stop = new AbortController();
  let endTimer = (): void => undefined;
  const alive = (): void => {
    endTimer();
    endTimer = clock.setTimer(() => stop.abort(timedOut(url, stallMs)), stallMs);
  };
  try {
    signal.throwIfAborted();
    alive();
    await use(await follow(text, AbortSignal.any([signal, stop.signal])), { url, options, alive });
  } catch (error) {
    signal.throwIfAborted();
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    endTimer();
    // Closes the connection of a response that was not read to its end.
    stop.abort();
  }
}

async function follow(first: string, signal: AbortSignal): Promise<Response> {
  let url = readWebAddress(first);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await send(url, signal);
    const location = redirectStatuses.has(answer.status) ? answer.headers.get('location') : null;
    if (location === null) return checkedStatus(answer, url);
    await answer.body?.cancel();
    if (redirects === maxRedirects) throw tooManyRedirects(first);
    const next = readWebAddress(location, url);
    if (url.protocol === 'https:' && next.protocol === 'http:') throw downgraded(url, next);
    url = next;
  }
}

async function send(url: URL, signal: AbortSignal): Promise<Response> {
  try {
    return await webFetch(url, { signal, redirect: 'manual' });
  } catch (error) {
    throw toSendError(error, url);
  }
}

function checkedStatus(answer: Response, url: URL): Response {
  if (answer.status === 200) return answer;
  const words = answer.status === 404 ? 'the address does not exist' : 'the server refused the request';
  throw new EngineError({
    code: 'pack.download-failed',
    message: `${shownAddress(url)} responded with status ${answer.status}: ${words}.`,
    recoverable: answer.status >= 500 || answer.status === 429,
    details: { status: answer.status },
  });
}

/** Rejects a web page that was sent instead of an archive. Sign-in and error pages may have the status 200. */
function refusePage(answer: Response, url: URL): void {
  if (!/^(?:text\/html|application\/xhtml)/i.test(answer.headers.get('content-type') ?? '')) return;
  throw new EngineError({
    code: 'pack.not-an-archive',
    message: `${shownAddress(url)} returned a web page. Check the address, and whether the download requires signing in.`,
  });
}

/**
 * Yields the bytes as they arrive. Counts decompressed bytes, so that a small response that expands enormously is
 * stopped.
 */
async function* bodyOf(answer: Response, { url, options, alive }: DownloadWatch): AsyncGenerator<Uint8Array> {
  const { maxBytes, onBytes } = options;
  const announced = Number(answer.headers.get('content-length') ?? Number.NaN);
  if (announced > maxBytes) throw tooLarge(url, maxBytes);
  const total = Number.isFinite(announced) ? announced : undefined;
  const reader = answer.body?.getReader();
  for (let received = 0; reader !== undefined; ) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw brokenBody(error, url);
    });
    if (done) return;
    alive();
    received += value.byteLength;
    if (received > maxBytes) throw tooLarge(url, maxBytes);
    onBytes?.(received, total);
    yield value;
  }
}

function timedOut(url: URL, stallMs: number): EngineError {
  return new EngineError({
    code: 'pack.timeout',
    message: `${shownAddress(url)} sent nothing for ${stallMs / 1000} seconds. Try again later.`,
    recoverable: true,
  });
}

function tooLarge(url: URL, maxBytes: number): EngineError {
  return new EngineError({
    code: 'pack.too-large',
    message: `The download from ${shownAddress(url)} exceeds the limit of ${shownSize(maxBytes)}.`,
  });
}

function tooManyRedirects(first: string): EngineError {
  return new EngineError({
    code: 'pack.download-failed',
    message: `${shownAddress(readWebAddress(first))} redirects more than ${maxRedirects} times.`,
  });
}

function downgraded(from: URL, to: URL): EngineError {
  return new EngineError({
    code: 'pack.download-failed',
    message: `${shownAddress(from)} redirects from https to ${shownAddress(to)}, so the pack could be changed in transit.`,
  });
}
