/**
 * The HTTP/2 server on which Restate reaches a worker, and the HTTP server for health and metrics.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer, type Server } from 'node:http';
import {
  createServer as createHttp2Server,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { EngineError } from '../../base/engine-error.ts';

/** An address to listen on. Port 0 selects a free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** One attempt's connection. */
export interface AttemptConnection {
  /** Ends the input, so that the SDK suspends the attempt as soon as it waits. */
  suspend(): void;
}

const connections = new AsyncLocalStorage<AttemptConnection>();

/** Returns the connection of the attempt that is calling. */
export function currentConnection(): AttemptConnection {
  const connection = connections.getStore();
  if (connection === undefined) throw new Error('This code is not part of an attempt');
  return connection;
}

interface AttemptServerOptions {
  readonly handler: (request: Http2ServerRequest, response: Http2ServerResponse) => void;
  /** Returns whether another attempt of a run may start. */
  readonly mayStart: () => boolean;
  readonly onRejected: () => void;
}

/** Path of requests that run a workflow. */
const runPath = /^\/invoke\/[^/]+\/run$/;

/** Serves attempts. Restate repeats a rejected attempt later, perhaps with another worker. */
export class AttemptServer {
  readonly #server: Http2Server;
  /** Responses to requests that run a workflow. */
  readonly #responses = new Set<Http2ServerResponse>();

  constructor({ handler, mayStart, onRejected }: AttemptServerOptions) {
    this.#server = createHttp2Server((request, response) => {
      const isRun = runPath.test(request.url);
      if (isRun && !mayStart()) {
        onRejected();
        response.writeHead(503, { 'content-type': 'text/plain' }).end('This worker accepts no more runs now.');
        return;
      }
      if (isRun) {
        this.#responses.add(response);
        request.stream.once('close', () => this.#responses.delete(response));
      }
      connections.run(withSuspendableInput(request), () => handler(request, response));
    });
  }

  /** Number of attempts of runs. */
  get active(): number {
    // A stranger whose request was rejected must not keep a place by never ending it.
    return [...this.#responses].filter(({ headersSent, statusCode }) => !headersSent || statusCode < 400).length;
  }

  /** @throws EngineError `worker.cannot-listen` */
  async listen(address: ListenAddress): Promise<ListenAddress> {
    return await listening(this.#server, address);
  }

  close(): void {
    this.#server.close();
  }
}

/** Replaces the input of a request with one that can be ended before its sender ends it. */
function withSuspendableInput(request: Http2ServerRequest): AttemptConnection {
  const read = request[Symbol.asyncIterator].bind(request);
  let suspend = (): void => undefined;
  const suspended = new Promise<IteratorReturnResult<undefined>>((resolve) => {
    suspend = () => resolve({ done: true, value: undefined });
  });
  request[Symbol.asyncIterator] = () => {
    const chunks = read();
    return {
      next: () => Promise.race([chunks.next(), suspended]),
      [Symbol.asyncIterator]() {
        return this;
      },
      [Symbol.asyncDispose]: async () => undefined,
    } as NodeJS.AsyncIterator<unknown>;
  };
  return { suspend };
}

interface StatusOptions {
  readonly isHealthy: () => boolean;
  readonly metrics: () => string;
}

/** Serves `/health` and `/metrics`. */
export async function serveStatus(
  address: ListenAddress,
  { isHealthy, metrics }: StatusOptions,
): Promise<{ readonly address: ListenAddress; readonly close: () => void }> {
  const server = createServer((request, response) => {
    if (request.url === '/metrics')
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(metrics());
    else if (request.url === '/health')
      response.writeHead(isHealthy() ? 200 : 503).end(isHealthy() ? 'ok' : 'draining');
    else response.writeHead(404).end();
  });
  return { address: await listening(server, address), close: () => server.close() };
}

async function listening(server: Server | Http2Server, { host, port }: ListenAddress): Promise<ListenAddress> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: Error) => {
      const message = `The worker cannot listen on ${host}:${port}: ${cause.message}. Choose another address.`;
      reject(new EngineError({ code: 'worker.cannot-listen', message, cause }));
    });
    server.listen(port, host, resolve);
  });
  return { host, port: (server.address() as AddressInfo).port };
}
