/**
 * Fetch for the SDK's HTTP transport, which trusts whatever a server sends. Limits the size of responses and tolerates
 * streams that end repeatedly.
 */
import { type Clock, elapsedSince, sleep } from '../../base/clock.ts';
import { MAX_MESSAGE_BYTES } from '../../base/json-limits.ts';
import { addressWithoutQuery, dialedOrigin, readWebAddress } from '../../base/web-address.ts';
import { type WebFetch, webFetch } from '../web/web-fetch.ts';
import { readableBody } from './http-messages.ts';

/** Number of consecutive failures to open a stream after which no more attempts are made. */
export const mostFailedStreams = 3;

/**
 * Number of consecutive short streams that are reopened. The pauses between them, in milliseconds, grow up to a
 * maximum.
 */
const mostShortStreams = 5;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const longStreamMs = 60_000;

interface McpFetchOptions {
  readonly clock: Clock;
  /** Sends a request; defaults to the built-in fetch. */
  readonly send?: WebFetch;
  /** Called after the last attempt to open a stream, because no response can arrive then. */
  readonly onGivenUp: () => void;
  /** Called when a number in a message was put in quotes. */
  readonly onQuoted?: () => void;
}

/** Statuses for which the same request is sent to another URL. */
const movedFor = new Set([307, 308]);
const redirects = new Set([301, 302, 303, ...movedFor]);
const mostRedirects = 3;

/** Follows redirects only within the configured host: headers may contain secrets, and host rules apply to its URL. */
function withoutLeaving(send: WebFetch): WebFetch {
  return async (url, init) => {
    let at = new URL(url);
    for (let followed = 0; ; followed++) {
      const response = await send(at, { ...init, redirect: 'manual' });
      const location = response.headers.get('location');
      if (!redirects.has(response.status) || location === null) return response;
      await response.body?.cancel();
      const next = readWebAddress(location, at);
      if (dialedOrigin(next) !== dialedOrigin(at) || !movedFor.has(response.status) || followed === mostRedirects)
        throw new Error(
          `it redirects to ${addressWithoutQuery(next)}, which is not followed; use that address as the url`,
        );
      at = next;
    }
  };
}

/** Creates the `fetch` of one connection. */
export function createMcpFetch({
  clock,
  send: sendOnce = webFetch,
  onGivenUp,
  onQuoted = () => undefined,
}: McpFetchOptions): WebFetch {
  const send = withoutLeaving(sendOnce);
  let shortStreams = 0;
  let failedStreams = 0;
  const noteFailed = (): void => {
    if (++failedStreams >= mostFailedStreams) onGivenUp();
  };
  const openStream: WebFetch = async (url, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    if (shortStreams > mostShortStreams) {
      if (new Headers(init?.headers).has('last-event-id')) onGivenUp();
      // The status of a server without such a stream; the client does not retry.
      return new Response(null, { status: 405 });
    }
    if (shortStreams > 0) await sleep(clock, Math.min(longestPauseMs, firstPauseMs * 2 ** (shortStreams - 1)), signal);
    const openedAt = clock.now();
    const response = await send(url, init).catch((error: unknown) => {
      noteFailed();
      throw error;
    });
    if (!response.ok) {
      if (response.status !== 405) noteFailed();
      return response;
    }
    failedStreams = 0;
    return withBody(response, { requestId: '', onQuoted }, () => {
      shortStreams = elapsedSince(openedAt, clock) >= longStreamMs ? 0 : shortStreams + 1;
    });
  };
  return async (url, init) => {
    if (init?.method === 'GET') return await openStream(url, init);
    const response = await send(url, init);
    return withBody(response, { requestId: requestIdOf(init), onQuoted }, () => undefined);
  };
}

/** Returns, as JSON, the ID of the request in a body; empty if it expects no response. */
function requestIdOf(init: RequestInit | undefined): string {
  const { body } = init ?? {};
  if (init?.method !== 'POST' || typeof body !== 'string') return '';
  const { id, method } = JSON.parse(body) as { readonly id?: unknown; readonly method?: unknown };
  return id === undefined || method === undefined ? '' : JSON.stringify(id);
}

interface McpResponseContext {
  /** As JSON, the ID of the request to which this body responds. */
  readonly requestId: string;
  readonly onQuoted: () => void;
}

function withBody(response: Response, { requestId, onQuoted }: McpResponseContext, onEnd: () => void): Response {
  if (response.body === null) return response;
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const body = boundedBody(response.body, isStream ? requestId : '', { isStream, onEnd });
  const { status, statusText, headers } = response;
  const reading = { requestId: isStream ? requestId : undefined, onQuoted };
  return new Response(response.ok ? readableBody(body, reading) : body, { status, statusText, headers });
}

interface BodyOptions {
  readonly isStream: boolean;
  readonly onEnd: () => void;
}

/**
 * Ends an event stream that breaks and cannot be resumed. The code that reads its events reports the missing response.
 */
function boundedBody(
  body: ReadableStream<Uint8Array>,
  requestId: string,
  { isStream, onEnd }: BodyOptions,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  let mayBeTakenUp = false;
  const finish = (controller: ReadableStreamDefaultController<Uint8Array>, error?: unknown): void => {
    onEnd();
    const isLost = requestId !== '' && !mayBeTakenUp;
    if (error !== undefined && !isLost) {
      controller.error(error);
      return;
    }
    controller.close();
  };
  const take = (piece: Uint8Array): void => {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    mayBeTakenUp ||= /(?:^|\n)id:/.test(bytes.toString('latin1'));
    const end = isStream ? Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\r\n\r\n')) : -1;
    size = end === -1 ? size + bytes.byteLength : bytes.byteLength - end;
  };
  return new ReadableStream({
    async pull(controller) {
      const { value, error } = (await reader
        .read()
        .catch((thrown: unknown) => ({ value: undefined, error: thrown }))) as ResponseChunk;
      if (value === undefined) {
        finish(controller, error);
        return;
      }
      take(value);
      if (size <= MAX_MESSAGE_BYTES) {
        controller.enqueue(value);
        return;
      }
      await reader.cancel();
      finish(controller, new Error(`The server sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB.`));
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
}

interface ResponseChunk {
  readonly value?: Uint8Array | undefined;
  readonly error?: unknown;
}
