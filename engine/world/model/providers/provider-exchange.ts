/**
 * One HTTP request to a provider and its response, between the SDK and the network.
 */
import type { Clock } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import { createWebFetch } from '../../web/web-fetch.ts';
import type { ProviderKind } from '../provider-config.ts';
import { readableChatStream, type StreamNotes } from './chat-stream.ts';
import type { WordListener } from './chat-texts.ts';
import { maxErrorBody, wordsOfBody } from './error-words.ts';
import { type ProviderRejection, withoutFields } from './optional-fields.ts';

/**
 * Time in milliseconds without a single byte, including keep-alives. Node's `fetch` would give up after five minutes
 * with a less helpful error.
 */
export const idleLimitMs = 240_000;

interface ExchangeOptions {
  /** The provider's name, for messages. */
  readonly name: string;
  readonly kind: ProviderKind;
  readonly clock: Clock;
  /** Fields omitted from the request. */
  readonly omitted: ReadonlySet<string>;
  /** Receives the text that the SDK does not read. */
  readonly words: WordListener;
}

/** Kinds with many servers that only resemble OpenAI's. */
const chatKinds: ReadonlySet<ProviderKind> = new Set(['openai-compatible', 'ollama']);
/** Statuses of responses without a body. */
const bodiless = new Set([101, 103, 204, 205, 304]);

const streamingFetch = createWebFetch({ joinsPieces: true });

export class ProviderExchange {
  readonly notes: StreamNotes = { lost: 0, isWithoutReason: false };
  /** The body as sent; empty before that. */
  sent: Readonly<Record<string, unknown>> = {};
  /** The provider's error response, if it sent one. */
  refusal: ProviderRejection | undefined;
  readonly #options: ExchangeOptions;
  readonly #idle = new AbortController();
  #endTimer: () => void;

  /** Starts the idle timer. */
  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#endTimer = this.#startTimer();
  }

  /** Aborts with an error if no byte arrives for too long. */
  get idleSignal(): AbortSignal {
    return this.#idle.signal;
  }

  /** The `fetch` for the SDK. Redirects are not followed, because a key must not be sent to another host. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const address = input instanceof Request ? input.url : input;
    const response = await streamingFetch(address, { ...init, ...this.#bodyOf(init), redirect: 'manual' });
    this.#touch();
    const { status, statusText, headers, body } = response;
    if (body === null || bodiless.has(status) || status > 599) return response;
    const counted = (): ReadableStream<Uint8Array> => body.pipeThrough(counting(() => this.#touch()));
    if (status >= 300) {
      const text = await readText(counted(), headers.get('content-type') ?? '');
      this.refusal = { statusCode: status, words: wordsOfBody(text) };
      return new Response(text, { status, statusText, headers });
    }
    if (!chatKinds.has(this.#options.kind)) return new Response(counted(), { status, statusText, headers });
    const { notes } = this;
    const { words } = this.#options;
    const stream = readableChatStream(body, { notes, words, signal: init?.signal, onBytes: () => this.#touch() });
    return new Response(stream, { status, headers: { 'content-type': 'text/event-stream' } });
  };

  /** Stops the idle timer. */
  stop(): void {
    this.#endTimer();
  }

  #bodyOf(init: RequestInit | undefined): { readonly body?: string } {
    if (typeof init?.body !== 'string') return {};
    this.sent = withoutFields(JSON.parse(init.body), this.#options.omitted);
    return { body: JSON.stringify(this.sent) };
  }

  #touch(): void {
    this.#endTimer();
    this.#endTimer = this.#startTimer();
  }

  #startTimer(): () => void {
    const { clock, name } = this.#options;
    return clock.setTimer(() => this.#idle.abort(tooQuiet(name)), idleLimitMs);
  }
}

function counting(touch: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      touch();
      controller.enqueue(chunk);
    },
  });
}

/** Reads the start of an error body in its encoding. */
async function readText(body: ReadableStream<Uint8Array>, contentType: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxErrorBody) break;
  }
  const bytes = Buffer.concat(chunks);
  const [, charset] = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType) ?? [];
  return decode(bytes, charset);
}

function decode(bytes: Uint8Array, charset: string | undefined): string {
  if (charset === undefined) {
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    if (isUtf16) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
    const text = new TextDecoder().decode(bytes);
    return text.includes('\uFFFD') && bytes.length < maxErrorBody
      ? new TextDecoder('windows-1252').decode(bytes)
      : text;
  }
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function tooQuiet(provider: string): EngineError {
  return new EngineError({
    code: 'model.unavailable',
    message: `Provider "${provider}" sent nothing for ${idleLimitMs / 60_000} minutes, so the request was canceled.`,
    recoverable: true,
    details: { idleMs: idleLimitMs },
  });
}
