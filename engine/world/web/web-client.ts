/**
 * Flows' HTTP requests: to any address, or only to public addresses, with a lookup that checks each address.
 */
import { EngineError } from '../../base/engine-error.ts';
import { dialedOrigin, readWebAddress, shownAddress } from '../../base/web-address.ts';
import type { WebCapability, WebRequest, WebResponse } from '../../runtime/kernel/capabilities/web-capability.ts';
import type { SecretEncoding } from '../../runtime/kernel/hub/run-secrets.ts';
import { maskedBytes } from '../secrets/masked-bytes.ts';
import { multipartBody, type StreamedBody } from './multipart.ts';
import { createPublicFetch, type PublicNetwork } from './public-fetch.ts';
import { brokenBody, toSendError } from './web-error.ts';
import { type WebFetch, webFetch } from './web-fetch.ts';

/** One request in a chain of redirects. */
interface RedirectHop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | StreamedBody | undefined;
}

const usualRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that would send one server's secrets to another. */
const ownHeaders = ['authorization', 'cookie', 'proxy-authorization'];
/** Headers that describe a body and are removed with it. */
const bodyHeaders = ['content-encoding', 'content-language', 'content-length', 'content-location', 'content-type'];

interface WebClientOptions extends PublicNetwork {
  /**
   * Whether requests to this URL may reach this machine and private networks; called before each request, including
   * redirects.
   */
  readonly mayReachPrivate: (url: URL) => boolean;
}

/** Creates the web capability. Idle connections do not keep the process alive. */
export function createWebClient({ mayReachPrivate, ...network }: WebClientOptions): WebCapability {
  const sendPublic = createPublicFetch(network);
  return {
    async send(request, signal) {
      signal.throwIfAborted();
      const stop = new AbortController();
      try {
        const send: WebFetch = (address, init) => {
          const isFree = request.isPublicOnly !== true && mayReachPrivate(readWebAddress(String(address)));
          return (isFree ? webFetch : sendPublic)(address, init);
        };
        const filled = withSecrets(request);
        const answer = await follow(filled, send, AbortSignal.any([signal, stop.signal]));
        return await readResponse(answer, request);
      } catch (error) {
        // Closes the connection of a response that was not read to its end.
        stop.abort();
        signal.throwIfAborted();
        throw error;
      }
    },
  };
}

function firstHop({ url, method, headers, body, form }: WebRequest): RedirectHop {
  const address = readWebAddress(url);
  const sent = checkedHeaders(headers);
  if (form === undefined) return { url: address, method, headers: sent, body };
  const streamed = multipartBody(form);
  sent.set('content-type', streamed.contentType);
  sent.set('content-length', String(streamed.sizeBytes));
  return { url: address, method, headers: sent, body: streamed };
}

function checkedHeaders(headers: Readonly<Record<string, string>>): Headers {
  const checked = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    try {
      checked.append(name, value);
    } catch {
      // The built-in message would contain the value, which may be a key.
      throw new EngineError({
        code: 'web.bad-request',
        message: `The header ${JSON.stringify(name)} cannot be sent: its name or value contains a character that is not allowed in headers.`,
      });
    }
  }
  return checked;
}

/** A request with the values of its secrets, and a check of each host to which it is sent. */
interface FilledRequest extends WebRequest {
  readonly admit?: (url: URL) => void;
  /** Headers with secrets, which are sent only to the original server. */
  readonly carriers?: readonly string[];
}

/** @throws EngineError `web.bad-url` | `web.bad-address` | `secret.in-host` */
function withSecrets(request: WebRequest): FilledRequest {
  const { secrets, url, headers, body, form } = request;
  const texts = form?.map((part) => ('text' in part ? part.text : '')) ?? [];
  const names = secrets?.namesIn([url, ...Object.values(headers), body ?? '', ...texts].join('\n')) ?? [];
  if (secrets === undefined || names.length === 0) return request;
  if (secrets.namesIn(readWebAddress(url).host).length > 0) throw secretInHost();
  return {
    ...request,
    url: secrets.fill(url, 'address'),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.fill(value, 'plain')])),
    body: body === undefined ? undefined : secrets.fill(body, encodingOf(headers)),
    ...(form === undefined
      ? {}
      : { form: form.map((part) => ('text' in part ? { ...part, text: secrets.fill(part.text, 'plain') } : part)) }),
    admit: (to) => secrets.admit(names, to),
    carriers: Object.keys(headers).filter((name) => secrets.namesIn(headers[name] ?? '').length > 0),
  };
}

/** The value must have the same meaning inside and outside the body. */
function encodingOf(headers: WebRequest['headers']): SecretEncoding {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (/[/+]json\s*(?:;|$)/i.test(type)) return 'json';
  return /^application\/x-www-form-urlencoded/i.test(type) ? 'address' : 'plain';
}

