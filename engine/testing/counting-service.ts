/**
 * A server that counts outside effects, and a model that counts its responses: what a run has done and paid for, seen
 * from outside.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingService {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** How often each key was booked by `POST /book/KEY`, or by `POST /hold/KEY`, which is answered after `release`. */
  readonly booked: ReadonlyMap<string, number>;
  /** How often each conversation was answered completely, by its text. */
  readonly answered: ReadonlyMap<string, number>;
  /** Answers held requests, also later ones. */
  release(): void;
  close(): Promise<void>;
}

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null;
}

interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly unknown[];
}

/** Time for each response in milliseconds, so that a kill can interrupt it. */
const workMs = 10;

/** Starts the service on a free port. */
export async function startCountingService(): Promise<CountingService> {
  const booked = new Map<string, number>();
  const answered = new Map<string, number>();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const { pathname } = new URL(request.url ?? '', 'http://local');
      const [, isHeld, key] = /^\/(?:book|(hold))\/(.*)$/.exec(pathname) ?? [];
      if (key !== undefined) count(booked, decodeURIComponent(key));
      await (isHeld === undefined ? new Promise((resolve) => setTimeout(resolve, workMs)) : released);
      if (key !== undefined) sendJson(response, { booked: true });
      else {
        const chat = JSON.parse(body) as ChatRequest;
        response.once('finish', () => count(answered, JSON.stringify(chat.messages)));
        sendJson(response, completionFor(chat));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    booked,
    answered,
    release,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  return body;
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** With tools, books twice before it answers; without, repeats the last message. */
function completionFor({ messages, tools = [] }: ChatRequest): unknown {
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  const question = messages.find(({ role }) => role === 'user')?.content ?? '';
  const last = messages.at(-1)?.content ?? '';
  const message =
    tools.length > 0 && turn < 2
      ? { role: 'assistant', content: null, tool_calls: [bookingCall(`${question} ${turn}`, turn)] }
      : { role: 'assistant', content: `answer to ${last}` };
  const finish = 'tool_calls' in message ? 'tool_calls' : 'stop';
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'counted',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

function bookingCall(what: string, turn: number): unknown {
  return { id: `call-${turn}`, type: 'function', function: { name: 'book', arguments: JSON.stringify({ what }) } };
}
