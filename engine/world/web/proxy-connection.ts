/**
 * Connections through a proxy: https through a tunnel, http by requesting the full URL from the proxy.
 */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { EngineError } from '../../base/engine-error.ts';
import type { ProxySetting } from './proxy-settings.ts';

type Undici = typeof import('undici');
type Connector = buildConnector.connector;

const connectLimitMs = 30_000;

/** Returns the connector for https servers through a tunnel. @param connectTls makes a socket secure */
export function tunnelConnector(
  proxy: ProxySetting,
  connectTls: Connector,
  secureContext: SecureContext | undefined,
): Connector {
  return (options, callback) => {
    const { host = options.hostname, port } = options;
    openTunnel(proxy, port ? host : `${host}:443`, secureContext).then(
      (httpSocket) => connectTls({ ...options, httpSocket }, callback),
      (error: Error) => callback(error, null),
    );
  };
}

/** Returns the connector for a proxy that receives http URLs. */
export function proxyConnector(proxy: ProxySetting, connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error !== null) callback(unreachableProxy(proxy, error), null);
      else callback(null, socket);
    });
}

/** Requests the full URL from the proxy. `fetch` does not report that a proxy requires a password. */
export function throughProxy(
  proxy: ProxySetting,
  { DecoratorHandler }: Undici,
): Dispatcher.DispatcherComposeInterceptor {
  const { url, authorization } = proxy;
  class Handler extends DecoratorHandler {
    readonly #handler: Dispatcher.DispatchHandlers;
    #abort: (error?: Error) => void = () => undefined;

    constructor(handler: Dispatcher.DispatchHandlers) {
      super(handler);
      this.#handler = handler;
    }

    onConnect(abort: (error?: Error) => void): void {
      this.#abort = abort;
      this.#handler.onConnect?.(abort);
    }

    onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
      if (status !== 407) return this.#handler.onHeaders?.(status, headers, resume, statusText) ?? true;
      this.#abort(proxyRefusal(proxy, status));
      return true;
    }
  }
  return (dispatch) => (options, handler) => {
    const target = new URL(String(options.origin));
    const own = { host: target.host, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) };
    const headers = { ...(options.headers as Readonly<Record<string, string>>), ...own };
    const path = `${target.origin}${options.path}`;
    return dispatch({ ...options, origin: url.origin, path, headers }, new Handler(handler));
  };
}

function openTunnel(proxy: ProxySetting, target: string, secureContext: SecureContext | undefined): Promise<Socket> {
  const { url, authorization } = proxy;
  const options: RequestOptions = {
    method: 'CONNECT',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: target,
    headers: { host: target, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
    agent: false,
    timeout: connectLimitMs,
    ...(secureContext === undefined ? {} : { secureContext }),
  };
  return new Promise((resolve, reject) => {
    const asked = url.protocol === 'https:' ? httpsRequest(options) : httpRequest(options);
    asked.on('connect', ({ statusCode = 0 }: IncomingMessage, socket: Socket) => {
      socket.setTimeout(0);
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(proxyRefusal(proxy, statusCode));
    });
    asked.on('timeout', () => asked.destroy(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })));
    asked.on('error', (error) => reject(unreachableProxy(proxy, error)));
    asked.end();
  });
}

function nameOf({ url, variable }: ProxySetting): string {
  return `The proxy ${url.host} (${variable})`;
}

/** The proxy responded but does not forward the request. */
function proxyRefusal(proxy: ProxySetting, status: number): EngineError {
  const help =
    status === 407
      ? `requires a user name and a password. Write them into ${proxy.variable}: http://NAME:PASSWORD@${proxy.url.host}`
      : `refused the connection with status ${status}. To connect directly, add the host of the server to NO_PROXY`;
  return new EngineError({
    code: 'web.proxy-failed',
    message: `${nameOf(proxy)} ${help}.`,
    recoverable: status >= 500,
    details: { status },
  });
}

function unreachableProxy(proxy: ProxySetting, error: unknown): EngineError {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return new EngineError({
    code: 'web.proxy-failed',
    message: `${nameOf(proxy)} could not be reached${code === undefined ? '' : ` (${code})`}. Check the variable, or add the host of the server to NO_PROXY.`,
    recoverable: true,
    ...(code === undefined ? {} : { details: { cause: code } }),
  });
}

/** Connects as the package itself does, with the user's trusted authorities. */
export function directConnector(
  { buildConnector: build }: Undici,
  { lookup, secureContext }: { readonly lookup: object; readonly secureContext: SecureContext | undefined },
): Connector {
  return build({ ...lookup, ...(secureContext === undefined ? {} : { secureContext }) } as buildConnector.BuildOptions);
}