function secretInHost(): EngineError {
  return new EngineError({
    code: 'secret.in-host',
    message:
      'The host of an address cannot be a secret, because it determines where secrets are sent. Write the host in the flow, and use the secret after it.',
  });
}

interface FetchedResponse {
  readonly response: Response;
  /** The URL that returned it. */
  readonly url: URL;
}

async function follow(request: FilledRequest, send: WebFetch, signal: AbortSignal): Promise<FetchedResponse> {
  const { maxRedirects = usualRedirects, admit, carriers = [] } = request;
  const first = firstHop(request);
  let hop = first;
  for (let redirects = 0; ; redirects++) {
    // Also called for redirects, because one host's secret must not be sent to another host.
    admit?.(hop.url);
    const response = await sendHop(hop, send, signal);
    const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return { response, url: hop.url };
    await response.body?.cancel();
    if (redirects >= maxRedirects) throw tooManyRedirects(first.url, maxRedirects);
    hop = nextHop(hop, { status: response.status, location, carriers });
    await request.admitRedirect?.(hop.url.href);
  }
}

async function sendHop(
  { url, method, headers, body }: RedirectHop,
  send: WebFetch,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await send(url, {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body === undefined ? {} : typeof body === 'string' ? { body } : { body: body.open(), duplex: 'half' }),
    });
  } catch (error) {
    // An error from a body that is read while it is sent.
    if (error instanceof Error && EngineError.is(error.cause)) throw error.cause;
    throw toSendError(error, url);
  }
}

interface Redirect {
  readonly status: number;
  readonly location: string;
  readonly carriers: readonly string[];
}

/**
 * Follows redirects like browsers: 303 becomes a GET, and so do 301 and 302 after a POST; 307 and 308 repeat the
 * request.
 */
function nextHop(hop: RedirectHop, { status, location, carriers }: Redirect): RedirectHop {
  const url = readWebAddress(location, hop.url);
  const headers = new Headers(hop.headers);
  if (dialedOrigin(url) !== dialedOrigin(hop.url))
    for (const name of [...ownHeaders, ...carriers]) headers.delete(name);
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST';
  if (!becomesGet) return { ...hop, url, headers };
  for (const name of bodyHeaders) headers.delete(name);
  return { url, method: 'GET', headers, body: undefined };
}

async function readResponse({ response, url }: FetchedResponse, request: WebRequest): Promise<WebResponse> {
  const headers = headersOf(response.headers);
  const { status } = response;
  const { sink, maxBytes } = request;
  const source = { response, maxBytes, url: readWebAddress(request.url) };
  if (sink?.takes({ status, headers }) === true) {
    const { secrets } = request;
    const write = (piece: Uint8Array): Promise<void> => sink.write(piece);
    const masked = secrets === undefined ? undefined : maskedBytes(secrets, write);
    await readPieces(source, masked?.push ?? write);
    await masked?.end();
    return { status, url: url.href, headers, text: '' };
  }
  const chunks: Uint8Array[] = [];
  await readPieces(source, (piece) => void chunks.push(piece));
  return { status, url: url.href, headers, text: decode(Buffer.concat(chunks), headers['content-type'] ?? '') };
}

/** Only `set-cookie` occurs more than once; its values contain commas, so they are on separate lines. */
function headersOf(received: Headers): Readonly<Record<string, string>> {
  const headers = new Map(received);
  const cookies = received.getSetCookie();
  if (cookies.length > 0) headers.set('set-cookie', cookies.join('\n'));
  return Object.fromEntries(headers);
}

interface BodySource {
  readonly response: Response;
  readonly maxBytes: number;
  readonly url: URL;
}

/** Counts decompressed bytes, so that a small response that expands to huge text is stopped. */
async function readPieces(
  { response, maxBytes, url }: BodySource,
  take: (piece: Uint8Array) => Promise<void> | void,
): Promise<void> {
  if (response.body === null) return;
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw brokenBody(error, url);
    });
    if (done) return;
    size += value.byteLength;
    if (size > maxBytes) throw tooLarge(url, maxBytes);
    await take(value);
  }
}

const charsetPattern = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** An unknown charset counts as UTF-8, which is correct for most such responses. */
function decode(bytes: Buffer, contentType: string): string {
  const charset = charsetPattern.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function tooManyRedirects(url: URL, maxRedirects: number): EngineError {
  return new EngineError({
    code: 'web.unreachable',
    message: `${shownAddress(url)} redirects more than ${maxRedirects} times. Use the address where it should end.`,
  });
}

function tooLarge(url: URL, maxBytes: number): EngineError {
  return new EngineError({
    code: 'web.too-large',
    message: `The response of ${shownAddress(url)} is larger than ${maxBytes} bytes. Request less, or increase maxBytes.`,
    details: { maxBytes },
  });
}
