/**
 * A local model provider that responds in the format of any kind, as planned by a test.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Spoken, type Wire, wires } from './model-server-wires.ts';

export type WireKind = keyof typeof wires;

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** Settles when the connection of this request is closed or its response is complete. */
  readonly closed: Promise<'complete' | 'closed'>;
  /** Continues a response that was paused: with its pieces, or with what completes it. */
  proceed(part: 'body' | 'end'): void;
}

/** The response to one request. */
export type Plan =
  /** `after` determines what happens after the pieces; `stay open` completes the response and keeps its connection. */
  | ({ readonly after?: 'finish' | 'stay open' | 'cut' | 'end unfinished' | 'wait' } & Partial<Spoken>)
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
      readonly body?: string;
    }
  /** A literal body with status 200. */
  | { readonly raw: string; readonly contentType: string }
  | 'silence';

export interface ModelServer {
  /** Base URL that ends in `/v1`. */
  readonly baseUrl: string;
  /** Requests, in order. */
  readonly received: readonly ReceivedRequest[];
  /** Sets the responses to the next requests, in order, except those that list models; the last plan applies to all later ones. */
  plan(...plans: readonly Plan[]): void;
  /** Waits until this number of requests has arrived. */
  whenReceived(count: number): Promise<void>;
  close(): Promise<void>;
}

const answer: Spoken = {
  model: 'tiny',
  thoughts: [],
  pieces: ['Hello'],
  finish: 'stop',
  usage: { prompt: 11, completion: 7 },
};

/** Starts the server on a free port. */
export async function startModelServer(kind: WireKind): Promise<ModelServer> {
  const received: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  let plans: readonly Plan[] = [{}];
  const server = createServer((request, response) => {
    readBody(request, (body) => {
      received.push({
        ...describe(request, body),
        closed: closingOf(response),
        proceed: (part) => response.write(wires[kind][part](answer).join(''), () => part === 'end' && response.end()),
      });
      const [plan = {}] = plans;
      const isList = request.method === 'GET' && typeof plan === 'object' && !('status' in plan);
      // Programs list models at any time, so this uses no plan.
      if (plans.length > 1 && !isList) plans = plans.slice(1);
      if (isList) list(response, wires[kind]);
      else carryOut(plan, response, wires[kind]);
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    plan(...next) {
      plans = next;
    },
    whenReceived: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readBody(request: IncomingMessage, use: (body: string) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => use(Buffer.concat(chunks).toString()));
}

function describe(request: IncomingMessage, body: string): Omit<ReceivedRequest, 'closed' | 'proceed'> {
  const { method = '', url: path = '', headers } = request;
  return { method, path, headers, body: body === '' ? {} : JSON.parse(body) };
}

function closingOf(response: ServerResponse): Promise<'complete' | 'closed'> {
  return new Promise((resolve) => {
    response.on('close', () => resolve(response.writableFinished ? 'complete' : 'closed'));
  });
}

function list(response: ServerResponse, wire: Wire): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(wire.list(['tiny', 'large'])));
}

function carryOut(plan: Plan, response: ServerResponse, wire: Wire): void {
  if (plan === 'silence') return;
  if ('status' in plan) {
    response.writeHead(plan.status, { 'content-type': 'application/json', ...plan.headers });
    response.end(plan.body ?? JSON.stringify(wire.refusal(plan.message ?? 'refused')));
    return;
  }
  if ('raw' in plan) {
    response.writeHead(200, { 'content-type': plan.contentType }).end(plan.raw);
    return;
  }
  const { after = 'finish', ...said } = plan;
  const spoken = { ...answer, ...said };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(wire.body(spoken).join(''));
  if (after === 'finish') response.end(wire.end(spoken).join(''));
  else if (after === 'stay open') response.write(wire.end(spoken).join(''));
  else if (after === 'end unfinished') response.end();
  // Delayed, so that earlier data arrives.
  else if (after === 'cut') setTimeout(() => response.destroy(), 50);
}
