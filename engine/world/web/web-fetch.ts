/**
 * The function through which the program sends all HTTP requests: `fetch` from the package on which Node's own is
 * based, the same in every version. Unlike Node's, it detects truncated compressed data, uses proxies, and supports a
 * custom name lookup.
 */
import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { EngineError } from '../../base/engine-error.ts';
import { readWebAddress, shownAddress } from '../../base/web-address.ts';
import { secureContextFor } from './authorities.ts';
import { codingsOf, decodedPieces, unknownCoding } from './content-decoding.ts';
import { joinedPieces } from './joined-pieces.ts';
import { directConnector, proxyConnector, throughProxy, tunnelConnector } from './proxy-connection.ts';
import { type ProxySetting, proxyFor } from './proxy-settings.ts';

/**
 * Sends a request. @throws errors from `fetch`; EngineError `web.bad-url` | `web.bad-address` | `web.unknown-encoding`
 * | `web.bad-proxy` | `web.proxy-failed`
 */
export type WebFetch = (address: string | URL, init?: RequestInit) => Promise<Response>;

type Undici = typeof import('undici');

interface WebFetchOptions {
  /** Resolves names for connections, which are then direct and use no proxy. */
  readonly lookup?: LookupFunction;
  /** Joins body pieces that arrive faster than the screen refreshes. */
  readonly joinsPieces?: true;
}

/** Sends trusted requests, through a proxy if the environment names one. */
export const webFetch: WebFetch = createWebFetch();

/** Creates a `fetch` with separate connections, which do not keep the process alive. */
export function createWebFetch({ lookup, joinsPieces }: WebFetchOptions = {}): WebFetch {
  const dispatchers = new Map<string, Dispatcher>();
  return async (address, init) => {
    const url = readWebAddress(String(address));
    // Loaded here, because few runs use the web.
    const undici = await import('undici');
    const proxy = lookup === undefined ? proxyFor(url, process.env) : undefined;
    const key = `${url.protocol} ${proxy?.url.href ?? ''} ${proxy?.authorization ?? ''} ${process.env['NODE_EXTRA_CA_CERTS'] ?? ''}`;
    const dispatcher = dispatchers.get(key) ?? createDispatcher(undici, { url, proxy, lookup, joinsPieces });
    dispatchers.set(key, dispatcher);
    const answer: unknown = await undici.fetch(url, { ...(init as object), dispatcher });
    return decodedResponse(answer as Response, url);
  };
}

interface ProxyRoute {
  readonly url: URL;
  readonly proxy: ProxySetting | undefined;
  readonly lookup: LookupFunction | undefined;
  readonly joinsPieces: true | undefined;
}

function createDispatcher(undici: Undici, route: ProxyRoute): Dispatcher {
  const dispatcher = connectingDispatcher(undici, route);
  return route.joinsPieces === true ? dispatcher.compose(joinedPieces(undici)) : dispatcher;
}

function connectingDispatcher(undici: Undici, { url, proxy, lookup }: ProxyRoute): Dispatcher {
  const isTls = url.protocol === 'https:' || proxy?.url.protocol === 'https:';
  const secureContext = isTls ? secureContextFor(process.env) : undefined;
  const direct = directConnector(undici, { lookup: lookup === undefined ? {} : { lookup }, secureContext });
  const plain = withoutDecoding(undici);
  if (proxy === undefined) return new undici.Agent({ connect: direct }).compose(plain);
  if (url.protocol === 'https:') {
    return new undici.Agent({ connect: tunnelConnector(proxy, direct, secureContext) }).compose(plain);
  }
  return new undici.Agent({ connect: proxyConnector(proxy, direct) }).compose(throughProxy(proxy, undici), plain);
}

/** `fetch` does not decode a body with this header name. */
const hiddenEncoding = 'x-millrace-content-encoding';
const encodingHeader = 'content-encoding';

/** Prevents `fetch` from decoding bodies, because it accepts truncated data as complete. */
function withoutDecoding({ DecoratorHandler }: Undici): Dispatcher.DispatcherComposeInterceptor {
  class Handler extends DecoratorHandler {
    readonly #handler: Dispatcher.DispatchHandlers;

    constructor(handler: Dispatcher.DispatchHandlers) {
      super(handler);
      this.#handler = handler;
    }

    onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
      const renamed = headers.map((text, index) =>
        index % 2 === 0 && text.toString('latin1').toLowerCase() === encodingHeader
          ? Buffer.from(hiddenEncoding)
          : text,
      );
      return this.#handler.onHeaders?.(status, renamed, resume, statusText) ?? true;
    }
  }
  return (dispatch) => (options, handler) => dispatch(options, new Handler(handler));
}

/** Returns the response with its original headers and a decoded body. */
function decodedResponse(answer: Response, url: URL): Response {
  const encoding = answer.headers.get(hiddenEncoding);
  if (encoding === null) return answer;
  const headers = new Headers(answer.headers);
  headers.delete(hiddenEncoding);
  headers.set(encodingHeader, encoding);
  const codings = codingsOf(encoding);
  const unknown = answer.body === null ? undefined : unknownCoding(codings);
  if (unknown !== undefined) {
    void answer.body?.cancel();
    throw unknownEncoding(unknown, url);
  }
  return withBody(answer, headers, answer.body === null ? null : decodedStream(answer.body, codings));
}

/** Statuses for which `Response` allows no body. */
const bodiless: ReadonlySet<number> = new Set([101, 204, 205, 304]);

function withBody(answer: Response, headers: Headers, body: ReadableStream<Uint8Array> | null): Response {
  const { status, statusText, url } = answer;
  // Servers may respond with statuses that `Response` rejects.
  const isUsual = status >= 200 && status <= 599;
  const made = new Response(bodiless.has(status) ? null : body, {
    status: isUsual ? status : 200,
    statusText,
    headers,
  });
  Object.defineProperties(made, { url: { value: url }, status: { value: status }, ok: { value: answer.ok } });
  return made;
}

function decodedStream(body: ReadableStream<Uint8Array>, codings: readonly string[]): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const source: AsyncIterator<Uint8Array> = { next: () => reader.read() as Promise<IteratorResult<Uint8Array>> };
  const pieces = decodedPieces(source, codings);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done !== true) return controller.enqueue(value);
        controller.close();
        await reader.cancel();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function unknownEncoding(coding: string, url: URL): EngineError {
  return new EngineError({
    code: 'web.unknown-encoding',
    message: `${shownAddress(url)} sent its response with the content encoding ${JSON.stringify(coding)}, which is not supported. Send the header accept-encoding: identity, or request gzip, deflate or br.`,
  });
}
