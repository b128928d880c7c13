/**
 * The HTTP service: webhooks, addresses of flows and their form pages. It listens on the loopback interface only; other
 * computers reach it through a reverse proxy.
 *
 * Every request passes the same checks before a route sees it. A page of another site must not reach the service through
 * the browser of a person on this machine: the `Host` header must be an address of the service (otherwise a name that
 * resolves to 127.0.0.1 would do), and an `Origin` must be the service's own or one that was allowed.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { AddRoutes, HttpEnv, HttpServiceOptions, HttpWorld } from './served.ts';

/** A service that is running. */
export interface HttpService {
  /** Its address, for example `http://127.0.0.1:7420`. */
  readonly origin: string;
  /** Accepts no more requests. Those that have arrived are answered. */
  drain(): void;
  /** Accepts no more requests, and resolves when all connections are closed. Open streams are ended. */
  close(): Promise<void>;
}

/** A whole request must arrive within this time, its headers sooner. */
const longestRequestMs = 60_000;
const longestHeadersMs = 10_000;
const mostConnections = 1_000;

const host = '127.0.0.1';

/**
 * Starts the service.
 * @throws EngineError `http.port-in-use` | `http.not-listening`
 */
export async function startHttpService(
  options: HttpServiceOptions,
  routes: readonly AddRoutes[],
): Promise<HttpService> {
  const origins: string[] = [];
  const world: HttpWorld = { ...options, origin: () => origins[0] ?? '' };
  const app = new Hono<HttpEnv>();
  app.use(checkedSource(world));
  const { allowedOrigins = [] } = options;
  if (allowedOrigins.length > 0) app.use(pagesOf(allowedOrigins));
  for (const add of routes) add(app, world);
  app.notFound((context) => context.json(errorBody('http.not-found', 'There is nothing at this address.'), 404));
  app.onError((error, context) => {
    if (!EngineError.is(error)) {
      options.onNote(`A request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return context.json(errorBody('http.internal', 'The request failed. The service has logged the reason.'), 500);
    }
    if (isPrivate(error)) {
      options.onNote(error.message);
      return context.json(
        errorBody('http.unavailable', 'The service cannot do this now. It has logged the reason.'),
        503,
      );
    }
    return context.json(bodyOf(error), statusOf(error.code), headersOf(error, options));
  });
  const { requestMs = longestRequestMs, headersMs = longestHeadersMs } = options.limits ?? {};
  const timeouts = { requestTimeout: requestMs, headersTimeout: headersMs };
  const answer = getRequestListener(app.fetch);
  const server = createServer({ ...timeouts, connectionsCheckingInterval: headersMs / 2 }, (incoming, outgoing) => {
    for (const [name, value] of secureHeaders) outgoing.setHeader(name, value);
    return answer(incoming, outgoing);
  });
  server.maxConnections = mostConnections;
  await listen(server, options.port);
  origins.push(`http://${host}:${(server.address() as AddressInfo).port}`);
  const drain = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  return { origin: world.origin(), drain, close: () => close(server) };
}

/** Pages of these origins may read answers. They have no cookies here, so they need a key as programs do. */
function pagesOf(origins: readonly string[]): MiddlewareHandler {
  return cors({
    origin: [...origins],
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'Prefer'],
    exposeHeaders: ['Location', 'Retry-After'],
    maxAge: 600,
  });
}

/** The body of an answer that reports an error. */
export function errorBody(
  code: string,
  message: string,
): { readonly error: { readonly code: string; readonly message: string; readonly problems?: readonly JsonValue[] } } {
  return { error: { code, message } };
}

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503;

/** Codes of errors with another status than 400. */
const statuses: Readonly<Record<string, ErrorStatus>> = {
  'http.unauthorized': 401,
  'http.forbidden': 403,
  'http.not-found': 404,
  'run.not-found': 404,
  'run.invalid-state': 409,
  'flow.changed': 409,
  'http.idempotency-conflict': 409,
  'firing.blocked': 429,
  'firing.limited': 429,
  'flow.unavailable': 503,
  'http.too-large': 413,
  'http.bad-type': 415,
  'http.too-many': 429,
  'http.unavailable': 503,
};

function statusOf(code: string): ErrorStatus {
  return statuses[code] ?? 400;
}

/** Errors that name files and settings of this machine are no concern of callers. */
function isPrivate({ code }: EngineError): boolean {
  const names = ['http.bad-list', 'http.bad-key-file', 'http.key-inside', 'engine.closed'];
  return names.includes(code) || code.startsWith('files.') || code.startsWith('store.');
}

/** Lists the problems of inputs and answers one by one, for forms. */
function bodyOf({ code, message, details }: EngineError): ReturnType<typeof errorBody> {
  const { error } = errorBody(code, message);
  const hasProblems = (code === 'flow.bad-inputs' || code === 'answer.invalid') && Array.isArray(details);
  return { error: hasProblems ? { ...error, problems: details } : error };
}

/** A caller of a flow with too many unfinished runs tries again after this time. */
const blockedSeconds = 5;

function headersOf({ code, details }: EngineError, { clock }: HttpServiceOptions): Record<string, string> {
  if (code === 'http.unauthorized') return { 'WWW-Authenticate': 'Bearer' };
  if (code === 'firing.blocked') return { 'Retry-After': String(blockedSeconds) };
  if (code !== 'firing.limited') return {};
  const { againAt = clock.now() } = details as { readonly againAt?: number };
  return { 'Retry-After': String(Math.max(1, Math.ceil((againAt - clock.now()) / 1_000))) };
}

/** Headers of each answer that does not set its own. Pages set a policy; everything else is data. */
const secureHeaders = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;

function checkedSource({ origin, publicAddress, allowedOrigins = [] }: HttpWorld): MiddlewareHandler<HttpEnv> {
  let own: readonly string[] | undefined;
  return async (context, next) => {
    // The port is known only when the service listens.
    own ??= [host, 'localhost'].map((name) => `${name}:${new URL(origin()).port}`);
    const asked = context.req.header('host')?.toLowerCase() ?? '';
    const isPublic = publicAddress !== undefined && asked === publicAddress.host;
    if (!isPublic && !own.includes(asked)) {
      const message = 'This name is not an address of the service. See --public-address of millrace serve.';
      return context.json(errorBody('http.wrong-host', message), 403);
    }
    const from = context.req.header('origin');
    if (from !== undefined && ![...own.map(pageOf), publicAddress?.origin, ...allowedOrigins].includes(from)) {
      const message = `Pages of ${from} may not call this service. See --allow-origin of millrace serve.`;
      return context.json(errorBody('http.wrong-origin', message), 403);
    }
    context.set('isPublic', isPublic);
    await next();
    return undefined;
  };
}

function pageOf(name: string): string {
  return `http://${name}`;
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE';
    throw new EngineError({
      code: isTaken ? 'http.port-in-use' : 'http.not-listening',
      message: isTaken
        ? `Port ${port} is used by another program, perhaps by another service of Millrace. Choose another with --port or MILLRACE_PORT.`
        : `The service cannot listen on port ${port}: ${error.message}`,
    });
  });
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    // Also called if it has been closed before.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
